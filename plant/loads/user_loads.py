"""User-defined potentials and user forces as one plain Python function of the plant's state.

This is the uncompiled form, which also accepts complex numbers; `polhode.sim` compiles the same functions for its loop.
`polhode.plant.hub.place` defines the points of application. The functions receive read-only arrays.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..hub.dynamics import add_load
from ..hub.parameters import W_V
from ..hub.place import hub_centre, whole_centre
from .faults import begin_call, end_call
from .potentials.user_potential import Potential, potential_load, value_and_slope
from .user_force import UserForce


def function_name(function: Any) -> str:
    """Return the name of a user function, for messages."""
    return str(getattr(function, "__name__", type(function).__name__))


def python_user_loads(
    potentials: Sequence[Potential], user_forces: Sequence[UserForce]
) -> Callable[[float, Any, Any, Any, Any], None]:
    """Return loads(t, x, p, dx, w), which adds all user-defined loads to the rates of change.

    potentials: user-defined potentials; user_forces: user-defined torques and forces -> loads(t, x, p, dx, w). A result
    that is not finite leaves dx[0] NaN (see `polhode.plant.loads.faults`). An exception in a function is re-raised as
    an InputError that names the function.
    """

    def loads(t: float, x: Any, p: Any, dx: Any, w: Any) -> None:
        e = _frozen_copy(x[3:7])
        c = _frozen_copy(whole_centre(x, p, w)) if potentials else None
        for which, potential in enumerate(potentials, start=1):
            saved = begin_call(t, which, x, p, dx, w)
            with _attribute_errors("potential", potential.function, t):
                value, slope = value_and_slope(potential, c, e)
                _require(slope, 7)
            end_call(saved, p, dx, w, *slope, value)
            add_load(x, p, dx, w, False, *potential_load(*e, *slope))
        if user_forces:
            at = int(p[W_V])
            omega, centre = _frozen_copy(w[at : at + 3]), hub_centre(x, p, w)
            c, v = _frozen_copy(centre[:3]), _frozen_copy(centre[3:])
            for which, effort in enumerate(user_forces, start=1 + len(potentials)):
                saved = begin_call(t, which, x, p, dx, w)
                with _attribute_errors("user force", effort.function, t):
                    numbers = effort.function(t, e, omega, c, v)
                    _require(numbers, 6)
                end_call(saved, p, dx, w, *numbers, 0.0, 0.0)
                add_load(x, p, dx, w, True, *numbers)

    return loads


def user_energy(potentials: Sequence[Potential], x: Any, p: Any, w: Any) -> float:
    """Return the sum of the user-defined potentials at a state, J; `w` holds the velocities at that state."""
    if not potentials:
        return 0.0
    c, e = _frozen_copy(whole_centre(x, p, w)), _frozen_copy(x[3:7])
    return sum(float(potential.function(c, e)) for potential in potentials)


def _frozen_copy(numbers: Any) -> NDArray[Any]:
    """Return a read-only copy of an array."""
    array = np.array(numbers)
    array.flags.writeable = False
    return array


@contextmanager
def _attribute_errors(kind: str, function: Any, t: float) -> Generator[None]:
    """Raise the exceptions of a user function as InputError with the function's name."""
    try:
        yield
    except Exception as error:
        raise InputError(
            f"the {kind} {function_name(function)!r} raised {type(error).__name__} at t = {t:.9g} s: {error}"
        ) from error


def _require(numbers: Any, size: int) -> None:
    if len(numbers) != size:
        raise ValueError(f"the result has {len(numbers)} values instead of {size}")
