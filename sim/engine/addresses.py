"""Addresses of C functions: entries of the engine, kernels in its library, and user-defined functions."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ..codegen.library import entry_address, function_at, kernel_address

if TYPE_CHECKING:
    from ..codegen.user_loads import LoadSet


def address_of(kind: str, function: "Callable[..., Any] | LoadSet") -> int:
    """Return the address of a C function.

    kind: "law", "reference", "user" (loads), "element" or "block". function: a kernel, or the loads of
    `polhode.sim.codegen.user_loads`. Kernels of polhode are in the engine's library. Any other function is compiled and
    kept on disk, or called as plain Python if it cannot be compiled. Raises InputError if the arguments of the function
    do not match its kind.
    """
    found = _own_address(function) if callable(function) else None
    if found is not None:
        return found
    from ..codegen.user_kernel import user_address

    return user_address(kind, function)


@cache
def _own_address(function: Callable[..., Any]) -> int | None:
    return kernel_address(function)


@cache
def entry_function(name: str) -> Callable[[int], int]:
    """Return an entry of the engine's library, which maps the address of a table to a return code.

    name: for example "advance_entry"; see `polhode.sim.codegen.library_text`. Other threads run during a call.
    """
    return function_at(entry_address(name))


def step_address(entry: str) -> int:
    """Return the address of a step in a separate entry, "implicit_entry" or "elliptic_entry"."""
    return entry_address(entry)
