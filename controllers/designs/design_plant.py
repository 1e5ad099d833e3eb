"""The plant model of a design: all acting states, or those of the craft with its elements locked."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.brief import brief
from ...plant.checks import choice
from ...plant.errors import DesignError
from ...plant.frozen import frozen_arrays
from ..loop.acting_model import acting_model, internal_states, is_rigid, measurement, with_states
from ..loop.attitude_model import ATTITUDE_STATES, scaled
from ..loop.wheel_torque import driven_momenta, from_outside

Array = NDArray[np.float64]

INTERNAL = ("locked", "measured", "estimated")
"""Treatment of the elements' states in a design: locked to the body, measured, or estimated."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class DesignPlant:
    """x' = A x + B u with momenta and torques in units of the mean inertia.

    model: the states used in the design, in SI units.
    A, B: the scaled plant.
    C (6 + e, n): maps the states to the measurement [delta; omega deviation; internal states].
    scale: torque = scale times scaled torque.
    measured: names of the measured internal states.
    """

    model: LinearModel
    A: Array
    B: Array
    C: Array
    scale: float
    measured: tuple[str, ...]

    __repr__ = brief

    @property
    def from_measurement(self) -> Array:
        """Matrix from the measurement to the states, for full state feedback: the inverse of C."""
        return np.asarray(np.linalg.inv(self.C), dtype=np.float64)


def design_plant(model: LinearModel, *, internal: str) -> DesignPlant:
    """Return the plant for a design.

    model: `craft.linearize(...)`.
    Where wheels give the torque, the model contains their friction only as far as the total momentum determines it.

    internal: "locked": elements move with the body, and its position is held. "measured": full state feedback, internal
        states included. "estimated": the full state, of which only attitude and rate are measured.
    For a rigid craft all three are the same.
    Raises InputError when internal is none of these; DesignError when states are missing, or the elements cannot be
    locked.
    """
    choice("internal", internal, INTERNAL)
    inner = _without_wheels(acting_model(model), model)
    if internal == "locked" and internal_states(inner):
        inner = locked_model(acting_model(model if inner.torques.internal else from_outside(model), constants=True))
    measured = internal_states(inner) if internal == "measured" else ()
    A, B, T, scale = scaled(inner)
    return DesignPlant(model=inner, A=A, B=B, C=measurement(inner, measured) * T, scale=scale, measured=measured)


def _without_wheels(inner: LinearModel, model: LinearModel) -> LinearModel:
    """Return the model without the momenta of the wheels that give the torque: a command cannot set them freely.

    The remainder, after the total momentum, is a motion of the wheels against each other or momentum that a field
    builds up. It decays by friction, or is unloaded. Margins include it.
    """
    wheels = {model.states[n] for n in driven_momenta(model)} if model.torques.internal else set[str]()
    wheels -= {*ATTITUDE_STATES}
    if inner.torques.internal or not wheels & {*inner.states}:
        return inner
    keep = [n for n, name in enumerate(inner.states) if name not in wheels]
    return with_states(inner, keep)


def locked_model(model: LinearModel) -> LinearModel:
    """Return the six-state model of a craft whose elements are fixed relative to the body.

    With omega = W_pi pi + W_p p, the momenta p of elements that follow the body give omega = J^-1 pi, with J the locked
    inertia. Elements act on pi through omega only, so no more of them is needed. Where a spring couples the attitude to
    the position, the position is held too.

    model: from `acting_model`, with the constants of the motion, and with the rate among its outputs.
    -> states attitude error and momentum; about a spin it includes the gyroscopic torque of the wheels' momentum.
    Raises DesignError when elements act on the momentum other than through the rate.
    """
    internal = internal_states(model)
    if is_rigid(model) or not internal:
        return model
    six = [n for n, name in enumerate(model.states) if name not in internal]
    momenta = [n for n, name in enumerate(model.states) if name in internal and name.endswith("_momentum")]
    W = measurement(model)[3:]
    inverse = np.linalg.inv(model.inertia)
    if not momenta:  # position only
        inverse = W[:, six[3:]]
    follow, *_ = np.linalg.lstsq(W[:, momenta], inverse - W[:, six[3:]], rcond=None)
    left_over = W[:, momenta] @ follow - (inverse - W[:, six[3:]])
    through = np.linalg.lstsq(W[:, momenta].T, model.A[np.ix_(six[3:], momenta)].T, rcond=None)[0].T
    direct = through @ W[:, momenta] - model.A[np.ix_(six[3:], momenta)]
    size = np.abs(model.A[six[3:]]).max() + 1e-300
    if np.abs(left_over).max() > 1e-9 * np.abs(inverse).max() or np.abs(direct).max(initial=0.0) > 1e-9 * size:
        raise DesignError(
            f"the elements ({', '.join(internal)}) act on the momentum other than through the rate, so there is no "
            'model with them locked; design with internal="measured", or lqg'
        )
    A = model.A[np.ix_(six, six)].copy()
    A[:, 3:] += model.A[np.ix_(six, momenta)] @ follow
    C = model.C[:, six].copy()
    C[:, 3:] += model.C[:, momenta] @ follow
    return replace(
        model,
        A=A,
        B=model.B[six],
        C=C,
        states=tuple(model.states[n] for n in six),
        state_units=tuple(model.state_units[n] for n in six),
    )
