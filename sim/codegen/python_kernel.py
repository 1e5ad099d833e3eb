"""User-defined kernels that are not compiled: Python functions that the C engine calls."""

import _thread
import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from .c99.kinds import Array
from .c99.pointers import SIGNATURES
from .raised import note_raised

_alive: list[Any] = []  # Python functions called from C, kept for the life of the process

_OUT = {"law": "u", "reference": "r", "block": "v"}
"""Output array of each kind of kernel; it is filled with NaN so that missing values are detected."""

_MOST_VIEWS = 256


def python_address(kind: str, function: Callable[..., Any]) -> int:
    """Return the address by which C can call a Python function.

    A law, reference or block works on copies of its arrays, so that it cannot change its inputs and its outputs take
    effect only after it returns. An exception is recorded for the run, as for a compiled kernel.
    """
    signature = SIGNATURES[kind]
    types: list[Any] = []
    for each in signature.arguments.values():
        number = ctypes.c_int64 if getattr(each, "name", "") == "integer" else ctypes.c_double
        types += [ctypes.c_void_p, ctypes.c_int64] if isinstance(each, Array) else [number]
    call = _guarded(kind, function) if kind in _OUT else _direct(kind, function)
    made = ctypes.CFUNCTYPE(None, *types)(call)
    _alive.append(made)
    return int(ctypes.cast(made, ctypes.c_void_p).value or 0)


def _guarded(kind: str, function: Callable[..., Any]) -> Callable[..., None]:
    """Return a wrapper that calls a law, reference or block with copies of its arrays."""
    signature, answer = SIGNATURES[kind], _OUT[kind]
    names = list(signature.arguments)[1:]  # after the time
    view = _Views()

    def call(t: float, *places: Any) -> None:
        rows = [view(address, size) for address, size in zip(places[::2], places[1::2], strict=True)]
        own = [row.copy() for row in rows]
        for n, name in enumerate(names):
            if name == answer:
                if kind == "law":
                    rows[n], own[n] = rows[n][:3], own[n][:3]
                own[n].fill(np.nan)
                rows[n].fill(np.nan)
            elif name not in signature.writes:
                own[n].flags.writeable = False
        if _came_to_its_end(function, t, *own):
            for n, name in enumerate(names):
                if name in signature.writes:
                    rows[n][:] = own[n]

    return call


def _direct(kind: str, function: Callable[..., Any]) -> Callable[..., None]:
    """Return a wrapper that calls the loads or an element with the engine's own arrays."""
    kinds = list(SIGNATURES[kind].arguments.items())
    lost = "w" if kind == "element" else "dx"
    view = _Views()

    def call(*given: Any) -> None:
        rest, arguments = iter(given), dict[str, Any]()
        for name, each in kinds:
            arguments[name] = view(next(rest), next(rest)) if isinstance(each, Array) else next(rest)
        if not _came_to_its_end(function, *arguments.values()):
            arguments[lost][: None if kind == "element" else 1] = np.nan

    return call


def _came_to_its_end(function: Callable[..., Any], *arguments: Any) -> bool:
    """Call a function and return whether it completed; an exception is recorded."""
    try:
        with np.errstate(all="ignore"):  # as in compiled code: values that are not finite are detected and reported
            function(*arguments)
    except BaseException as error:  # noqa: BLE001 # a user-defined function may raise anything
        cause = error.__cause__ if isinstance(error, InputError) and error.__cause__ is not None else error
        words = str(cause)
        note_raised(f"{type(cause).__name__}{': ' if words else ''}{words}")
        if isinstance(error, KeyboardInterrupt):
            _thread.interrupt_main()
        return False
    return True


class _Views:
    """Arrays that view the engine's memory, cached by address and size; they are valid only during a call."""

    def __init__(self) -> None:
        self.known: dict[tuple[int | None, int], NDArray[np.float64]] = {}

    def __call__(self, address: int | None, size: int) -> NDArray[np.float64]:
        found = self.known.get((address, size))
        if found is None:
            if len(self.known) >= _MOST_VIEWS:
                self.known.clear()
            found = self.known[address, size] = _row(address, size)
        return found


def _row(address: int | None, size: int) -> NDArray[np.float64]:
    if not address or size <= 0:
        return np.zeros(0)
    return np.ctypeslib.as_array((ctypes.c_double * size).from_address(address))
