"""A lock between processes: two that start together would otherwise compile the same thing at once.

The lock is the system's own (flock) on an empty file: it ends with the process that holds it, however
that ends. Where there is none (Windows, some network file systems) everybody compiles for themselves.
"""

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["LOCK", "held"]

LOCK = ".lock"
"""How the name of a file ends that is there to be locked."""

LONGEST = 600.0
"""After so long (s) the holder is taken to be stopped, and is waited for no longer."""

_SOON = 0.5  # s; whoever waits longer is told
_PAUSE = 0.05  # s


@contextmanager
def held(path: Path, waiting: Callable[[], None]) -> Generator[None]:
    """Hold the lock of a file, or go on without one where there is none to be had.

    path: the file, made if it is not there; waiting: called once if it takes a while.
    """
    handle = _opened(path)
    try:
        if handle is not None:
            _take(handle, waiting)
        yield
    finally:
        if handle is not None:
            os.close(handle)  # which gives the lock back


def _opened(path: Path) -> int | None:
    if os.name != "posix":
        return None
    with suppress(OSError):
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    return None


def _take(handle: int, waiting: Callable[[], None]) -> None:
    import fcntl

    began, told = time.monotonic(), False
    while time.monotonic() - began < LONGEST:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not told and time.monotonic() - began > _SOON:
                waiting()
                told = True
            time.sleep(_PAUSE)
        except OSError:  # a file system without locks
            return
        else:
            return
