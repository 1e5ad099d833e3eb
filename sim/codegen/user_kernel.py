"""Users' kernels as addresses that the engine calls: compiled to C at first use, or plain Python without a compiler."""

import _thread
import ctypes
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ..exchange.toolchain import c_compiler
from ..messages import say
from .c99.kinds import Array
from .c99.pointers import SIGNATURES
from .c99.stops import MOST_NUMBERS, Stop, sentence
from .kernel_store import load_library
from .raised import note_raised
from .user_loads import LoadSet
from .user_text import ENTRY, LISTEN, UserText, kernel_text

__all__ = ["can_compile", "python_address", "user_address"]

_LOCK = threading.RLock()
_alive: list[Any] = []  # libraries, and functions of Python that C calls: for the life of the process

_Report = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.POINTER(ctypes.c_double))

_OUT = {"law": "u", "reference": "r", "block": "v", "user": "dx"}
"""What a kernel writes its answer into."""


@cache
def can_compile() -> bool:
    """Return whether there is a C compiler; that there is none is said once."""
    if c_compiler() is not None:
        return True
    say(
        "polhode: there is no C compiler (cc, gcc, clang, tcc, or CC), so functions of your own run as plain Python, "
        "slowly; pip install ziglang brings one"
    )
    return False


def user_address(kind: str, function: "Callable[..., Any] | LoadSet") -> int:
    """Return the address of a user's kernel, a function of C with the signature of its kind.

    kind: "law", "reference", "block", "element" or "user", a set of potentials and efforts. Raises InputError when it
    has no C, naming the line and the way out.
    """
    text = function.text() if isinstance(function, LoadSet) else kernel_text(kind, function)
    with _LOCK:
        return _loaded(text)


def _loaded(text: UserText) -> int:
    library = load_library(text.text)
    report = _Report(_reporter(text.stops))
    getattr(library, LISTEN)(report)
    _alive.append((library, report))
    return int(ctypes.cast(getattr(library, ENTRY), ctypes.c_void_p).value or 0)


def _reporter(stops: Sequence[Stop]) -> Callable[[int, Any], None]:
    def report(code: int, numbers: Any) -> None:
        note_raised(sentence(stops[code], numbers[:MOST_NUMBERS]))

    return report


def python_address(kind: str, function: Callable[..., Any]) -> int:
    """Return the address of a function of Python, for where nothing can be compiled: C calls it as it is.

    What it raises is noted for the run, as of a compiled one.
    """
    signature = SIGNATURES[kind]
    types: list[Any] = []
    for each in signature.arguments.values():
        number = ctypes.c_int64 if getattr(each, "name", "") == "integer" else ctypes.c_double
        types += [ctypes.c_void_p, ctypes.c_int64] if isinstance(each, Array) else [number]
    kinds = list(signature.arguments.items())

    def call(*given: Any) -> None:
        rest, arguments = iter(given), dict[str, Any]()
        for name, each in kinds:
            arguments[name] = _row(next(rest), next(rest)) if isinstance(each, Array) else next(rest)
        if kind == "law":
            arguments["u"] = arguments["u"][:3]
        answer = arguments[_OUT.get(kind, "w")]
        if kind in ("law", "reference", "block"):
            answer[:] = np.nan
        try:
            with np.errstate(all="ignore"):  # as compiled: what is not finite is found and said
                function(*arguments.values())
        except BaseException as error:  # noqa: BLE001 # a function of the user's own may raise anything
            cause = error.__cause__ if isinstance(error, InputError) and error.__cause__ is not None else error
            words = str(cause)
            note_raised(f"{type(cause).__name__}{': ' if words else ''}{words}")
            answer[: None if kind == "element" else 1] = np.nan
            if isinstance(error, KeyboardInterrupt):
                _thread.interrupt_main()

    made = ctypes.CFUNCTYPE(None, *types)(call)
    _alive.append(made)
    return int(ctypes.cast(made, ctypes.c_void_p).value or 0)


def _row(address: int | None, size: int) -> NDArray[np.float64]:
    if not address or size <= 0:
        return np.zeros(0)
    return np.ctypeslib.as_array((ctypes.c_double * size).from_address(address))
