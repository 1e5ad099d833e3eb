"""What compiled functions of a user's own raised, kept for the run instead of printed.

Compiled C calls `note_raised` with the words. numba cannot raise through the engine: it tells `sys.unraisablehook`,
which prints, and goes on (`guards` and `polhode.plant.loads.faults` see to it that nothing follows from that).
"""

import sys
import threading
from typing import Any

from .code_cache import say

__all__ = ["collect_raised", "note_raised"]

_told = threading.local()
_lock = threading.Lock()
_users = 0
_before: Any = None


def _listening() -> "collect_raised | None":
    listener: collect_raised | None = getattr(_told, "listener", None)
    while listener is not None and listener.paused:
        listener = listener.outer
    return listener


def note_raised(words: str) -> None:
    """Keep what a compiled function raised for whoever listens in this thread; outside a run it is said.

    words: type and text of the exception.
    """
    listener = _listening()
    if listener is None:
        say(f"polhode: a compiled function raised {words}")
    else:
        listener.texts[:] = [words]


def _keep(raised: Any) -> None:
    listener = _listening()
    if listener is None or not isinstance(raised.object, str):  # not of compiled code in a run
        _before(raised)
        return
    words = str(raised.exc_value)
    listener.texts[:] = [f"{raised.exc_type.__name__}{': ' if words else ''}{words}"]


class collect_raised:  # noqa: N801 # a context, used as one
    """Give a list that holds, afterwards, what compiled code raised last in this thread; empty when nothing.

    While it is `paused` what is raised is left to whoever listened before.
    """

    __slots__ = ("outer", "paused", "texts")

    def __enter__(self) -> list[str]:
        """Begin to listen."""
        global _users, _before  # noqa: PLW0603 # the hook is one for the whole process
        self.texts: list[str] = []
        self.paused = False
        self.outer: collect_raised | None = getattr(_told, "listener", None)
        with _lock:
            if _users == 0:
                _before, sys.unraisablehook = sys.unraisablehook, _keep
            _users += 1
        _told.listener = self
        return self.texts

    def __exit__(self, *_: object) -> None:
        """Leave it to whoever listened before."""
        global _users  # noqa: PLW0603 # see above
        _told.listener = self.outer
        with _lock:
            _users -= 1
            if _users == 0:
                sys.unraisablehook = _before
