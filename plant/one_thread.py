"""One thread for small matrices.

The matrices of a design have some ten to a hundred rows, and numpy and scipy hand them to a linear algebra library that
shares each product among as many threads as the machine has cores. On such sizes that gains nothing; on a machine that
has something else to do, each call waits until the last of its threads is given a core (the margins of a loop: 0.04 s
on one thread, ten times as long on two).

So designs and analyses run between `with one_thread:`, or are decorated with it. Nothing is changed when polhode is
imported, and what was set before is set again afterwards: a caller's large matrices keep their threads. The libraries
count their threads by process, so other threads of the process share the one meanwhile.
"""

import ctypes
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

__all__ = ["OneThread", "one_thread"]

_HOSTS = ("numpy.linalg._umath_linalg", "scipy.linalg._fblas")
"""Modules that bring a linear algebra library into the process; numpy and scipy have one each."""

_Control = tuple[Callable[[], int], Callable[[int], object]]


class OneThread(ContextDecorator):
    """Sets linear algebra to one thread while anything runs within it, in any thread of the process.

    Entered again within itself it only looks for libraries that have been loaded since: a design imports scipy when it
    first needs it, and enters again for what it then has to do. It works on what threadpoolctl knows where that is
    installed, else on OpenBLAS, which numpy and scipy come with, else on nothing.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._depth = 0
        self._before: dict[str, list[tuple[Callable[[int], object], int]]] = {}

    def __enter__(self) -> "OneThread":
        with self._lock:
            self._depth += 1
            for host in _HOSTS:
                if host not in self._before and host in sys.modules:
                    counts = [(put, get()) for get, put in _controls(host)]
                    self._before[host] = [(put, count) for put, count in counts if count > 1]
                    for put, _ in self._before[host]:
                        put(1)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                for put, count in (pair for pairs in self._before.values() for pair in pairs):
                    put(count)
                self._before.clear()


one_thread = OneThread()
"""The one there is: the number of threads belongs to the process."""


@cache
def _controls(host: str) -> list[_Control]:
    """How to read and set the numbers of threads of what a loaded module works with."""
    try:
        found: Any = importlib.import_module("threadpoolctl")
    except ImportError:
        return list(_open_blas(Path(str(sys.modules[host].__file__))))
    chosen = found.ThreadpoolController().select(user_api="blas").lib_controllers
    return [(library.get_num_threads, library.set_num_threads) for library in chosen]


def _open_blas(module: Path) -> Iterator[_Control]:
    files = [module]
    if sys.platform == "win32":  # elsewhere a module's names include those of the libraries that it was linked to
        package = module.parents[1]
        files += (package.parent / f"{package.name}.libs").glob("*openblas*.dll")
    for file in files:
        try:
            library = ctypes.CDLL(str(file))
        except OSError:
            continue
        for name in (f"{prefix}openblas_{{}}_num_threads{end}" for prefix in ("scipy_", "") for end in ("64_", "")):
            get, put = getattr(library, name.format("get"), None), getattr(library, name.format("set"), None)
            if get is not None and put is not None:
                put.restype = None
                yield get, put
                return
