"""Disturbance observer: linear-quadratic regulator with an estimator of states and disturbance torque."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...plant import LinearModel
from ...plant.checks import each_positive
from ...plant.one_thread import one_thread
from ..laws.linear_feedback import LinearFeedback
from ..loop.sampled_plant import hold
from .estimated import Observer, estimated_plant, kalman_gain


@one_thread
def disturbance_observer(
    model: LinearModel,
    *,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    torque_noise: ArrayLike,
    torque_walk: ArrayLike,
    attitude_noise: ArrayLike,
    sample: float,
    rate_noise: ArrayLike | None = None,
    delay: float = 0.0,
    internal: str = "estimated",
    saturation: str = "component",
) -> LinearFeedback:
    """Design a sampled linear-quadratic regulator with a Kalman estimator of state and disturbance torque.

    The regulator and the estimator are the same as in `lqg`. The plant model of the estimator also contains a
    disturbance torque d that is a random walk, d' = white noise, and the estimate dhat is subtracted from the command:

        v = - K [xhat; past commands + dhat] - dhat.

    A constant disturbance torque leaves no attitude error, and dhat converges to that torque. The estimator uses the
    saturated command, so its states do not wind up at a torque limit.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`, with outputs attitude and rate.
    attitude, rate, effort : array_like, shape () or (3,) or (3, 3)
        Weights Wa per rad^2, Wr per (rad/s)^2, We per (N m)^2, as in `lqr`.
    torque_noise : array_like, shape () or (3,)
        White disturbance torque on each component, N m/sqrt(Hz), as in `lqg`.
    torque_walk : array_like, shape () or (3,)
        Random walk of the disturbance torque, N m/sqrt(s): the torque changes by torque_walk sqrt(T) (1 sigma) over a
        time T. A larger value makes the estimate faster, but noisier.
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

    Returns
    -------
    LinearFeedback
        The law. Its states are the plant states, the disturbance torque divided by the mean inertia, and past commands.

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
    >>> noise = {"torque_noise": 1e-3, "torque_walk": 1e-3, "attitude_noise": 1e-4}
    >>> law = disturbance_observer(model, attitude=4, rate=1, effort=1, **noise, sample=0.1)
    >>> law.compensator.order
    9
    """
    on = estimated_plant(
        model, attitude=attitude, rate=rate, effort=effort, torque_noise=torque_noise, attitude_noise=attitude_noise,
        sample=sample, rate_noise=rate_noise, delay=delay, internal=internal,
    )  # fmt: skip
    walk = each_positive("torque_walk", torque_walk, unit="N m/sqrt(s)")
    plant, F, K, n = on.plant, on.F, on.regulator(), len(on.plant.A)
    # the plant extended by the disturbance torque, and the noise inputs of plant and torque
    A = np.zeros((n + 3, n + 3))
    A[:n, :n], A[:n, n:] = plant.A, plant.B
    drive = np.zeros((n + 3, 6))
    drive[:n, :3], drive[n:, 3:] = plant.B * (on.torque / plant.scale), np.diag(walk / plant.scale)
    none = np.zeros((3, F.shape[1] - n))
    C = np.hstack((on.C, np.zeros((len(on.C), 3))))
    observer = Observer(
        flow=hold(A, np.zeros((n + 3, 1)), duration=on.sample)[0],
        under_way=np.vstack((F[:n, n:], none)),
        enter=np.vstack((on.G[:n], np.zeros((3, 3)))),
        M=kalman_gain(A, drive, C=C, sensors=on.sensors, sample=on.sample),
        C=C,
        scale=plant.scale,
    )
    takes_off = np.eye(3) + sum((K[:, k : k + 3] for k in range(n, K.shape[1], 3)), np.zeros((3, 3)))
    return on.law(
        observer.compensator(-plant.scale * np.hstack((K[:, :n], takes_off)), -K[:, n:]),
        kind="disturbance-observer",
        what="a disturbance observer",
        saturation=saturation,
        more={"torque_walk_N_m_per_rts": walk.tolist()},
    )
