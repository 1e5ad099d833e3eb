"""Calls from one kernel to another through an entry of the parameters, such as from a law to other laws.

A law or block that calls kernels lists the indices of these entries in `calls`. The engine stores the address of
compiled code in each entry or, for plain Python, an id that is looked up here. A kernel that is compiled once can
therefore call any other kernel.
"""

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

_known: WeakValueDictionary[int, Any] = WeakValueDictionary()


class KernelCall(NamedTuple):
    """A called kernel: index of its entry in the parameters, kind ("law" or "reference"), and kernel."""

    place: int
    kind: str
    kernel: Callable[..., Any]


def call_code(function: Any) -> int:
    """Return the id by which plain Python finds a function.

    The id is valid as long as the caller keeps the function alive.
    """
    _known[id(function)] = function
    return id(function)


def found(code: float) -> Any:
    """Return the function with this id."""
    return _known[int(code)]


def call_law(code: Any, t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Call the kernel of a law. Compiled code calls the address in `code` in place of this function."""
    found(code)(t, y, r, q, z, u)


def call_reference(code: Any, t: Any, q: Any, r: Any) -> None:
    """Call the kernel of a reference. Compiled code calls the address in `code` in place of this function."""
    found(code)(t, q, r)
