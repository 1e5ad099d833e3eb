"""Single-threaded linear algebra for small matrices.

Control design uses matrices of ten to a hundred rows. The BLAS of numpy and scipy distributes each product over as many
threads as the machine has cores. For such small matrices threads save no time, and on a busy machine each call waits
until the last thread gets a core. Computing the margins of a loop takes 0.04 s on one thread and ten times as long on
two.

Designs and analyses therefore run inside `with one_thread:`, or use it as a decorator. Importing polhode changes no
setting, and the previous thread counts are restored on exit. The libraries count threads per process, so other threads
of the process also use a single BLAS thread in the meantime.
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

_HOSTS = ("numpy.linalg._umath_linalg", "scipy.linalg._fblas")
"""Modules that load a BLAS into the process: one each for numpy and scipy."""

_Control = tuple[Callable[[], int], Callable[[int], object]]


class OneThread(ContextDecorator):
    """Context manager and decorator that limits linear algebra to one thread in the whole process.

    A nested entry only adds libraries loaded in the meantime: a design that imports scipy enters again after the
    import. The libraries are those that threadpoolctl reports if it is installed, otherwise the OpenBLAS bundled with
    numpy and scipy. If neither is available, the context manager has no effect.
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
"""The only instance, since thread counts are a property of the process."""


@cache
def _controls(host: str) -> list[_Control]:
    """Return getters and setters for the thread counts of the BLAS used by a loaded module."""
    try:
        threadpoolctl: Any = importlib.import_module("threadpoolctl")
    except ImportError:
        return list(_open_blas(Path(str(sys.modules[host].__file__))))
    libraries = threadpoolctl.ThreadpoolController().select(user_api="blas").lib_controllers
    return [(library.get_num_threads, library.set_num_threads) for library in libraries]


def _open_blas(module: Path) -> Iterator[_Control]:
    files = [module]
    if sys.platform == "win32":  # on other systems a module exposes the symbols of its linked libraries
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
