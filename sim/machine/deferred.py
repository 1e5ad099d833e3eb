# pyright: basic
# (numba has no type stubs, and this file changes its inner works)
"""One optimisation and one emission of machine code for a whole engine.

numba makes a library of every function that compiled code calls, and optimises and emits each with all that it calls
in turn: of some ninety functions ninety times, and one is used. Here the inner ones are only translated; the outermost
links them all, is optimised once and emitted once. Nobody else calls the inner ones then, so they become private to it:
what of an array is not used is not handed on. `front_end` and `items` leave out what kernels have no need of. The
numbers that come out are the same to the bit (`tests/design/deferred_code.py` has the times).

An inner function that somebody needs by itself later on is finished then, in numba's own way. What numba is asked for
here is not public, so where a piece of it is missing nothing is changed, and compiling takes longer.
"""

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any

from . import front_end, items
from .front_end import leaner
from .items import plain_items

__all__ = ["can_defer", "deferred"]

_NEEDED = {
    "numba._dynfunc": ("make_function",),
    "numba.core.codegen": (
        "CPUCodeLibrary._get_module_for_linking",
        "CPUCodeLibrary._optimize_final_module",
        "CPUCodeLibrary._finalize_final_module",
        "CPUCodeLibrary.finalize",
        "CodeLibrary._ensure_finalized",
        "CodeLibrary._raise_if_finalized",
    ),
    "numba.core.cpu": ("CPUContext.get_executable",),
    "numba.core.typed_passes": ("NopythonRewrites.run_pass",),
    "numba.core.untyped_passes": ("InlineClosureLikes.run_pass",),
}
"""What is changed or called, by module."""

OLDEST = (0, 66)
"""The oldest numba this was tried with: before, its pass managers and llvmlite's attributes are others."""


@cache
def can_defer() -> bool:
    """Whether the numba installed has all that is changed here."""
    import numba

    if numba.version_info[:2] < OLDEST:
        return False
    try:
        for table in (_NEEDED, front_end.NEEDED, items.NEEDED):
            for module, names in table.items():
                attrgetter(*names)(import_module(module))
    except (ImportError, AttributeError):
        return False
    return True


def _dynfunc() -> Any:
    return import_module("numba._dynfunc")


def _closure(root: Any) -> list[Any]:
    """Every library that the root needs, each once; one that is finished holds its own already."""
    found: list[Any] = []
    waiting = list(root._linking_libraries)  # noqa: SLF001 # the only way to them
    while waiting:
        library = waiting.pop()
        if library in found:
            continue
        found.append(library)
        if not library._finalized:  # noqa: SLF001
            waiting.extend(library._linking_libraries)  # noqa: SLF001
    return found


def _linkable(library: Any) -> Any:
    """The module of a library, ready to be linked into another, whether it is finished or not."""
    if library._finalized:  # noqa: SLF001
        return library._get_module_for_linking()  # noqa: SLF001
    module = library._final_module.clone()  # noqa: SLF001
    for function in module.functions:
        if not function.is_declaration and function.linkage.name == "external":
            function.linkage = "linkonce_odr"
    return module


def _finalize_with_all(root: Any) -> None:
    """Link, optimise once, emit once."""
    root._raise_if_finalized()  # noqa: SLF001
    asked_for = {function.name for function in root._final_module.functions if not function.is_declaration}  # noqa: SLF001
    for library in _closure(root):
        root._reload_init.update(library._reload_init)  # noqa: SLF001
        root._final_module.link_in(_linkable(library), preserve=True)  # noqa: SLF001
    for function in root._final_module.functions:  # noqa: SLF001
        if not function.is_declaration and function.name not in asked_for:
            function.linkage = "internal"  # nobody else calls it: what it is given and not used is not handed on
    manager, builder = root._codegen._module_pass_manager()  # noqa: SLF001
    manager.run(root._final_module, builder)  # noqa: SLF001
    root._final_module.verify()  # noqa: SLF001
    root._finalize_final_module()  # noqa: SLF001


@contextmanager
def deferred(inlined: Callable[[str, str], bool]) -> Iterator[None]:
    """While this lasts, functions that numba compiles on the way to another are translated only.

    inlined: inlined(module, qualified name) tells whether a function shall be laid into its callers.
    The compiler's lock is held meanwhile.
    """
    from numba.core import codegen, cpu, typed_passes, untyped_passes
    from numba.core.compiler_lock import global_compiler_lock

    library_class, context_class = codegen.CPUCodeLibrary, cpu.CPUContext
    library_ctypes: Any = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    stop = ctypes.cast(library_ctypes.abort, ctypes.c_void_p).value

    def add_linking_library(self: Any, library: Any) -> None:
        self._linking_libraries.append(library)

    def get_executable(self: Any, library: Any, description: Any, environment: Any) -> Any:
        if inlined(description.modname, description.qualname):
            library._final_module.get_function(description.mangled_name).add_function_attribute("alwaysinline")  # noqa: SLF001
        return _dynfunc().make_function(  # one of its own, for numba knows functions by it; never called
            description.lookup_module(), description.qualname, "not compiled yet", stop, environment, (library,)
        )

    def nothing_to_do(*_: Any) -> bool:  # in a kernel
        return False

    ours: dict[tuple[Any, str], Any] = (
        leaner()
        | plain_items()
        | {
            (library_class, "add_linking_library"): add_linking_library,
            (library_class, "finalize"): _finalize_with_all,
            (context_class, "get_executable"): get_executable,
            (typed_passes.NopythonRewrites, "run_pass"): nothing_to_do,  # of array expressions
            (untyped_passes.InlineClosureLikes, "run_pass"): nothing_to_do,  # of comprehensions
        }
    )
    with global_compiler_lock:
        theirs = {(owner, name): getattr(owner, name) for owner, name in ours}
        try:
            for (owner, name), function in ours.items():
                setattr(owner, name, function)
            yield
        finally:
            for (owner, name), function in theirs.items():
                setattr(owner, name, function)
