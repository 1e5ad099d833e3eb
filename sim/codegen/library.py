"""The compiled library of the engine: addresses of its functions."""

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = [
    "entry_address",
    "has_library",
    "kernel_address",
    "simd_address",
    "simd_symbol_of",
    "simd_width",
    "symbol_of",
]


def symbol_of(kernel: Callable[..., Any]) -> str:
    """Return the name that a kernel has in the library."""
    return f"polhode_{kernel.__module__}_{kernel.__qualname__}".replace("polhode_polhode.", "polhode_").replace(
        ".", "_"
    )


def simd_symbol_of(kernel: Callable[..., Any]) -> str:
    """Return the name that a kernel for several runs at once has in the library."""
    return f"{symbol_of(kernel)}_simd"


@cache
def _library() -> Any:
    if os.environ.get("POLHODE_ENGINE") == "jit":
        return None
    from .library_store import library_path

    path = library_path()
    try:
        return None if path is None else ctypes.CDLL(str(path))
    except OSError as error:  # damaged, or of another C library
        print(f"polhode: the engine's library cannot be loaded: {error}", file=sys.stderr)  # noqa: T201 # slow from here on
        return None


def has_library() -> bool:
    """Return whether the engine's library is there, built if the sources changed."""
    return _library() is not None


def _address(symbol: str) -> int:
    return int(ctypes.cast(getattr(_library(), symbol), ctypes.c_void_p).value or 0)


def entry_address(name: str) -> int:
    """Return the address of an entry, such as "advance_entry"."""
    return _address(f"polhode_{name}")


def kernel_address(kernel: Callable[..., Any]) -> int | None:
    """Return the address of a kernel of polhode; None of any other."""
    try:
        return _address(symbol_of(kernel))
    except AttributeError:
        return None


def simd_address(kernel: Callable[..., Any]) -> int | None:
    """Return the address of a kernel for several runs at once; None where the library has none."""
    try:
        return _address(simd_symbol_of(kernel))
    except AttributeError:
        return None


@cache
def simd_width() -> int:
    """Return how many runs the library simulates in a vector register; 0 where it has no code for that."""
    if not has_library():
        return 0
    try:
        width = _library().polhode_simd_width
    except AttributeError:  # built by a compiler without vector types
        return 0
    width.restype = ctypes.c_int64
    return int(width())
