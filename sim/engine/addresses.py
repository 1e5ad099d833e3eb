"""Addresses of functions in C: of kernels in the engine's library, and of users' functions."""

from collections.abc import Callable
from functools import cache
from typing import Any

from ..codegen.library import has_library, kernel_address
from ..codegen.user_loads import LoadSet

__all__ = ["address_of"]


def address_of(kind: str, function: "Callable[..., Any] | LoadSet") -> int:
    """Return the address of a function in C.

    kind: "law", "reference", "user" (loads), "element" or "block". function: a kernel, or the loads of
    `polhode.sim.codegen.user_loads`. One of polhode's own is in the engine's library; another is compiled and kept on
    disk, or called as plain Python where it cannot be compiled. Raises InputError when it takes other arguments.
    """
    if not has_library():
        from ..machine.compiler import address_of as compiled_by_numba

        return compiled_by_numba(kind, function)  # pyright: ignore[reportArgumentType] # as it takes them
    found = _own_address(function) if _is_own(function) else None
    if found is not None:
        return found
    from ..codegen.user_kernel import user_address

    return user_address(kind, function)


_PACKAGE = __name__.rpartition(".sim.")[0]
_ROOMS = tuple(f"{_PACKAGE}.{room}." for room in ("plant", "controllers", "sim"))


def _is_own(function: Any) -> bool:
    """Whether a function is at the top of one of polhode's own modules."""
    if getattr(function, "__code__", None) is None:
        return False
    return str(function.__module__).startswith(_ROOMS) and "<locals>" not in function.__qualname__


@cache
def _own_address(function: Callable[..., Any]) -> int | None:
    return kernel_address(function)
