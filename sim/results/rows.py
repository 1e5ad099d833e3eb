"""Selected rows of a run."""

from collections.abc import Generator, Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..engine.observed import Observed
from .recorded import Table

if TYPE_CHECKING:
    from .run import Run


def rows_of(run: "Run", which: Any) -> "Run":
    """Return a run with selected rows and the original start.

    which: the rows, in order. Balances and nutation still refer to the start of the whole run.
    """
    if run.recorded is not None:
        return replace(run, t=run.t[which], recorded=run.recorded.rows(which), **_tables(run, which))
    seen = Observed.known(run.observables[which])
    return replace(run, t=run.t[which], end_report=run.ended, observed=seen, **_tables(run, which))


def extremes(run: "Run", bins: int = 1000) -> "Run":
    """Return the rows in which any component is at its maximum or minimum within an interval.

    A curve through these rows equals the curve through all rows to within the width of a pixel. Taking every n-th row
    misses fast oscillations.

    run: the run, with more rows than can be drawn; bins: number of intervals -> run with some dozen rows per interval
    at most, plus the first and the last row.
    """
    n = run.t.size
    width = -(-n // bins)
    wanted = [np.array([0, n - 1])]
    for name in run.names:
        first = 0
        for piece in _portions(run.pieces(name), width):
            table = piece.reshape(len(piece), -1)
            wanted += [first + table.argmin(axis=0), first + table.argmax(axis=0)]
            first += len(piece)
    return rows_of(run, np.unique(np.concatenate(wanted)))


def _portions(pieces: Iterable[NDArray[np.float64]], size: int) -> Generator[NDArray[np.float64]]:
    """Yield the same rows in chunks of `size` rows; the last chunk may be smaller."""
    left: NDArray[np.float64] | None = None
    for piece in pieces:
        whole = piece if left is None or not len(left) else np.concatenate([left, piece])
        full = len(whole) // size * size
        for first in range(0, full, size):
            yield whole[first : first + size]
        left = whole[full:]
    if left is not None and len(left):
        yield left


def _tables(run: "Run", which: Any) -> dict[str, Any]:
    """Return selected rows of every field with one row per time, by name of the field."""
    found: dict[str, Any] = {}
    for each in fields(run):
        value = getattr(run, each.name)
        if isinstance(value, np.ndarray | Table) and value.ndim == 2 and value.shape[0] == run.t.size:
            found[each.name] = value[which]
    return found
