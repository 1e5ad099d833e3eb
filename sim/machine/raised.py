"""What compiled functions of a user's own raised, kept for the run instead of printed.

numba cannot raise through the engine: it tells `sys.unraisablehook`, which prints, and goes on (`guards` and
`polhode.plant.loads.faults` see to it that nothing follows from that).
"""

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

__all__ = ["collect_raised"]

_told = threading.local()
_lock = threading.Lock()
_users = 0
_before: Any = None


def _keep(raised: Any) -> None:
    texts: list[str] | None = getattr(_told, "texts", None)
    if texts is None or not isinstance(raised.object, str):  # not of compiled code in a run
        _before(raised)
        return
    words = str(raised.exc_value)
    texts[:] = [f"{raised.exc_type.__name__}{': ' if words else ''}{words}"]


@contextmanager
def collect_raised() -> Generator[list[str]]:
    """Give a list that holds, afterwards, what compiled code raised last in this thread; empty when nothing."""
    global _users, _before  # noqa: PLW0603 # the hook is one for the whole process
    texts: list[str] = []
    outer = getattr(_told, "texts", None)
    with _lock:
        if _users == 0:
            _before, sys.unraisablehook = sys.unraisablehook, _keep
        _users += 1
    _told.texts = texts
    try:
        yield texts
    finally:
        _told.texts = outer
        with _lock:
            _users -= 1
            if _users == 0:
                sys.unraisablehook = _before
