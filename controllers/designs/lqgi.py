"""The regulator with integral action on states that a Kalman estimator finds."""

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
from .lqi import integral_regulator
from .lqr import weighed
from .riccati import definite
from .stability_check import require_stable

__all__ = ["lqgi"]


@one_thread
def lqgi(
    model: LinearModel,
    *,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    integral: ArrayLike,
    torque_noise: ArrayLike,
    attitude_noise: ArrayLike,
    sample: float,
    rate_noise: ArrayLike | None = None,
    delay: float = 0.0,
    internal: str = "estimated",
    saturation: str = "component",
    anti_windup: bool = True,
) -> LinearFeedback:
    """Design a sampled linear-quadratic regulator with integral action and a Kalman estimator of the whole state.

    The regulator is that of `lqi`, the estimator that of `lqg`; the integral is that of the measured attitude error,

        v = - K [xhat; past commands] - Ki xi,    xi[k+1] = xi + sample delta,

    so that a constant torque leaves no attitude error, though it misleads the estimator: the loop rests only where
    delta is zero, and then - Ki xi carries the torque. With torque limits the integral takes in the error that the
    torque can answer, delta + Kd^-1 (limited u - u), Kd the regulator's gain on the attitude.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`, with outputs attitude and rate.
    attitude, rate, effort : array_like, shape () or (3,) or (3, 3)
        Weights Wa per rad^2, Wr per (rad/s)^2, We per (N m)^2, as in `lqr`.
    integral : array_like, shape () or (3,) or (3, 3)
        Wi on the integral of the attitude error, per (rad s)^2; positive definite.
    torque_noise : array_like, shape () or (3,)
        White disturbance torque on each component, N m/sqrt(Hz), as in `lqg`.
    attitude_noise : array_like, shape () or (3,)
        Standard deviation of the measured attitude at a sample, rad; at most 1.
    sample : float
        Sampling period, s.
    rate_noise : array_like, shape () or (3,), optional
        Standard deviation of the measured rate at a sample, rad/s. None: there is no rate sensor.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    internal : str
        "estimated" or "locked", as in `lqg`.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    anti_windup : bool
        False lets the integral wind up.

    Returns
    -------
    LinearFeedback
        The law; its states are those of the plant, past commands, and the integral.

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
    >>> law = lqgi(model, attitude=4, rate=1, effort=1, integral=0.1, **noise, sample=0.1)
    >>> law.compensator.order
    9
    """
    period, lag = check_timing(sample, delay)
    choice("internal", internal, ("estimated", "locked"))
    plant = design_plant(model, internal=internal)
    weights = weighed(attitude, rate, effort=effort)
    on_integral = definite("integral weight", integral)
    torque = each_positive("torque_noise", torque_noise, unit="N m/sqrt(Hz)")
    sensors = sensors_of(attitude_noise, rate_noise, sample=period)
    check_reachable(plant.model, sample=period)
    n = len(plant.A)
    F, G = sampled_plant(plant.A, plant.B, sample=period, delays=[lag] * 3)
    on_state, on_past, on_error = integral_regulator(plant, F, G, weights=weights, integral=on_integral, sample=period)
    C = plant.C[: len(sensors)]
    M = kalman_gain(plant.A, plant.B * (torque / plant.scale), C=C, sensors=sensors, sample=period)
    observer = Observer(flow=F[:n, :n], under_way=F[:n, n:], enter=G[:n], M=M, C=C, scale=plant.scale)
    realisable = np.asarray(np.linalg.inv(on_state[:, :3]), dtype=np.float64) if anti_windup else None
    law = LinearFeedback(
        observer.compensator(on_state, on_past, on_integral=on_error, sample=period, realisable=realisable),
        model,
        sample=period,
        delay=lag,
        saturation=saturation,
        design={
            "kind": "lqgi",
            "internal": internal,
            **weights.to_dict(),
            "integral_weight": on_integral.tolist(),
            "torque_noise_N_m_per_rtHz": torque.tolist(),
            **told(sensors),
        },
    )
    return require_stable(
        law,
        what=f"the regulator with integral action and an estimator (internal states {internal})",
        advice="make the weights less extreme" + (', or use internal="estimated"' if internal == "locked" else ""),
    )
