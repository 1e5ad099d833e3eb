"""Addresses of users' kernels for the engine, compiled to C at first use or called as plain Python.

A kernel that cannot be translated (unreadable source, or an untranslatable construct) is called as Python, after
one notice on stderr that states the line and the remedy. A kernel whose arguments do not match its kind raises an
error.
"""

import ctypes
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...plant.errors import InputError
from ..runs.messages import say
from .c99.known_names import KnownNames
from .c99.refusal import NotTranslatedError
from .c99.stops import MOST_NUMBERS, Stop, sentence
from .kernel_arguments import check_arguments
from .kernel_store import load_library
from .python_kernel import python_address
from .raised import note_raised
from .toolchain import c_compiler
from .user_loads import LoadSet
from .user_text import ENTRY, LISTEN, UserText, kernel_text

_LOCK = threading.RLock()
_alive: list[Any] = []  # libraries, and Python functions called from C, kept for the life of the process

_Report = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.POINTER(ctypes.c_double))

SLOWER = 1000
"""Factor by which plain Python slows down a small kernel (13 and 38 us instead of 12 and 24 ns)."""


@dataclass
class _Known:
    """A kernel's address, its function, and the outside values with which it was compiled."""

    function: Any
    address: int
    names: KnownNames | None = None

    @property
    def is_current(self) -> bool:
        return self.names is None or self.names.unchanged()


_known: dict[tuple[str, Hashable], _Known] = {}


@cache
def can_compile() -> bool:
    """Return whether there is a C compiler; a missing compiler is reported once."""
    if c_compiler() is not None:
        return True
    say(
        "polhode: there is no C compiler (cc, gcc, clang, tcc, or CC), so user-defined functions run as plain Python, "
        "slowly; pip install ziglang installs one"
    )
    return False


def user_address(kind: str, function: "Callable[..., Any] | LoadSet") -> int:
    """Return the address of a user's kernel, a function with the signature of its kind.

    kind: "law", "reference", "block", "element" or "user" (a set of potentials and user forces). The kernel is compiled
    again when a value that it takes from its module or its closure has changed. Raises InputError when its arguments do
    not match its kind.
    """
    with _LOCK:
        key = kind, id(function)  # the address stays unique, since the function is kept
        found = _known.get(key)
        if found is None or not found.is_current:
            found = _known[key] = _made(kind, function, said=found is not None)
        return found.address


def _made(kind: str, function: "Callable[..., Any] | LoadSet", *, said: bool) -> _Known:
    if isinstance(function, LoadSet):
        function.check_arguments()
    else:
        check_arguments(kind, function)
    if not can_compile():
        return _as_python(kind, function)
    try:
        text = function.text() if isinstance(function, LoadSet) else kernel_text(kind, function)
    except NotTranslatedError as error:
        if not said:
            say(_slow(kind, function, error))
        return _as_python(kind, function)
    try:
        return _Known(function, _loaded(text), text.names)
    except InputError as error:
        if not said:
            say(_slow(kind, function, error))
        return _as_python(kind, function)


def _as_python(kind: str, function: "Callable[..., Any] | LoadSet") -> _Known:
    return _Known(function, python_address(kind, function.python() if isinstance(function, LoadSet) else function))


def _slow(kind: str, function: Any, error: InputError) -> str:
    """Return a sentence that says why a kernel is not compiled."""
    place, why = (error.place, error.why) if isinstance(error, NotTranslatedError) else ("", str(error))
    name = getattr(function, "__name__", type(function).__name__)
    names, are, run = ("potentials and user forces", "are", "run") if kind == "user" else (kind, "is", "runs")
    subject = f"{names} {name}" if kind == "user" else f"{names} {name!r}"
    return (
        f"polhode: the {subject} {are} not compiled and {run} as plain Python, about {SLOWER} times slower per call: "
        f"{place}{why}"
    )


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
