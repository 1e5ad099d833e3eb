"""Linear-quadratic regulator with integral action against constant disturbance torque."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import choice
from ...plant.one_thread import one_thread
from ..contracts.checks import check_timing
from ..laws.linear_feedback import LinearFeedback
from ..loop.attitude_model import check_reachable
from ..loop.sampled_plant import sampled_plant
from .design_plant import DesignPlant, design_plant
from .integral import with_integrators
from .lqr import attitude_cost, weighed
from .riccati import definite, discrete_regulator
from .stability_check import require_stable
from .weights import Weights

Array = NDArray[np.float64]


@one_thread
def lqi(
    model: LinearModel,
    *,
    attitude: ArrayLike,
    rate: ArrayLike,
    effort: ArrayLike,
    integral: ArrayLike,
    sample: float,
    delay: float = 0.0,
    internal: str = "locked",
    saturation: str = "component",
    anti_windup: bool = True,
) -> LinearFeedback:
    """Design a sampled linear-quadratic regulator with integral action.

    The exactly discretised plant, delay included, is extended by xi[k+1] = xi[k] + sample delta[k], and the gain
    minimises the sum over samples of

        delta' Wa delta + (rate deviation)' Wr (rate deviation) + u' We u + xi' Wi xi,

    so that a constant disturbance torque leaves no attitude error. Under saturation the integrators integrate only the
    error to which the limited torque can respond (see `polhode.controllers.designs.integral`).

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`, with outputs attitude and rate.
    attitude, rate, effort : array_like, shape (), (3,) or (3, 3)
        Weights Wa per rad^2, Wr per (rad/s)^2, We per (N m)^2, as in `lqr`.
    integral : array_like, shape (), (3,) or (3, 3)
        Weight Wi on the integral of the attitude error, per (rad s)^2; positive definite.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    internal : str
        "locked" or "measured", as in `lqr`.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    anti_windup : bool
        False switches anti-windup off.

    Returns
    -------
    LinearFeedback
        The law.

    Raises
    ------
    InputError
        When a weight has the wrong shape or is negative, or sample or delay is out of range.
    DesignError
        When a weight is not positive definite, a mode is not controllable, the sampling is too slow, or the loop with
        all states of the plant is not stable.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)))
    >>> law = lqi(craft.linearize(craft.at_rest()), attitude=4, rate=1, effort=1, integral=0.1, sample=0.1)
    >>> law.compensator.order
    3
    """
    period, lag = check_timing(sample, delay)
    choice("internal", internal, ("locked", "measured"))
    plant = design_plant(model, internal=internal)
    weights = weighed(attitude, rate, effort=effort)
    on_integral = definite("integral weight", integral)
    check_reachable(plant.model, sample=period)
    F, G = sampled_plant(plant.A, plant.B, sample=period, delays=[lag] * 3)
    on_state, on_past, on_error = integral_regulator(plant, F, G, weights=weights, integral=on_integral, sample=period)
    law = LinearFeedback(
        with_integrators(
            on_state @ plant.from_measurement,
            on_past,
            on_integral=on_error,
            sample=period,
            anti_windup=anti_windup,
        ),
        model,
        sample=period,
        delay=lag,
        measured=plant.measured,
        saturation=saturation,
        design={"kind": "lqi", "internal": internal, **weights.to_dict(), "integral_weight": on_integral.tolist()},
    )
    return require_stable(
        law,
        what=f"the regulator with integrators (internal states {internal})",
        advice='lower the weights, or use internal="measured" or lqg',
    )


def integral_regulator(
    plant: DesignPlant, F: Array, G: Array, *, weights: Weights, integral: Array, sample: float
) -> tuple[Array, Array, Array]:
    """Return the gains that map scaled states, past commands and the error integral to the command (N m).

    F, G: the discretised plant with delayed commands among its states; integral (3, 3): Wi. Raises DesignError when no
    stabilising gain exists.
    """
    n, size = len(plant.A), len(F)
    whole = np.zeros((size + 3, size + 3))
    whole[:size, :size] = F
    whole[size:, :n] = sample * plant.C[:3]
    whole[size:, size:] = np.eye(3)
    Q = np.zeros_like(whole)
    Q[:n, :n] = attitude_cost(plant, weights)
    Q[size:, size:] = integral
    enter = np.vstack((G, np.zeros((3, 3))))
    K = discrete_regulator(whole, enter, Q, R=weights.effort * plant.scale**2, sample=sample)
    return -plant.scale * K[:, :n], -K[:, n:size], -plant.scale * K[:, size:]
