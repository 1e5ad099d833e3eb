"""Short stretches of work that Ctrl-C, SIGTERM and SIGHUP wait for."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

__all__ = ["uninterrupted"]

HELD = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


@contextmanager
def uninterrupted() -> Generator[None]:
    """Hold back Ctrl-C, SIGTERM and SIGHUP while the body runs, and let them act after it.

    Only for what takes a moment and must not stop halfway: putting files in their places, a portion of rows into a file
    (a library in C that calls back into Python does not survive an exception out of nowhere), starting or killing a
    child. A computation, and a wait for somebody else, are no such thing.
    """
    if threading.current_thread() is not threading.main_thread():  # signals are handled in the main thread only
        yield
        return
    came: list[tuple[int, Any]] = []
    before: dict[int, Any] = {}
    for number in HELD:
        handler = signal.getsignal(number)
        if callable(handler):  # what is ignored, or ends the process, stays as it is
            before[number] = handler
            signal.signal(number, lambda signum, frame: came.append((signum, frame)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number, frame in came[:1]:  # also where the body failed: its error is then the context of what this raises
            before[number](number, frame)
