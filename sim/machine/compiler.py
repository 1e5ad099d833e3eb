# pyright: basic
# (numba has no type stubs, and this file is about little else)
"""Kernels made into machine code: numba compiles, the result is kept on disk, later processes only link it.

The engine is compiled once. Laws, references and whatever the user wrote are compiled by themselves and come in as
addresses of functions with fixed signatures, so a new law never compiles the engine again.
"""

import ctypes
import gc
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ...plant.errors import InputError
from ...plant.kernels.kernel import INLINED, KERNELS
from ...plant.kernels.lanes import every, select, shared
from ..codegen.library import entry_address, has_library, kernel_address
from .code_cache import kept, say
from .code_digest import covers
from .deferred import can_defer, deferred
from .guards import GUARDED, guarded
from .linker import link

__all__ = [
    "address_of",
    "entry_function",
    "replay_function",
    "step_address",
    "table_of",
]

_LOCK = threading.RLock()
_registered: set[int] = set()
_alive: list[Any] = []  # what numba compiled in this process, so that its code is not freed
OPTIONS = {"error_model": "numpy", "_nrt": False}
"""Kernels divide as numpy does, and allocate nothing: reference counting would cost more than they do."""

ENTRIES = f"{__name__.rpartition('.')[0]}.entry"
"""Where the functions are that are compiled whole; it brings numba along, so it waits until one is to be compiled."""

_BY_KIND = (every, select, shared)
"""Functions that `entry` replaces in compiled code."""

TOLD = {
    "advance_entry": "the engine for this machine; this happens once and takes a quarter of a minute or so",
    "implicit_entry": "the implicit integrators for this machine; this happens once",
}
"""What takes so long that the user is told of it."""


def _register_kernels() -> None:
    """Let compiled code call every kernel known by now."""
    from numba.extending import register_jitable

    for function in KERNELS:
        if id(function) not in _registered and function not in _BY_KIND:
            # numba compiles anew for callers with other flags, and `forceinline` is one: deferred code is marked later
            forced = {} if can_defer() else {"forceinline": function in INLINED}
            # nobody calls a kernel from C: a sixth of the time would go into the means to do so
            register_jitable(**OPTIONS, **forced, no_cfunc_wrapper=True)(function)
            _registered.add(id(function))


def _at_once() -> AbstractContextManager[None]:
    """The way to compile one of polhode's own functions: whole, where numba lets it."""
    if not can_defer():
        return nullcontext()
    inlined = {(function.__module__, function.__qualname__) for function in INLINED}
    return deferred(lambda module, name: (module, name) in inlined)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looking for garbage: the compiler makes millions of objects, and most of them last until it is done.

    Nor right after it: they are put among the old ones, which are looked through when as many again have come.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()
        if collecting:
            gc.enable()


def _compile(kind: str, function: Callable[..., Any], *, options: dict[str, Any]) -> Any:
    from numba.core import sigutils
    from numba.core.ccallback import CFunc
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    from . import entry  # noqa: F401 # where what kernels say in place of branches gets its meaning
    from .addresses import SPREAD, spread_out, spread_signature

    _register_kernels()
    arguments, result = sigutils.normalize_signature(spread_signature(kind))
    body = function if "_nrt" in options else guarded(kind, function)
    if kind in SPREAD:
        if body is function and function not in KERNELS:  # such as the loads of a user, or a formulation
            from numba import njit

            body = njit(function, **options)
        body = spread_out(kind, body, of=function)
    compiled: Any = CFunc(body, (arguments, result), locals={}, options=options)
    try:
        compiled.compile()
    except (NumbaError, UnsupportedBytecodeError) as error:  # the second is no NumbaError
        raise InputError(_explain(function, error)) from error
    return compiled


