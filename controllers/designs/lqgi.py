"""Linear-quadratic regulator with integral action and a Kalman estimator."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...plant import LinearModel
from ...plant.one_thread import one_thread
from ..laws.linear_feedback import LinearFeedback
from .estimated import estimated_plant
from .lqi import integral_regulator
from .riccati import definite


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
    """Design a sampled linear-quadratic regulator with integral action and a Kalman estimator.

    The regulator is the same as in `lqi`, and the estimator the same as in `lqg`. The integrator xi integrates the
    measured attitude error delta,

        v = - K [xhat; past commands] - Ki xi,    xi[k+1] = xi + sample delta,

    so that a constant disturbance torque leaves no attitude error, although it biases the estimate: in steady state
    delta is zero, and - Ki xi balances the torque. Under saturation the integrators integrate only the error to which
    the limited torque can respond, delta + Kd^-1 (limited u - u), with Kd the regulator's gain on the attitude.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`, with outputs attitude and rate.
    attitude, rate, effort : array_like, shape () or (3,) or (3, 3)
        Weights Wa per rad^2, Wr per (rad/s)^2, We per (N m)^2, as in `lqr`.
    integral : array_like, shape () or (3,) or (3, 3)
        Weight Wi on the integral of the attitude error, per (rad s)^2; positive definite.
    torque_noise : array_like, shape () or (3,)
        White disturbance torque on each component, N m/sqrt(Hz), as in `lqg`.
    attitude_noise : array_like, shape () or (3,)
        Standard deviation of the measured attitude at a sample, rad; at most 1.
    sample : float
        Sampling period, s.
    rate_noise : array_like, shape () or (3,), optional
        Standard deviation of the measured rate at a sample, rad/s. None for a spacecraft without a rate sensor.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    internal : str
        "estimated" or "locked", as in `lqg`.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    anti_windup : bool
        False switches anti-windup off.

    Returns
    -------
    LinearFeedback
        The law. Its states are the plant states, past commands, and the integral.

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
    >>> law = lqgi(model, attitude=4, rate=1, effort=1, integral=0.1, **noise, sample=0.1)
    >>> law.compensator.order
    9
    """
    on = estimated_plant(
        model, attitude=attitude, rate=rate, effort=effort, torque_noise=torque_noise, attitude_noise=attitude_noise,
        sample=sample, rate_noise=rate_noise, delay=delay, internal=internal,
    )  # fmt: skip
    on_integral = definite("integral weight", integral)
    on_state, on_past, on_error = integral_regulator(
        on.plant, on.F, on.G, weights=on.weights, integral=on_integral, sample=on.sample
    )
    realisable = np.asarray(np.linalg.inv(on_state[:, :3]), dtype=np.float64) if anti_windup else None
    compensator = on.observer().compensator(
        on_state, on_past, on_integral=on_error, sample=on.sample, realisable=realisable
    )
    return on.law(
        compensator,
        kind="lqgi",
        what="integral action and an estimator",
        saturation=saturation,
        more={"integral_weight": on_integral.tolist()},
    )
