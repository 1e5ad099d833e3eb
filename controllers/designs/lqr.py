"""Linear-quadratic regulator for the exactly discretised plant."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import choice, weight
from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from ..contracts.checks import check_timing
from ..contracts.past_commands import with_past_commands
from ..laws.linear_feedback import LinearFeedback
from ..loop.acting_model import acting_model, is_rigid
from ..loop.attitude_model import check_reachable
from ..loop.sampled_plant import sampled_plant
from .design_plant import DesignPlant, design_plant
from .riccati import definite, discrete_regulator, regulator
from .stability_check import require_stable
from .weights import Weights

Array = NDArray[np.float64]

METHODS = ("discrete", "continuous")


@one_thread
def lqr(
    model: LinearModel,
    *,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    sample: float,
    delay: float = 0.0,
    method: str = "discrete",
    internal: str = "locked",
    saturation: str = "component",
) -> LinearFeedback:
    """Design a sampled linear-quadratic regulator.

    The plant is discretised exactly: the command is held (zero-order hold), and commands delayed by whole samples and a
    fraction are part of the state. The gain minimises the sum over samples of

        delta' Wa delta + (rate deviation)' Wr (rate deviation) + u' We u.

    If there is a delay, the gain also acts on the delayed commands, which the law stores. The regulator thus predicts
    the state at the time when its command takes effect. As the sampling period goes to zero, the gain approaches that
    of the continuous regulator with the same weights.

    A spacecraft that has elements (wheels, rings, flexible modes) or is tied by springs has internal states. The design
    either locks the elements to the body, which requires no further sensors, or feeds the internal states back. The
    law's stability check, poles and margins include these states in both cases. `lqg` estimates them.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`, with outputs attitude and rate.
    attitude : array_like, shape (), (3,) or (3, 3)
        Weight Wa on the attitude error delta, per rad^2; positive definite.
    rate : array_like, shape (), (3,) or (3, 3)
        Weight Wr on the rate deviation, per (rad/s)^2; positive semidefinite.
    effort : array_like, shape (), (3,) or (3, 3)
        Weight We on the torque components, per (N m)^2; positive definite.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    method : str
        "discrete", or "continuous": the gain of the continuous regulator, which minimises the integral of the same cost
        and neglects the delay, applied at the samples.
    internal : str
        "locked" or "measured", as described above.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.

    Returns
    -------
    LinearFeedback
        The law, with `margins()` and `closed_loop_poles()`.

    Raises
    ------
    InputError
        When a weight has the wrong shape or is negative, or sample or delay is out of range.
    DesignError
        When `attitude` or `effort` is not positive definite, a mode is not controllable, the sampling is too slow for
        the plant or for the continuous gain, or the model's outputs lack attitude or rate.

    Examples
    --------
    For the double integrator, the gains are sqrt(q/r) on the angle and sqrt((w + 2 J sqrt(q r)) / r) on the rate.

    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 8, 8)))
    >>> law = lqr(craft.linearize(craft.at_rest()), attitude=4, rate=0, effort=1, sample=0.1, method="continuous")
    >>> law.compensator.D[0, ::3].round(9).tolist()
    [-2.0, -5.656854249]
    """
    period, lag = check_timing(sample, delay)
    choice("method", method, METHODS)
    choice("internal", internal, ("locked", "measured"))
    plant = design_plant(model, internal=internal)
    weights = weighed(attitude, rate, effort=effort)
    check_reachable(plant.model, sample=period)
    R = weights.effort * plant.scale**2
    n = len(plant.A)
    if method == "continuous":
        gain = regulator(plant.A, plant.B, attitude_cost(plant, weights), R=R)
    else:
        F, G = sampled_plant(plant.A, plant.B, sample=period, delays=[lag] * 3)
        Q = np.zeros_like(F)
        Q[:n, :n] = attitude_cost(plant, weights)
        gain = discrete_regulator(F, G, Q, R=R, sample=period)

    def at(h: float) -> LinearFeedback:
        return _law(gain, plant, model, weights=weights, sample=h, delay=lag, saturation=saturation)

    law = at(period)
    if method == "continuous":
        return require_stable(law, what="the continuous gain", at=at)
    if not plant.measured and is_rigid(acting_model(model)):
        return law
    return require_stable(
        law,
        what=f"the regulator (internal states {internal})",
        advice='lower the weights on attitude and rate, or use internal="measured" or lqg',
    )


def _law(
    K: Array,
    plant: DesignPlant,
    model: LinearModel,
    *,
    weights: Weights,
    sample: float,
    delay: float,
    saturation: str,
) -> LinearFeedback:
    """Return the law u = -K [states; past commands], with K in scaled units."""
    n = len(plant.A)
    design = {"kind": "lqr", "internal": "measured" if plant.measured else "locked", **weights.to_dict()}
    if plant.measured:
        return LinearFeedback(
            with_past_commands(-plant.scale * K[:, :n] @ plant.from_measurement, -K[:, n:]),
            model,
            sample=sample,
            delay=delay,
            measured=plant.measured,
            saturation=saturation,
            design=design,
        )
    on_states = np.array(K[:, :6])
    if is_rigid(plant.model):
        on_states[:, :3] *= plant.scale
    else:  # convert the gain on momentum to one on rate, with the locked inertia
        on_states = plant.scale * on_states @ plant.from_measurement
        on_states[:, 3:] = on_states[:, 3:] @ np.linalg.inv(plant.model.inertia)
    gain = np.hstack((on_states, K[:, 6:]))
    return LinearFeedback.from_gain(gain, model, sample=sample, delay=delay, saturation=saturation, design=design)


def weighed(attitude: ArrayLike, rate: ArrayLike, *, effort: ArrayLike) -> Weights:
    """Return checked weights.

    attitude, rate, effort (), (3,) or (3, 3): as in `lqr` -> weights as matrices (3, 3).
    """
    return Weights(
        attitude=definite("attitude weight", attitude),
        rate=weight("rate weight", rate, 3),
        effort=definite("effort weight", effort),
    )


def attitude_cost(plant: DesignPlant, weights: Weights) -> Array:
    """Return the weight Q (n, n) on the scaled states of a design plant.

    weights: on attitude and rate. Raises DesignError when the model's outputs lack attitude or rate.
    """
    names = [f"{quantity}_{axis}" for quantity in ("attitude_error", "rate") for axis in "xyz"]
    missing = [name for name in names if name not in plant.model.outputs]
    if missing:
        raise DesignError(
            f"lqr weighs the outputs {', '.join(names)}; the model lacks {', '.join(missing)}: "
            'linearize with outputs=("attitude", "rate")'
        )
    on_attitude, on_rate = plant.C[:3], plant.C[3:6]
    return on_attitude.T @ weights.attitude @ on_attitude + on_rate.T @ weights.rate @ on_rate
