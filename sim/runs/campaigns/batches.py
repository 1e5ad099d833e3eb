"""Batches of runs for the workers of a campaign, sized to about the same computing time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Runs = Sequence[int] | NDArray[np.int64]

MOMENT = 0.5  # s: work that a killed worker loses, and the interval of syncing the journal to the disk
BLINK = 0.06  # s: in a shorter batch the overhead would be large
TOGETHER = 8  # runs that fill the vector registers of any processor; a busy machine takes longer for ...
LONGEST = 4.0 * MOMENT  # ... but at most this number


class Batches:
    """Distributor of run numbers to workers.

    runs: the numbers; workers: number of workers; most: largest number of runs per batch.
    """

    def __init__(self, runs: Runs, *, workers: int, most: int) -> None:
        self._runs, self._workers, self._most = runs, workers, most
        self._given, self._flown = 0, 0
        self._seconds = 0.0  # of one run, weighted towards the latest; 0 while unknown
        self._weight = 0.0  # relative to the runs measured: in a batch of one, the preparation takes most of the time
        self._again: list[list[int]] = []

    def next(self) -> list[int] | None:
        """Return the next batch; None where there is none."""
        if self._again:
            return self._again.pop()
        left = len(self._runs) - self._given
        if not left:
            return None
        size = min(self._size(), max(self._least(), -(-left // self._workers)), left)
        batch = [int(run) for run in self._runs[self._given : self._given + size]]
        self._given += size
        return batch

    def back(self, batch: list[int]) -> None:
        """Take back a batch whose worker was lost."""
        self._again.append(batch)

    def took(self, runs: int, seconds: float) -> None:
        """Record the time that a worker took for some runs, s."""
        self._flown += runs
        self._seconds = (self._weight * self._seconds + seconds) / (self._weight + runs)
        self._weight = max(0.5 * self._weight, runs)

    @property
    def ahead(self) -> float:
        """Estimated time of all workers for the remaining runs, s; 0 while unknown."""
        return (len(self._runs) - self._flown) * self._seconds / self._workers

    def _least(self) -> int:
        return int(BLINK / self._seconds) if self._seconds else 1

    def _size(self) -> int:
        if not self._seconds:
            return 1
        fitting = max(int(MOMENT / self._seconds), min(TOGETHER, int(LONGEST / self._seconds)))
        return max(1, min(self._most, fitting))
