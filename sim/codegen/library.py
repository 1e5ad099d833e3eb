"""The compiled library of the engine: addresses of its functions.

If there is no library, everything runs as plain Python. POLHODE_PLAIN=1 selects this, for example to run a debugger or
to exclude the compiler as a cause.
"""

import ctypes
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ..runs.messages import say_from_main


def symbol_of(kernel: Callable[..., Any]) -> str:
    """Return the name of a kernel in the library."""
    return f"polhode_{kernel.__module__}_{kernel.__qualname__}".replace("polhode_polhode.", "polhode_").replace(
        ".", "_"
    )


def simd_symbol_of(kernel: Callable[..., Any]) -> str:
    """Return the library name of a kernel's SIMD version, which handles several runs simultaneously."""
    return f"{symbol_of(kernel)}_simd"


ROOMS = ("plant", "controllers", "sim")
"""Packages whose modules define the kernels of the library."""

_PACKAGE = __name__.rpartition(".sim.")[0]


def _is_own(function: Any) -> bool:
    """Return whether a function is defined at the top level of a polhode module (with a unique name)."""
    if getattr(function, "__code__", None) is None or "<locals>" in function.__qualname__:
        return False
    return str(function.__module__).startswith(tuple(f"{_PACKAGE}.{room}." for room in ROOMS))


@cache
def _library() -> Any:
    from .library_store import MissingLibraryError, library_path

    try:
        return _loaded(library_path())
    except MissingLibraryError as error:
        _say_once(str(error))
        return None


def _loaded(path: Path) -> Any:
    """Load a library. Raises MissingLibraryError if it cannot be loaded here or contains FMA contractions."""
    from .fusion_check import fused_outputs
    from .library_store import MissingLibraryError

    try:
        library = ctypes.CDLL(str(path))
        different = fused_outputs(library)
    except (OSError, AttributeError) as error:  # damaged, for another C library, or from another version of polhode
        raise MissingLibraryError(f"the engine's library cannot be loaded: {error}") from None
    if different:
        raise MissingLibraryError(
            f"the engine's library {path.name} fuses products with sums on this machine ({different} probe results "
            f"differ from plain arithmetic)"
        )
    return library


def _say_once(reason: str) -> None:
    """Write on stderr, in the main process of a campaign only, that there is no compiled engine."""
    say_from_main(f"polhode: {reason}; everything runs as plain Python instead, with the same results but slowly")


@cache
def _say_plain() -> None:
    say_from_main("polhode: POLHODE_PLAIN is set, so everything runs as plain Python, slowly")


def _is_plain() -> bool:
    return os.environ.get("POLHODE_PLAIN", "0") not in {"", "0"}


def announce_missing() -> None:
    """Write on stderr that there is no library for this machine, unless it would be built on demand."""
    from .library_store import can_build

    if not can_build():
        _library()


def has_library() -> bool:
    """Return whether the compiled engine is available, building its library if the sources changed.

    If there is no engine, or if POLHODE_PLAIN=1 is set, everything runs as plain Python after one notice.
    """
    if _is_plain():
        _say_plain()
        return False
    return _library() is not None


def _address(symbol: str) -> int:
    return int(ctypes.cast(getattr(_library(), symbol), ctypes.c_void_p).value or 0)


def entry_address(name: str) -> int:
    """Return the address of an entry function of the library, such as "advance_entry"."""
    return _address(f"polhode_{name}")


def function_at(address: int) -> Callable[[int], int]:
    """Return the entry function at an address, which maps the address of a table to a return code."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)


def exported_addresses() -> list[int]:
    """Return the addresses of all exported functions of the library, in the order of its text."""
    return addresses_in(_library())


def addresses_in(library: Any) -> list[int]:
    """Return the addresses of all exported functions of a loaded library, in the order of its text."""
    entry = library.polhode_addresses_entry
    entry.restype = ctypes.c_longlong
    found = (ctypes.c_longlong * int(entry(None)))()
    entry(found)
    return list(found)


def kernel_symbol(kernel: Callable[..., Any]) -> str | None:
    """Return the library name of a kernel of polhode; None for any other function."""
    return symbol_of(kernel) if _is_own(kernel) else None


def kernel_address(kernel: Callable[..., Any]) -> int | None:
    """Return the address of a kernel of polhode; None for any other function."""
    if not _is_own(kernel):
        return None
    try:
        return _address(symbol_of(kernel))
    except AttributeError:
        return None


def simd_address(kernel: Callable[..., Any]) -> int | None:
    """Return the address of a kernel's SIMD version; None if the library has no such version."""
    if not _is_own(kernel):
        return None
    try:
        return _address(simd_symbol_of(kernel))
    except AttributeError:
        return None


@cache
def simd_width() -> int:
    """Return the number of runs per vector register; 0 if the library has no vector code."""
    if not has_library():
        return 0
    try:
        width = _library().polhode_simd_width
    except AttributeError:  # built by a compiler without vector types
        return 0
    width.restype = ctypes.c_int64
    return int(width())
