"""Addresses of compiled functions: of the engine's entries, of kernels in its library, and of users' functions."""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ..codegen.library import entry_address, kernel_address

__all__ = ["address_of", "entry_function", "step_address"]


@cache
def address_of(kind: str, function: Callable[..., Any]) -> int:
    """Return the address of a function in C.

    kind: "law", "reference", "user" (loads), "element" or "block". function: a kernel, or the loads of
    `polhode.sim.codegen.compiled_loads`. One of polhode's own is in the engine's library; another is compiled, and kept
    on disk. Raises InputError when it cannot be compiled.
    """
    found = kernel_address(function)
    if found is not None:
        return found
    from ..codegen.user_kernel import can_compile, python_address, user_address

    return user_address(kind, function) if can_compile() else python_address(kind, function)


@cache
def entry_function(name: str) -> Callable[[int], int]:
    """Return an entry of the engine's library: a function of the address of its table, which returns an integer.

    name: such as "advance_entry"; see `polhode.sim.codegen.library_text`. Other threads run during the call.
    """
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(entry_address(name))


def step_address(entry: str) -> int:
    """Return the address of a step of its own, "implicit_entry" or "elliptic_entry"."""
    return entry_address(entry)
