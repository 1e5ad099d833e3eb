"""The user's own potentials and efforts of a craft as one library."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ...plant.errors import InputError
from ...plant.loads.user_loads import function_name
from ...plant.spacecraft import Spacecraft
from . import user_load_kernels as kernels
from .c99.kinds import COMPLEX, REAL, Array, Bound, Kind, Several
from .c99.program import Program
from .c99.refusal import NotTranslatedError
from .c99.sources import source_of
from .c99.values import Value
from .user_text import UserText, argument_values, text_of

__all__ = ["LoadSet", "load_set"]

ROW, COMPLEX_ROW = Array(REAL, 1), Array(COMPLEX, 1)

Functions = tuple[tuple[Any, Any], ...]


class LoadSet:
    """Potentials, each with its gradient or None, and efforts: what stands for loads(t, x, p, dx, w) in C."""

    def __init__(self, potentials: Functions, efforts: tuple[Any, ...]) -> None:
        self.potentials, self.efforts = potentials, efforts
        self.__name__ = ", ".join([function_name(each) for each, _ in potentials] + [*map(function_name, efforts)])

    def text(self) -> UserText:
        """Return its library. Raises InputError when a function has no C."""
        for each in (*(given or function for function, given in self.potentials), *self.efforts):
            if not hasattr(source_of(each), "__code__"):
                raise InputError(f"{each!r} is not a plain function, so it cannot be compiled; run with compiled=False")
        return text_of("user", self.__name__, self._lines)

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
    """Refuse a function that returns another count of numbers."""
    result = program.function(source_of(function), kinds).result
    found = len(result.items) if isinstance(result, Several) else 0 if result not in (REAL, COMPLEX) else 1
    if getattr(result, "name", "") in ("integer", "flag"):
        found = 1
    if found != count:
        raise NotTranslatedError(f"{function_name(function)!r} returns {found} numbers, not {count}")


def _load(program: Program, load: Any, function: Callable[..., Any], which: int) -> str:
    """The line that calls one load."""
    plain = source_of(function)
    rows = argument_values("user")
    made = program.function(load, (Bound(plain), REAL, *(each.kind for each in rows.values())))
    return f"{made.call([Value(Bound(plain)), Value(REAL, f'{which}.0'), *rows.values()])};"


def load_set(craft: Spacecraft) -> LoadSet:
    """Return the user's own potentials and efforts of a craft; the same for crafts with the same functions."""
    potentials = tuple((potential.function, potential.gradient) for potential in craft.user_potentials)
    return _load_set(potentials, tuple(effort.function for effort in craft.efforts))


@cache
def _load_set(potentials: Functions, efforts: tuple[Any, ...]) -> LoadSet:
    return LoadSet(potentials, efforts)