def _explain(function: Callable[..., Any], error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    noise = ("Failed in nopython", "[1]", "No implementation")
    reason = next((line for line in lines if not line.startswith(noise)), lines[0])
    return (
        f"{getattr(function, '__name__', function)!r} cannot be compiled: {reason}; write it on scalars "
        "and numpy functions, or run it as plain Python with compiled=False"
    )


def _object_of(kind: str, function: Callable[..., Any]) -> tuple[list[str], bytes]:
    """One of polhode's own functions as an object file: its symbol and those it needs, and the bytes."""
    with _at_once(), _uncollected():
        compiled = _compile(kind, function, options=OPTIONS)
    library = compiled._library  # noqa: SLF001 # numba has no public way to the object file
    needs = sorted(set(re.findall(r"@(numba_\w+)", library.get_llvm_str())))
    return [compiled._wrapper_name, *needs], library._get_compiled_object()  # noqa: SLF001


def _linked(name: str, make: Callable[[], tuple[list[str], bytes]]) -> int:
    """Return the address of the code that is kept under a name, made if it is not: by one process, others wait."""
    place = kept(name)
    found = place.read()
    if found is None:
        with place.alone():
            found = place.read()
            if found is None:
                found = make()
                place.write(*found)
    return link(*found)


@cache
def address_of(kind: str, function: Callable[..., Any]) -> int:
    """Return the address of a function as machine code.

    kind: "law", "reference", "user" (loads), "element" or "block". function: a kernel, or what `compiled_user_loads`
    returns. One of polhode's own is in the engine's library; another is compiled to C, and kept on disk.
    -> where its code is.
    Raises InputError when it cannot be compiled.
    """
    if has_library() and kind != "entry":
        return _address_in_c(kind, function)
    with _LOCK:
        if not covers(function):
            compiled = _compile(kind, function, options=GUARDED)
            _alive.append(compiled)
            return int(compiled.address)
        return _linked(f"{function.__module__}.{function.__qualname__}", lambda: _object_of(kind, function))


def _address_in_c(kind: str, function: Callable[..., Any]) -> int:
    """Where the function is in the engine's library, or in one of its own."""
    from ..codegen.user_kernel import can_compile, python_address, user_address

    if getattr(function, "__code__", None) is not None and covers(function):
        found = kernel_address(function)
        if found is not None:
            return found
    if not can_compile():
        return python_address(kind, function)
    return user_address(kind, function)


def _address_of_entry(kind: str, name: str) -> int:
    """Return the address of a function of `polhode.sim.machine.entry`, which is imported if it must be compiled."""

    def make() -> tuple[list[str], bytes]:
        if name in TOLD:
            say(f"polhode: compiling {TOLD[name]}")
        began = time.perf_counter()
        found = _object_of(kind, getattr(import_module(ENTRIES), name))
        if name in TOLD:
            say(f"polhode: compiled in {time.perf_counter() - began:.0f} s")
        return found

    if has_library():
        return entry_address(name)
    with _LOCK:
        return _linked(f"{ENTRIES}.{name}", make)


@cache
def entry_function(name: str) -> Callable[[int], int]:
    """Return a compiled entry, ready to be called with the address of its table.

    name: "advance_entry" or "observe_entry" of `polhode.sim.machine.entry` -> entry(address of the table) returns an
    integer. It lets other threads run meanwhile.
    """
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(_address_of_entry("entry", name))


@cache
def step_address(entry: str) -> int:
    """Return the address of "implicit_entry" or "elliptic_entry", compiled by itself when a run first asks for it."""
    return _address_of_entry("step", entry)


@cache
def replay_function() -> Callable[[int], int]:
    """Return the compiled loop of a block over recorded rows, to be called with the address of its table."""
    if has_library():
        return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(entry_address("replay_entry"))
    with _LOCK:
        found = kept("polhode.sim.machine.entry.replay_entry").read()
        if found is None:
            from . import entry

            address = address_of("entry", entry.replay_entry)
        else:
            address = link(*found)
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)


def table_of(functions: Sequence[int], arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Return the table through which an entry gets its functions and arrays.

    functions: addresses.
    arrays: contiguous arrays of 8-byte numbers, in the order the entry reads them: a bundle
        (`polhode.sim.engine.bundle`). They must outlive the table.
    -> (n,), int64.
    """
    numbers = list(functions)
    for array in arrays:
        if not array.flags.c_contiguous or array.itemsize != 8:
            raise TypeError(f"compiled code takes contiguous arrays of 8-byte numbers; got {array.dtype}")
        numbers += [_place(array), *array.shape]
    return np.array(numbers, dtype=np.int64)


def _place(array: np.ndarray) -> int:
    """Where the numbers of an array are: by its buffer where it has one to write into, in a quarter of the time."""
    if array.size and array.flags.writeable:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # pyright: ignore[reportArgumentType] # arrays have a buffer
    return array.ctypes.data
