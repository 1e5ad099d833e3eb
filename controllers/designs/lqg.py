"""Linear-quadratic regulator that uses the state estimate of a Kalman estimator."""

from __future__ import annotations

from numpy.typing import ArrayLike

from ...plant import LinearModel
from ...plant.one_thread import one_thread
from ..laws.linear_feedback import LinearFeedback
from .estimated import estimated_plant


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
    """Design a sampled linear-quadratic regulator with a Kalman estimator of the full state.

    The regulator is the `lqr` regulator on all states of the plant, elements included. The estimator uses the exactly
    discretised plant and the saturated values of the past commands. The estimator processes each measurement before the
    command of the same sample is computed:

        xhat = xp + M (y - C xp),    v = - K [xhat; past commands],    xp[k+1] = F xhat + G [saturated commands].

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
        Standard deviation of the measured rate at a sample, rad/s, at most pi / sample. None for a spacecraft without a
        rate sensor: the rate is then estimated from the attitude.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    internal : str
        "estimated": the states of elements are estimated. "locked": the estimator's model omits them.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.

    Returns
    -------
    LinearFeedback
        The law. Its first states are the plant states.

    Raises
    ------
    InputError
        When a value is not positive, a shape is wrong, or a sensor is too noisy to be useful.
    DesignError
        When a weight is not positive definite, a mode is not controllable or not observable, the sampling is too slow,
        or the loop with all states of the plant is not stable.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)))
    >>> model = craft.linearize(craft.at_rest())
    >>> noise = {"torque_noise": 1e-3, "attitude_noise": 1e-4}
    >>> law = lqg(model, attitude=4, rate=1, effort=1, **noise, sample=0.1)
    >>> law.compensator.order, bool(law.compensator.D[:, 3:].any())
    (6, False)
    """
    on = estimated_plant(
        model, attitude=attitude, rate=rate, effort=effort, torque_noise=torque_noise, attitude_noise=attitude_noise,
        sample=sample, rate_noise=rate_noise, delay=delay, internal=internal,
    )  # fmt: skip
    K, n = on.regulator(), len(on.plant.A)
    compensator = on.observer().compensator(-on.plant.scale * K[:, :n], -K[:, n:])
    return on.law(compensator, kind="lqg", what="an estimator", saturation=saturation)
