"""Calls from kernel to kernel by a number among the parameters: a law made of laws, a list of references.

Such a law or block lists in `calls` the indices of these numbers. The engine stores the address of compiled code there,
or for plain Python an id that is looked up here. So one kernel, compiled once, can call any other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

_known: WeakValueDictionary[int, Any] = WeakValueDictionary()


class KernelCall(NamedTuple):
    """A called kernel: its index in the parameters, its kind ("law" or "reference"), and the kernel."""

    place: int
    kind: str
    kernel: Callable[..., Any]


def call_code(function: Any) -> int:
    """Return the id by which plain Python finds a function. It is valid while the caller keeps the function alive."""
    _known[id(function)] = function
    return id(function)


def found(code: float) -> Any:
    """Return the function with this id."""
    return _known[int(code)]


def call_law(code: Any, t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Call the kernel of a law. Compiled code replaces this by a call of the address in `code`."""
    found(code)(t, y, r, q, z, u)


def call_reference(code: Any, t: Any, q: Any, r: Any) -> None:
    """Call the kernel of a reference. Compiled code replaces this by a call of the address in `code`."""
    found(code)(t, q, r)
