"""Series of a run for the page: all rows or, for a long run, the extremes of each interval."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .numbers import stored

if TYPE_CHECKING:
    from ....sim import Run

MOST_POINTS = 4000
"""Largest number of points of a series in the page; the run file has all rows."""

Array = NDArray[np.float64]


class SeriesStore:
    """Series of a run by name, with a common time axis.

    run: the run; most: largest number of points of each series.
    """

    def __init__(self, run: "Run", *, most: int = MOST_POINTS) -> None:
        self.run = run
        n = run.t.size
        self.envelope = n > most
        edges = np.linspace(0, n, most // 2 + 1).round().astype(int) if self.envelope else np.arange(n + 1)
        self._first, self._last = edges[:-1], edges[1:] - 1
        rows = np.stack((self._first, self._last), axis=1).ravel() if self.envelope else self._first
        self.times: Array = np.asarray(run.t[rows], dtype=np.float64)
        self._columns: dict[str, Array] = {}
        self._whole: dict[str, Array] = {}

    def quantity(self, name: str) -> dict[str, Array]:
        """Return the columns of a quantity of the run by series name, with all rows, in SI units."""
        labels = self.run.components(name)[0]
        table = self.run.values(name).reshape(self.run.t.size, -1)
        if table.shape[1] == 1 and not labels:
            return {name: table[:, 0]}
        words = labels if len(labels) == table.shape[1] else tuple(str(n) for n in range(table.shape[1]))
        return {f"{name}.{word}": table[:, n] for n, word in enumerate(words)}

    def add(self, key: str, values: ArrayLike) -> None:
        """Add a series. key: name of the series; values (n,): value in each row of the run, SI units."""
        whole = np.asarray(values, dtype=np.float64)
        self._whole[key] = whole
        self._columns[key] = self._extremes(whole) if self.envelope else whole

    def values(self, key: str) -> Array:
        """Return all rows of a series added before."""
        return self._whole[key]

    def to_dict(self) -> dict[str, Any]:
        """Return times and series for the script of the page."""
        return {
            "times": stored(self.times, exact=True),
            "envelope": self.envelope,
            "rows": int(self.run.t.size),
            "series": {key: stored(values) for key, values in self._columns.items()},
        }

    def _extremes(self, values: Array) -> Array:
        """Return the smallest and largest value of each interval, in order of occurrence."""
        low = np.minimum.reduceat(values, self._first)
        high = np.maximum.reduceat(values, self._first)
        rising = np.array(
            [
                int(np.argmin(values[a : b + 1])) <= int(np.argmax(values[a : b + 1]))
                for a, b in zip(self._first, self._last, strict=True)
            ]
        )
        return np.stack((np.where(rising, low, high), np.where(rising, high, low)), axis=1).ravel()
