"""Exceptions of user-defined functions, stored for the run in which they occurred.

Compiled C calls `note_raised` with the text of the exception and then returns a non-finite value, which ends the run.
"""

import threading

from ..runs.messages import say

_local = threading.local()


def note_raised(words: str) -> None:
    """Store the text of an exception for this thread's run; outside a run, write it on stderr.

    words: type and text of the exception.
    """
    listener: collect_raised | None = getattr(_local, "listener", None)
    while listener is not None and listener.paused:
        listener = listener.outer
    if listener is None:
        say(f"polhode: a compiled function raised {words}")
    else:
        listener.texts[:] = [words]


class collect_raised:  # noqa: N801 # a context manager
    """Context manager that yields a list with the text of this thread's last exception, if any.

    While it is `paused`, exceptions are recorded in the enclosing context.
    """

    __slots__ = ("outer", "paused", "texts")

    def __enter__(self) -> list[str]:
        """Start to collect exceptions, and return the list that receives them."""
        self.texts: list[str] = []
        self.paused = False
        self.outer: collect_raised | None = getattr(_local, "listener", None)
        _local.listener = self
        return self.texts

    def __exit__(self, *_: object) -> None:
        """Let the enclosing context collect exceptions again."""
        _local.listener = self.outer
