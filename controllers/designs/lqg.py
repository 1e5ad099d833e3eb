"""The linear-quadratic regulator on states that a Kalman estimator finds."""

import numpy as np
from numpy.typing import ArrayLike

from ...plant import LinearModel
from ...plant.checks import choice, each_positive
from ...plant.one_thread import one_thread
from ..laws.law import check_timing
from ..laws.linear_feedback import LinearFeedback
from ..loop.attitude_model import check_reachable
from ..loop.sampled_plant import sampled_plant
from .design_plant import design_plant
from .estimated import Observer, kalman_gain, sensors_of, told
from .lqr import attitude_cost, weighed
from .riccati import discrete_regulator
from .stability_check import require_stable

__all__ = ["lqg"]


@one_thread
def lqg(
    model: LinearModel,
    *,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    torque_noise: ArrayLike,
    attitude_noise: ArrayLike,
    sample: float,
    rate_noise: ArrayLike | None = None,
    delay: float = 0.0,
    internal: str = "estimated",
    saturation: str = "component",
) -> LinearFeedback:
    """Design a sampled linear-quadratic regulator with a Kalman estimator of the whole state.

    The regulator is that of `lqr` on every state of the plant, elements included. The estimator knows the exactly
    sampled plant, the commands under way and what saturation left of them, and takes each measurement in before the
    command of the same sample is formed:

        xhat = xp + M (y - C xp),    v = - K [xhat; past commands],    xp[k+1] = F xhat + G [commands as sent].

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`, with outputs attitude and rate.
    attitude, rate, effort : array_like, shape (), (3,) or (3, 3)
        Weights Wa per rad^2, Wr per (rad/s)^2, We per (N m)^2, as in `lqr`.
    torque_noise : array_like, shape () or (3,)
        White disturbance torque on each component, N m/sqrt(Hz): the square root of its two-sided spectral density.
        The ratio to the sensor noise sets the bandwidth of the estimator.
    attitude_noise : array_like, shape () or (3,)
        Standard deviation of the measured attitude at a sample, rad; at most 1.
    sample : float
        Sampling period, s.
    rate_noise : array_like, shape () or (3,), optional
        Standard deviation of the measured rate at a sample, rad/s, at most pi / sample. None: there is no rate
        sensor, the rate is estimated from the attitude.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    internal : str
        "estimated": the states of elements are estimated. "locked": they are not in the estimator's model.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.

    Returns
    -------
    LinearFeedback
        The law; its first states are those of the plant.

    Raises
    ------
    InputError
        When a number is not positive, a shape wrong, or a sensor so bad that it measures nothing.
    DesignError
        When a weight is not definite, no torque reaches a mode, the sensors do not see one, the sampling is too slow,
        or the loop with every state of the plant is not stable.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)))
    >>> model = craft.linearize(craft.at_rest())
    >>> noise = {"torque_noise": 1e-3, "attitude_noise": 1e-4}
    >>> law = lqg(model, attitude=4, rate=1, effort=1, **noise, sample=0.1)
    >>> law.compensator.order, bool(np.any(law.compensator.D[:, 3:]))
    (6, False)
    """
    period, lag = check_timing(sample, delay)
    choice("internal", internal, ("estimated", "locked"))
    plant = design_plant(model, internal=internal)
    weights = weighed(attitude, rate, effort=effort)
    torque = each_positive("torque_noise", torque_noise, unit="N m/sqrt(Hz)")
    sensors = sensors_of(attitude_noise, rate_noise, sample=period)
    check_reachable(plant.model, sample=period)

    F, G = sampled_plant(plant.A, plant.B, sample=period, delays=[lag] * 3)
    n = len(plant.A)
    Q = np.zeros_like(F)
    Q[:n, :n] = attitude_cost(plant, weights)
    K = discrete_regulator(F, G, Q, R=weights.effort * plant.scale**2, sample=period)
    C = plant.C[: len(sensors)]
    M = kalman_gain(plant.A, plant.B * (torque / plant.scale), C=C, sensors=sensors, sample=period)
    observer = Observer(flow=F[:n, :n], under_way=F[:n, n:], enter=G[:n], M=M, C=C, scale=plant.scale)
    law = LinearFeedback(
        observer.compensator(-plant.scale * K[:, :n], -K[:, n:]),
        model,
        sample=period,
        delay=lag,
        saturation=saturation,
        design={
            "kind": "lqg",
            "internal": internal,
            **weights.to_dict(),
            "torque_noise_N_m_per_rtHz": torque.tolist(),
            **told(sensors),
        },
    )
    return require_stable(
        law,
        what=f"the regulator with an estimator (internal states {internal})",
        advice="make the weights less extreme" + (', or use internal="estimated"' if internal == "locked" else ""),
    )
