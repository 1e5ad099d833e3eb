"""Progress of a run on stderr: a bar on a terminal, or a line each minute in a log file."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic

MINUTE = 60.0  # s


@contextmanager
def progress(name: str) -> Generator[Callable[[float], None]]:
    """Yield a callback that displays the completed fraction of a run, between 0 and 1.

    name: name of the run. On a terminal the display is updated at most ten times a second. Elsewhere, as in a log file,
    one line is written per minute.
    """
    if not sys.stderr.isatty():
        yield _line_a_minute(name)
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


def part_of(show: Callable[[float], None] | None, first: float, last: float) -> Callable[[float], None] | None:
    """Return a callback for a part of the work, whose fractions are displayed from `first` to `last`; None for None."""
    if show is None:
        return None
    return lambda fraction: show(first + fraction * (last - first))


def _line_a_minute(name: str) -> Callable[[float], None]:
    begun = monotonic()
    written = [begun]

    def show(fraction: float) -> None:
        now = monotonic()
        if now - written[0] >= MINUTE:
            written[0] = now
            sys.stderr.write(f"polhode: {name}: {100 * fraction:.0f} % after {(now - begun) / MINUTE:.0f} min\n")
            sys.stderr.flush()

    return show
