"""Deferral of Ctrl-C, SIGTERM and SIGHUP during short critical sections."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

HELD = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


@contextmanager
def uninterrupted() -> Generator[None]:
    """Defer Ctrl-C, SIGTERM and SIGHUP while the body of the context runs, and deliver them afterwards.

    Use this only for short operations that must not stop halfway: renaming files to their targets, writing a portion of
    rows (a C library that calls back into Python does not survive an asynchronous exception), starting or killing a
    child process. Never use it for a computation, or while waiting for another process.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread handles signals
        yield
        return
    came: list[tuple[int, Any]] = []
    before: dict[int, Any] = {}
    for number in HELD:
        handler = signal.getsignal(number)
        if callable(handler):  # ignored signals and default actions are left unchanged
            before[number] = handler
            signal.signal(number, lambda signum, frame: came.append((signum, frame)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number, frame in came[:1]:  # also after an error in the body, which becomes its context
            before[number](number, frame)
