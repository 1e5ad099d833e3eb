"""Stretches of work that Ctrl-C and SIGTERM wait for."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

__all__ = ["uninterrupted"]


@contextmanager
def uninterrupted() -> Generator[None]:
    """Hold back Ctrl-C and SIGTERM while the body runs, and let them act after it.

    A library in C that calls back into Python does not survive an exception out of nowhere, and of files that belong
    together none may be left out.
    """
    if threading.current_thread() is not threading.main_thread():  # signals are handled in the main thread only
        yield
        return
    came: list[tuple[int, Any]] = []
    before: dict[int, Any] = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if callable(handler):  # what is ignored, or ends the process, stays as it is
            before[number] = handler
            signal.signal(number, lambda signum, frame: came.append((signum, frame)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for number, frame in came[:1]:
        before[number](number, frame)
