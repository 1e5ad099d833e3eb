"""The user's own potentials and efforts as one plain Python function of the plant's state.

This is the uncompiled form, also on complex numbers; `polhode.sim` compiles the same functions for its loop. Where they
act is said in `polhode.plant.hub.place`. A function is given arrays that it cannot write into.
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
from .effort import Effort
from .faults import begin_call, end_call
from .potentials.user_potential import Potential, potential_load, value_and_slope

__all__ = ["function_name", "python_user_loads", "user_energy"]


def function_name(function: Any) -> str:
    """Return the name of a user's function, for messages."""
    return str(getattr(function, "__name__", type(function).__name__))


def python_user_loads(
    potentials: Sequence[Potential], efforts: Sequence[Effort]
) -> Callable[[float, Any, Any, Any, Any], None]:
    """Return loads(t, x, p, dx, w), which adds all of them to the rates of change.

    potentials: the user's own potentials; efforts: the user's own torques and forces -> loads(t, x, p, dx, w) adds all
    their torques and forces to dx. What is not finite leaves dx[0] not a number (see `polhode.plant.loads.faults`); a
    function that raises makes it raise an InputError that names it.
    """

    def loads(t: float, x: Any, p: Any, dx: Any, w: Any) -> None:
        e = _given(x[3:7])
        c = _given(whole_centre(x, p, w)) if potentials else None
        for which, potential in enumerate(potentials, start=1):
            kept = begin_call(t, which, x, p, dx, w)
            with _in_the_name_of("potential", potential.function, t):
                value, slope = value_and_slope(potential, c, e)
                _require(slope, 7)
            end_call(kept, p, dx, w, *slope, value)
            add_load(x, p, dx, w, False, *potential_load(*e, *slope))
        if efforts:
            at = int(p[W_V])
            omega, centre = _given(w[at : at + 3]), hub_centre(x, p, w)
            c, v = _given(centre[:3]), _given(centre[3:])
            for which, effort in enumerate(efforts, start=1 + len(potentials)):
                kept = begin_call(t, which, x, p, dx, w)
                with _in_the_name_of("effort", effort.function, t):
                    found = effort.function(t, e, omega, c, v)
                    _require(found, 6)
                end_call(kept, p, dx, w, *found, 0.0, 0.0)
                add_load(x, p, dx, w, True, *found)

    return loads


def user_energy(potentials: Sequence[Potential], x: Any, p: Any, w: Any) -> float:
    """Return the sum of the user's own potentials at a state, J; `w` holds its velocities."""
    if not potentials:
        return 0.0
    c, e = _given(whole_centre(x, p, w)), _given(x[3:7])
    return sum(float(potential.function(c, e)) for potential in potentials)


def _given(numbers: Any) -> NDArray[Any]:
    """A copy that cannot be written into."""
    array = np.array(numbers)
    array.flags.writeable = False
    return array


@contextmanager
def _in_the_name_of(kind: str, function: Any, t: float) -> Generator[None]:
    """What a user's function raises, as an InputError that names it."""
    try:
        yield
    except Exception as error:
        raise InputError(
            f"the {kind} {function_name(function)!r} raised {type(error).__name__} at t = {t:.9g} s: {error}"
        ) from error


def _require(numbers: Any, size: int) -> None:
    if len(numbers) != size:
        raise ValueError(f"it returned {len(numbers)} numbers, not {size}")
