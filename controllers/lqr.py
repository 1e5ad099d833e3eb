"""The linear-quadratic regulator of the exactly sampled plant, by python-control."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..plant import LinearModel
from ..plant.checks import weight
from ..plant.errors import DesignError
from .attitude_model import attitude_model, check_reachable, state_scale
from .law import check_timing
from .linear_feedback import LinearFeedback
from .sampled import sampled_plant
from .weights import Weights

__all__ = ["lqr"]

Array = NDArray[np.float64]


def lqr(
    model: LinearModel,
    *,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    sample: float,
    delay: float = 0.0,
) -> LinearFeedback:
    """Design a sampled linear-quadratic regulator.

    The plant is discretised exactly (zero-order hold; the delay, whole samples and fraction, as held commands
    in the state) and the gain minimises the sum over samples of

        delta' Wa delta + (rate deviation)' Wr (rate deviation) + u' We u.

    With a delay the gain acts on the commands under way too, and the law remembers them: the regulator then
    predicts the state that its command will meet. As the sampling period goes to zero the gain approaches
    that of the continuous regulator with the same weights.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`, with outputs attitude and rate.
    attitude : array_like, shape (), (3,) or (3, 3)
        Wa on the attitude error delta, per rad^2; positive definite.
    rate : array_like, shape (), (3,) or (3, 3)
        Wr on the rate deviation, per (rad/s)^2; zero or positive.
    effort : array_like, shape (), (3,) or (3, 3)
        We on the torque components, per (N m)^2; positive definite.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.

    Returns
    -------
    LinearFeedback
        The law, with `margins()` and `closed_loop_poles()`.

    Raises
    ------
    InputError
        When a weight has the wrong shape or is negative, or sample or delay are out of range.
    DesignError
        When a weight that must be positive definite is not, when no torque reaches a mode, when the sampling
        is too slow for the plant, or when the model's outputs lack attitude or rate.
    """
    period, lag = check_timing(sample, delay)
    plant = attitude_model(model)
    weights = Weights(
        attitude=_definite("attitude weight", attitude),
        rate=weight("rate weight", rate, 3),
        effort=_definite("effort weight", effort),
    )
    check_reachable(plant, sample=period)

    scale = state_scale(plant.inertia)
    T = np.array([1.0, 1.0, 1.0, scale, scale, scale])
    F, G = sampled_plant(plant.A / T[:, None] * T, plant.B / T[:, None] * scale, sample=period, delays=[lag] * 3)
    C_attitude = _outputs(plant, "attitude_error") * T
    C_rate = _outputs(plant, "rate") * T
    Q = np.zeros_like(F)
    cost = C_attitude.T @ weights.attitude @ C_attitude + C_rate.T @ weights.rate @ C_rate
    Q[:6, :6] = 0.5 * (cost + cost.T)  # python-control refuses a product that is symmetric but for rounding
    R = weights.effort * scale**2
    K = _dlqr(F, G, Q, R, period)
    gain = np.hstack((K[:, :6] * scale / T, K[:, 6:]))
    return LinearFeedback(gain, plant, sample=period, delay=lag, weights=weights)


def _definite(name: str, value: ArrayLike) -> Array:
    matrix = weight(name, value, 3)
    values = np.linalg.eigvalsh(matrix)
    if float(values.min()) <= 1e-14 * float(values.max()):
        raise DesignError(
            f"{name} must be positive definite; its smallest eigenvalue is {float(values.min()):g}. "
            "Give every axis a weight above 0"
        )
    return matrix


def _outputs(model: LinearModel, quantity: str) -> Array:
    names = [f"{quantity}_{axis}" for axis in "xyz"]
    missing = [name for name in names if name not in model.outputs]
    if missing:
        raise DesignError(
            f"lqr weighs the outputs {', '.join(names)}; the model lacks {', '.join(missing)}: "
            'linearize with outputs=("attitude", "rate")'
        )
    return model.C[[model.outputs.index(name) for name in names], :]


def _dlqr(F: Array, G: Array, Q: Array, R: Array, sample: float) -> Array:
    import control

    size = float(np.abs(R).max())  # the cost may be multiplied by anything; this keeps its numbers near 1
    try:
        K, _, poles = cast("Any", control).dlqr(F, G, Q / size, R / size, method="scipy")
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"the Riccati equation of the regulator has no stabilising solution at sample {sample:g} s "
            f"({error}); make weights less extreme, or the sampling period shorter"
        ) from error
    radius = float(np.abs(poles).max())
    if not radius < 1.0:
        raise DesignError(
            f"the regulator does not stabilise the loop: pole modulus {radius:.9g} at sample {sample:g} s; "
            "make the weights less extreme, or the sampling period longer if it is many orders below the "
            "time scale"
        )
    return np.asarray(K, dtype=np.float64)
