"""How far a run is, on stderr and only on a terminal."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic

__all__ = ["progress"]


@contextmanager
def progress(name: str) -> Generator[Callable[[float], None] | None]:
    """Yield a callback that shows a fraction between 0 and 1, or None where nobody watches.

    name: what is running -> to be called with the fraction done; it writes at most ten times a second.
    """
    if not sys.stderr.isatty():
        yield None
        return
    shown = [-1.0]

    def show(fraction: float) -> None:
        now = monotonic()
        if now - shown[0] >= 0.1:
            shown[0] = now
            bar = "#" * int(30 * fraction)
            sys.stderr.write(f"\r{name} [{bar:<30}] {100 * fraction:3.0f} %")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if shown[0] >= 0.0:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
