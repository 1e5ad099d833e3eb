"""User-defined potentials and user forces of a spacecraft as one library."""

from collections.abc import Callable, Sequence
from typing import Any

from ...plant.errors import InputError
from ...plant.hub.dynamics import no_user_loads  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...plant.loads.potentials.user_potential import Potential
from ...plant.loads.user_force import UserForce
from ...plant.loads.user_loads import function_name, python_user_loads
from ...plant.spacecraft import Spacecraft
from . import user_load_kernels as kernels
from .c99.kinds import COMPLEX, REAL, Array, Bound, Kind, Several
from .c99.program import Program
from .c99.refusal import NotTranslatedError, refuse
from .c99.sources import source_of
from .c99.values import Value
from .kernel_arguments import require_arguments
from .user_text import UserText, argument_values, text_of

ROW, COMPLEX_ROW = Array(REAL, 1), Array(COMPLEX, 1)

Functions = tuple[tuple[Any, Any], ...]


class LoadSet:
    """Potentials and user forces of a spacecraft, combined in the C function loads(t, x, p, dx, w)."""

    def __init__(self, potentials: Sequence[Potential], efforts: Sequence[UserForce]) -> None:
        self.given = tuple(potentials), tuple(efforts)
        self.potentials: Functions = tuple((each.function, each.gradient) for each in potentials)
        self.efforts: tuple[Any, ...] = tuple(each.function for each in efforts)
        self.__name__ = ", ".join(map(function_name, [*(each for each, _ in self.potentials), *self.efforts]))

    def check_arguments(self) -> None:
        """Raise InputError if a function does not accept the arguments of a potential or user force."""
        for function, gradient in self.potentials:
            require_arguments("the potential", function, ("c", "e"))
            if gradient is not None:
                require_arguments("the gradient", gradient, ("c", "e"))
        for function in self.efforts:
            require_arguments("the user force", function, ("t", "e", "omega", "c", "v"))

    def python(self) -> Callable[..., Any]:
        """Return loads(t, x, p, dx, w) in plain Python, with gradients by dual numbers."""
        return python_user_loads(*self.given)

    def text(self) -> UserText:
        """Return the C text of the library.

        Raises NotTranslatedError when a function has no C translation or does not allow a complex step.
        """
        for each in (*(given or function for function, given in self.potentials), *self.efforts):
            if not hasattr(source_of(each), "__code__"):
                name = function_name(each)
                raise NotTranslatedError(f"{name!r} is an object, not a function; define it with def")
        for potential in self.given[0]:
            if potential.gradient is None and not potential.complex_step_safe:
                raise refuse(
                    source_of(potential.function),
                    None,
                    "compiled code loses its derivative (abs, np.linalg.norm, np.arctan2, a comparison); write a norm "
                    "as np.sqrt(c @ c), or give gradient=",
                )
        return text_of(self._lines, "user")

    def _lines(self, program: Program) -> Sequence[str]:
        lines: list[str] = []
        for which, (function, gradient) in enumerate(self.potentials, start=1):
            if gradient is not None:
                _require(program, gradient, (ROW, ROW), 7)
                lines.append(_load(program, kernels.gradient_load, gradient, which))
            else:
                _require(program, function, (COMPLEX_ROW, COMPLEX_ROW), 1)
                lines.append(_load(program, kernels.complex_step_load, function, which))
        for which, function in enumerate(self.efforts, start=1 + len(self.potentials)):
            _require(program, function, (REAL, ROW, ROW, ROW, ROW), 6)
            lines.append(_load(program, kernels.effort_load, function, which))
        return lines


def _require(program: Program, function: Callable[..., Any], kinds: Sequence[Kind], count: int) -> None:
    """Raise InputError if a function returns a wrong number of values."""
    program.roots.add(source_of(function))
    result = program.function(source_of(function), kinds).result
    found = len(result.items) if isinstance(result, Several) else 0 if result not in (REAL, COMPLEX) else 1
    if getattr(result, "name", "") in ("integer", "flag"):
        found = 1
    if found != count:
        raise InputError(f"{function_name(function)!r} returns {found} numbers, not {count}; return {count}")


def _load(program: Program, load: Any, function: Callable[..., Any], which: int) -> str:
    """Return the C line that calls one load."""
    plain = source_of(function)
    rows = argument_values("user")
    made = program.function(load, (Bound(plain), REAL, *(each.kind for each in rows.values())))
    return f"{made.call([Value(Bound(plain)), Value(REAL, f'{which}.0'), *rows.values()])};"


def load_set(craft: Spacecraft) -> "Callable[..., Any] | LoadSet":
    """Return the user-defined loads of a spacecraft; loads with equal functions are one object.

    A spacecraft without user-defined loads gets a kernel that does nothing.
    """
    if not craft.user_potentials and not craft.user_forces:
        return no_user_loads
    potentials = tuple((potential.function, potential.gradient) for potential in craft.user_potentials)
    key = potentials, tuple(effort.function for effort in craft.user_forces)
    if key not in _SETS:
        _SETS[key] = LoadSet(craft.user_potentials, craft.user_forces)
    return _SETS[key]


_SETS: dict[tuple[Functions, tuple[Any, ...]], LoadSet] = {}
