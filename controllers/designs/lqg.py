"""The linear-quadratic regulator on states that a Kalman estimator finds."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import choice, each_positive
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from ..laws.law import check_timing
from ..laws.linear_feedback import LinearFeedback
from ..laws.past_commands import remember
from ..loop.attitude_model import check_reachable
from ..loop.sampled_plant import sampled_plant
from .design_plant import DesignPlant, design_plant
from .lqr import attitude_cost, weighed
from .riccati import discrete_regulator, discrete_solution
from .stability_check import require_stable

__all__ = ["estimator", "lqg"]

Array = NDArray[np.float64]


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
    sensors = each_positive("attitude_noise", attitude_noise, unit="rad")
    _require_sense("attitude_noise", sensors, 1.0, "rad", "an error of that size is no small angle: are these degrees?")
    if rate_noise is not None:
        rates = each_positive("rate_noise", rate_noise, unit="rad/s")
        why = "half a turn in a sample; leave rate_noise out where there is no rate sensor"
        _require_sense("rate_noise", rates, np.pi / period, "rad/s", why)
        sensors = np.concatenate((sensors, rates))
    check_reachable(plant.model, sample=period)

    F, G = sampled_plant(plant.A, plant.B, sample=period, delays=[lag] * 3)
    n = len(plant.A)
    Q = np.zeros_like(F)
    Q[:n, :n] = attitude_cost(plant, weights)
    K = discrete_regulator(F, G, Q, R=weights.effort * plant.scale**2, sample=period)
    flow, C = F[:n, :n], plant.C[: len(sensors)]
    M = estimator(plant, torque / plant.scale, sensors=sensors, sample=period)
    law = LinearFeedback(
        _compensator(flow, F[:n, n:], G=G[:n], M=M, C=C, K=K, scale=plant.scale),
        model,
        sample=period,
        delay=lag,
        saturation=saturation,
        design={
            "kind": "lqg",
            "internal": internal,
            **weights.to_dict(),
            "torque_noise_N_m_per_rtHz": torque.tolist(),
            "attitude_noise_rad": sensors[:3].tolist(),
            "rate_noise_rad_s": None if rate_noise is None else sensors[3:].tolist(),
        },
    )
    return require_stable(
        law,
        what=f"the regulator with an estimator (internal states {internal})",
        advice="make the weights less extreme" + (', or use internal="estimated"' if internal == "locked" else ""),
    )


def estimator(plant: DesignPlant, torque: Array, *, sensors: Array, sample: float) -> Array:
    """Return the gain M of xhat = xp + M (y - C xp), stationary.

    torque (3,): square root of the spectral density of the torque noise, in scaled units.
    sensors (3,) or (6,): standard deviations of attitude and perhaps rate.
    sample: sampling period, s.
    -> (n, 3) or (n, 6): P C' (C P C' + R)^-1, P the stationary covariance before the measurement.
    Raises DesignError when the sensors do not see a mode that does not decay by itself.
    """
    with np.errstate(all="ignore"):  # noise beyond the arithmetic is refused in words below
        flow, noise = _process(plant.A, plant.B * torque, sample)
    C, R = plant.C[: len(sensors)], np.diag(sensors**2)
    try:
        P, _, poles = discrete_solution(flow.T, C.T, noise, R=R)
        if not float(np.abs(poles).max()) < 1.0:
            raise DesignError("an estimator pole does not decay")
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"the Kalman estimator has no stationary gain ({error}): a mode that does not decay is not seen by the "
            "sensors or not moved by the torque noise, or noise figures are too extreme"
        ) from error
    return np.asarray(np.linalg.solve(C @ P @ C.T + R, C @ P).T, dtype=np.float64)


def _process(A: Array, B: Array, sample: float) -> tuple[Array, Array]:
    """exp(A h) and the covariance that white noise through B builds up over h (Van Loan 1978)."""
    from scipy import linalg

    n = len(A)
    block = np.block([[-A, B @ B.T], [np.zeros((n, n)), A.T]]) * sample
    exponential = np.asarray(cast("Any", linalg).expm(block), dtype=np.float64)
    flow = exponential[n:, n:].T
    noise = flow @ exponential[:n, n:]
    return flow, 0.5 * (noise + noise.T)


def _compensator(flow: Array, under_way: Array, *, G: Array, M: Array, C: Array, K: Array, scale: float) -> Compensator:
    """States [xp; past commands, N m] from the filter and the regulator, all but the past in scaled units."""
    n, past = len(flow), under_way.shape[1]
    shift, enter = remember(past // 3)
    seen = M.shape[1]
    keep = np.eye(n) - M @ C
    out = np.hstack((-scale * K[:, :n] @ keep, -K[:, n:]))
    through = np.zeros((3, 6))
    through[:, :seen] = -scale * K[:, :n] @ M
    A = np.zeros((n + past, n + past))
    A[:n, :n] = flow @ keep
    A[:n, n:] = under_way / scale
    A[n:, n:] = shift
    B = np.zeros((n + past, 6))
    B[:n, :seen] = flow @ M
    sent = np.vstack((G / scale, enter))  # where the command enters, as it was sent
    return Compensator(A=A + sent @ out, B=B + sent @ through, C=out, D=through, tracking=sent)


def _require_sense(name: str, values: Array, most: float, unit: str, why: str) -> None:
    """A sensor this bad measures nothing."""
    if values.max() > most:
        raise InputError(f"{name} is {values.max():g} {unit}, beyond {most:.4g} {unit}: {why}")
