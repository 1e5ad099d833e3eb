"""What compiled functions of a user's own raised, kept for the run instead of printed.

numba cannot raise through the engine: it tells `sys.unraisablehook`, which prints, and goes on (`guards` and
`polhode.plant.loads.faults` see to it that nothing follows from that).
"""

import sys
import threading
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


class collect_raised:  # noqa: N801 # a context, used as one
    """Give a list that holds, afterwards, what compiled code raised last in this thread; empty when nothing."""

    def __enter__(self) -> list[str]:
        """Begin to listen."""
        global _users, _before  # noqa: PLW0603 # the hook is one for the whole process
        self._texts: list[str] = []
        self._outer: list[str] | None = getattr(_told, "texts", None)
        with _lock:
            if _users == 0:
                _before, sys.unraisablehook = sys.unraisablehook, _keep
            _users += 1
        _told.texts = self._texts
        return self._texts

    def pause(self) -> None:
        """Leave what is raised from here on to whoever listened before."""
        _told.texts = self._outer

    def resume(self) -> None:
        """Listen again, with an empty list."""
        self._texts.clear()
        _told.texts = self._texts

    def __exit__(self, *_: object) -> None:
        """Leave it to whoever listened before."""
        global _users  # noqa: PLW0603 # see above
        _told.texts = self._outer
        with _lock:
            _users -= 1
            if _users == 0:
                sys.unraisablehook = _before
