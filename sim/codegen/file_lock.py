"""Inter-process lock that keeps two processes from compiling the same library simultaneously.

The lock is a system lock (flock) on an empty file, which the system releases even if its process is killed. Without
such locks (Windows, some network file systems) each process compiles separately.
"""

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK = ".lock"
"""Suffix of lock files."""

LONGEST = 600.0
"""Time (s) after which the lock's holder is considered hung and waiting ends."""

_SOON = 0.5  # s; a longer wait is reported
_PAUSE = 0.05  # s


@contextmanager
def held(path: Path, waiting: Callable[[], None]) -> Generator[None]:
    """Hold the lock of a file, or continue without one if the system has no locks.

    path: the lock file, created if missing. waiting: function that is called once if the wait is noticeable.
    """
    handle = _opened(path)
    try:
        if handle is not None:
            _take(handle, waiting)
        yield
    finally:
        if handle is not None:
            os.close(handle)  # this releases the lock


def _opened(path: Path) -> int | None:
    if os.name != "posix":
        return None
    with suppress(OSError):
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    return None


def _take(handle: int, waiting: Callable[[], None]) -> None:
    import fcntl

    began, reported = time.monotonic(), False
    while time.monotonic() - began < LONGEST:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not reported and time.monotonic() - began > _SOON:
                waiting()
                reported = True
            time.sleep(_PAUSE)
        except OSError:  # a file system without locks
            return
        else:
            return
