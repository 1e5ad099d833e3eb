# pyright: basic
# (numba has no type stubs, and this file is about nothing else)
"""Kernels made into machine code, kept on disk for the next process.

The engine is compiled with explicit signatures in a few entry points. Laws, references and whatever the user wrote
come in as addresses of functions with fixed signatures, so a new law never compiles the engine again.

The code is kept in the user's cache folder (POLHODE_CACHE_DIR overrides it) under a digest of every source file
that goes into it: a changed file, an upgrade or another numba never meets old code. numba's own cache looks at the
file of the outermost function only.
"""

import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ..plant.errors import InputError
from ..plant.kernel import INLINED, KERNELS

__all__ = [
    "advance_entry",
    "cache_folder",
    "law_address",
    "observe_entry",
    "reference_address",
    "user_address",
]

_LOCK = threading.RLock()
_MARKS = (
    b"@kernel",
    b"compiled into the kernels",
    b"numba",
)  # what a file that goes into compiled code contains
_KEEP_DIGESTS = 4
_registered: set[int] = set()


def _say(message: str) -> None:
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def _base_folder() -> Path:
    if os.environ.get("POLHODE_CACHE_DIR"):
        return Path(os.environ["POLHODE_CACHE_DIR"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "polhode"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "polhode"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polhode"


@cache
def _digest() -> str:
    import llvmlite
    import numba

    found = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {sys.version}".encode())
    root = Path(__file__).resolve().parent.parent
    for room in ("plant", "controllers", "sim"):
        for path in sorted((root / room).rglob("*.py")):
            source = path.read_bytes()
            if any(mark in source for mark in _MARKS):
                found.update(str(path.relative_to(root)).encode())
                found.update(source)
    return found.hexdigest()[:16]


@cache
def cache_folder() -> str | None:
    """Return the folder that keeps compiled code, or None where nothing can be written.

    Returns
    -------
    str or None
        A folder of this very version of the sources.
    """
    try:
        folder = _base_folder() / _digest()
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, RuntimeError):
        _say(
            "polhode: compiled code cannot be kept (no writable cache folder), so every process compiles anew; "
            "set POLHODE_CACHE_DIR to a writable folder"
        )
        return None
    others = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in [path for path in others if path.is_dir() and path != folder][_KEEP_DIGESTS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)
    return str(folder)


def _register_kernels() -> None:
    """Let compiled code call every kernel known by now.

    Kernels allocate nothing, so they are compiled without reference counting, which would cost more than they do.
    """
    from numba.extending import register_jitable

    for function in KERNELS:
        if id(function) not in _registered:
            register_jitable(error_model="numpy", _nrt=False, forceinline=function in INLINED)(function)
            _registered.add(id(function))


@cache
def _cache_class() -> Any:
    from numba.core import caching

    class Locator(caching._CacheLocator):  # noqa: SLF001 # numba has no public way to say where and for how long
        def __init__(self, function: Any) -> None:
            self._function = function

        def get_cache_path(self) -> str:
            folder = cache_folder()
            assert folder is not None  # noqa: S101 # only used where there is one
            return folder

        def get_source_stamp(self) -> str:
            return _digest()

        def get_disambiguator(self) -> str:
            return _tail(self._function)

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            return cls(py_func)

    class Implementation(caching.CompileResultCacheImpl):
        _locator_classes = [Locator]  # noqa: RUF012 # the name and the kind numba asks for

    class KernelCache(caching.FunctionCache):
        _impl_class = Implementation

    return KernelCache


def _is_ours(function: Callable[..., Any]) -> bool:
    return function.__module__.startswith("polhode.")


def _on_disk(function: Callable[..., Any]) -> bool:
    """Whether the cache holds the function: what is only loaded needs no kernel registered, which takes time."""
    folder = cache_folder()
    return _is_ours(function) and folder is not None and any(Path(folder).glob(f"*-{_tail(function)}.*.nbi"))


def _tail(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _compile_entry(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    import numba

    if not _on_disk(function):
        _register_kernels()
    options: Any = {"nogil": True, "error_model": "numpy", "_nrt": False}
    dispatcher: Any = numba.njit(**options)(function)
    if cache_folder() is not None:
        dispatcher._cache = _cache_class()(function)  # noqa: SLF001 # see Locator
    dispatcher.compile(arguments)
    dispatcher.disable_compile()
    return dispatcher


class _Notice:
    """Says on stderr that compiling has begun and how long it took: silence would pass for a hang."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.needed = not _on_disk(function)

    def __enter__(self) -> None:
        self.began = time.perf_counter()
        if self.needed:
            _say("polhode: compiling the engine for this machine; this happens once and takes half a minute or so")

    def __exit__(self, *_: object) -> None:
        if self.needed:
            _say(f"polhode: compiled in {time.perf_counter() - self.began:.0f} s")


@cache
def _entries() -> tuple[Any, Any]:
    from . import entry

    with _Notice(entry.advance_entry):
        return _compile_entry(entry.advance_entry, entry.ADVANCE), _compile_entry(entry.observe_entry, entry.OBSERVE)


def advance_entry() -> Any:
    """Return the compiled engine.

    Returns
    -------
    callable
        As `polhode.sim.engine.advance`, with addresses for its three functions.
    """
    with _LOCK:
        return _entries()[0]


def observe_entry() -> Any:
    """Return the compiled evaluation of a whole trajectory.

    Returns
    -------
    callable
        As `polhode.sim.observe.observe`, with addresses for its two functions.
    """
    with _LOCK:
        return _entries()[1]


@cache
def _address(kind: str, function: Callable[..., Any]) -> tuple[int, Any]:
    from numba.core import sigutils
    from numba.core.ccallback import CFunc
    from numba.core.errors import NumbaError

    from .entry import SIGNATURES

    with _LOCK:
        if not _on_disk(function):
            _register_kernels()
        arguments, result = sigutils.normalize_signature(SIGNATURES[kind])
        try:
            compiled: Any = CFunc(function, (arguments, result), locals={}, options={"error_model": "numpy"})
            if _is_ours(function) and cache_folder() is not None:
                compiled._cache = _cache_class()(function)  # noqa: SLF001 # see Locator
            compiled.compile()
        except NumbaError as error:
            raise InputError(_explain(function, error)) from error
        return int(compiled.address), compiled  # the object keeps the code alive


def _explain(function: Callable[..., Any], error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = next(
        (line for line in lines if not line.startswith(("Failed in nopython", "[1]", "No implementation"))),
        "",
    )
    return (
        f"{getattr(function, '__name__', function)!r} cannot be compiled: {reason or lines[0]}; write it on scalars "
        "and numpy functions, or run it as plain Python with compiled=False"
    )


def law_address(function: Callable[..., Any]) -> int:
    """Return the address of a compiled law kernel.

    Parameters
    ----------
    function : callable
        law(t, x, r, q, z, u).

    Returns
    -------
    int
        Where its code is.

    Raises
    ------
    InputError
        When it cannot be compiled.
    """
    return _address("law", function)[0]


def reference_address(function: Callable[..., Any]) -> int:
    """Return the address of a compiled reference kernel.

    Parameters
    ----------
    function : callable
        reference(t, q, r).

    Returns
    -------
    int
        Where its code is.

    Raises
    ------
    InputError
        When it cannot be compiled.
    """
    return _address("reference", function)[0]


def user_address(function: Callable[..., Any]) -> int:
    """Return the address of compiled loads.

    Parameters
    ----------
    function : callable
        loads(t, x, p, dx), as made by `polhode.sim.user_loads`.

    Returns
    -------
    int
        Where its code is.

    Raises
    ------
    InputError
        When it cannot be compiled.
    """
    return _address("user", function)[0]
