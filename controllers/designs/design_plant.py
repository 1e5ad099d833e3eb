"""Plant model of a design, with all states that affect the loop or with locked elements."""

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
"""Options for the elements in a design: locked to the body, or with measured or estimated states."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class DesignPlant:
    """Plant x' = A x + B u of a design, with momenta and torques divided by the mean inertia.

    model: linear model of the design states, in SI units.
    A, B: the scaled plant.
    C (6 + e, n): maps the states to the measurement [delta; omega deviation; internal states].
    scale: factor from scaled torque to torque.
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

    If wheels produce the torque, the design plant contains only the part of their friction that the total momentum
    determines.

    internal: "locked": elements move with the body, and the position of the body is held. "measured": full state
        feedback, internal states included. "estimated": the full state, of which only attitude and rate are measured.

    For a rigid spacecraft the three options are equivalent.

    Raises InputError for any other value of internal; DesignError when states are missing, or the elements cannot be
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
    """Return the model without the momenta of the torque-producing wheels.

    A command cannot set these momenta freely.

    For a given total momentum, these momenta describe only the motion of the wheels relative to each other, and the
    momentum built up by an external field. Friction damps them, or unloading removes them. Margins include them.
    """
    wheels = {model.states[n] for n in driven_momenta(model)} if model.torques.internal else set[str]()
    wheels -= {*ATTITUDE_STATES}
    if inner.torques.internal or not wheels & {*inner.states}:
        return inner
    keep = [n for n, name in enumerate(inner.states) if name not in wheels]
    return with_states(inner, keep)


def locked_model(model: LinearModel) -> LinearModel:
    """Return the six-state model of a spacecraft whose elements are fixed relative to the body.

    The rate is omega = W_pi pi + W_p p. If the elements follow the body, their momenta p are such that
    omega = J^-1 pi, with J the locked inertia. Elements affect pi only through omega, so this relation suffices. If a
    spring couples the attitude to the position, the position is also held.

    model: from `acting_model`, including conserved quantities, and with the rate among the outputs.
    -> model with states attitude error and momentum; about a spin it includes the gyroscopic torque of the wheel
    momentum.

    Raises DesignError when elements affect the momentum other than through the rate.
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
            f"the elements ({', '.join(internal)}) act on the momentum other than through the rate, so no model "
            'with locked elements exists; design with internal="measured", or lqg'
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
