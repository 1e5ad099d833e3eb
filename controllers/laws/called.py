"""Kernels that call other kernels, known to them by a number among their own: a law made of laws, a list of references.

Such a law or block says in `calls` where in its numbers they stand. The engine puts the address of compiled code there,
or for plain Python a number by which it is found here, so that one kernel compiled once fits all that it may call.
"""

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

__all__ = ["Called", "call_code", "call_law", "call_reference", "found"]

_known: WeakValueDictionary[int, Any] = WeakValueDictionary()


class Called(NamedTuple):
    """A kernel that is called: its place in the numbers, "law" or "reference", and the kernel."""

    place: int
    kind: str
    kernel: Callable[..., Any]


def call_code(function: Any) -> int:
    """Return the number by which plain Python finds a function, for as long as somebody else keeps it."""
    _known[id(function)] = function
    return id(function)


def found(code: float) -> Any:
    """Return the function of a number."""
    return _known[int(code)]


def call_law(code: Any, t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Call the kernel of a law. Compiled code replaces this by a call of the address in `code`."""
    found(code)(t, y, r, q, z, u)


def call_reference(code: Any, t: Any, q: Any, r: Any) -> None:
    """Call the kernel of a reference. Compiled code replaces this by a call of the address in `code`."""
    found(code)(t, q, r)
