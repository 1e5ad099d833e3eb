"""Distribution of the runs of a campaign to workers, in batches of about equal computing time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Runs = Sequence[int] | NDArray[np.int64]

MOMENT = 0.5  # s: computing time per batch, lost if the worker is killed; also the interval of journal syncs
BLINK = 0.06  # s: overhead would dominate a shorter batch
TOGETHER = 8  # multiples of this fill the vector registers of any processor; smallest batch of slow runs ...
LONGEST = 4.0 * MOMENT  # ... unless such a batch takes longer than this, s


class Batches:
    """Distributor of run numbers to workers.

    runs: the run numbers; workers: number of workers; most: largest number of runs per batch.
    """

    def __init__(self, runs: Runs, *, workers: int, most: int) -> None:
        self._runs, self._workers, self._most = runs, workers, most
        self._given, self._flown = 0, 0
        self._seconds = 0.0  # computing time per run, weighted towards the latest; 0 while unknown
        self._weight = 0.0  # weight of the estimate, in runs: the time of a single run is mostly preparation
        self._again: list[list[int]] = []

    def next(self) -> list[int] | None:
        """Return the next batch; None if no runs are left."""
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
        """Requeue a batch whose worker was lost."""
        self._again.append(batch)

    def took(self, runs: int, seconds: float) -> None:
        """Record the computing time of completed runs, s."""
        self._flown += runs
        self._seconds = (self._weight * self._seconds + seconds) / (self._weight + runs)
        self._weight = max(0.5 * self._weight, runs)

    @property
    def ahead(self) -> float:
        """Estimated wall-clock time that all workers need for the remaining runs, s; 0 while unknown."""
        return (len(self._runs) - self._flown) * self._seconds / self._workers

    def _least(self) -> int:
        return int(BLINK / self._seconds) if self._seconds else 1

    def _size(self) -> int:
        if not self._seconds:
            return 1
        fitting = max(int(MOMENT / self._seconds), min(TOGETHER, int(LONGEST / self._seconds)))
        if fitting > TOGETHER:
            fitting -= fitting % TOGETHER  # no vector register stays partly filled
        return max(1, min(self._most, fitting))
