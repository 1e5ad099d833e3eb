"""The engine's library with tangents: the same kernels, compiled with dual numbers in place of doubles.

A number of this library is a value followed by its derivatives in several directions, its tangents. Every value is
equal to that of the engine in every bit. There is no such library if the compiler of the installation had no C++; the
derivatives of runs are then central differences.
"""

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from .fusion_check import fused_outputs
from .library import addresses_in, entry_address, exported_addresses, function_at, has_library
from .library_store import tangents_path


@cache
def _library() -> Any:
    """Return the library, or None if it is missing, cannot be loaded, or contains FMA contractions."""
    path = tangents_path()
    if path is None:
        return None
    try:
        library = ctypes.CDLL(str(path))
        library.polhode_real_width.restype = ctypes.c_longlong
        width = int(library.polhode_real_width())
        return library if width > 1 and not fused_outputs(library, width=width) else None
    except (OSError, AttributeError):  # damaged, for another C library, or from another version of polhode
        return None


def tangents() -> int:
    """Return the number of tangents of a number; 0 if there is no library with tangents."""
    if not has_library() or _library() is None:
        return 0
    return int(_library().polhode_real_width()) - 1


@cache
def tangent_addresses() -> Mapping[int, int]:
    """Return the address of each exported function of the engine in the library with tangents, by its own address."""
    return dict(zip(exported_addresses(), addresses_in(_library()), strict=True))


@cache
def tangent_entry(name: str) -> Callable[[int], int]:
    """Return an entry of the library with tangents, which maps the address of a table to a return code."""
    return function_at(tangent_addresses()[entry_address(name)])
