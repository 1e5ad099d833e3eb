"""Signals of every run over time: a file of rows next to the journal, or else an array.

Quantiles over the runs are exact. For any number of runs, computing them needs memory for only a few columns at a
time. Each value takes four bytes on disk.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ....controllers.laws.files.no_link import require_no_link
from ....controllers.laws.files.uninterrupted import uninterrupted
from ....plant.errors import InputError, SaveError

Rows = NDArray[np.float32]

MOST = 2**24  # values processed at a time


class SignalRows:
    """Signals of all runs, one row of `size` values per run.

    path: the file, created or continued; None keeps the rows in memory. resumed: whether the file already contains
    runs. Raises SaveError when the file cannot be written, InputError when it does not match the journal.

    The file is written by write calls and memory-mapped for reading only: on a full disk, writing to mapped memory
    would kill the process without a message.
    """

    def __init__(self, path: Path | None, runs: int, size: int, *, resumed: bool) -> None:
        self.size = size
        self._rows: Rows
        self._path = path if size else None
        self._waiting: dict[int, Rows] = {}
        if path is None or size == 0:
            self._rows = np.full((runs, size), np.nan, dtype=np.float32)
            return
        require_no_link(path)
        try:
            if resumed and not path.is_file():
                raise InputError(
                    f"{path}: is missing, but the journal next to it lists runs with signals in this file; remove the "
                    "journal too to start again"
                )
            with path.open("ab") as file:
                file.truncate(4 * runs * size)  # a random plan may have grown; unwritten rows take no space
            self._rows = np.memmap(path, dtype="<f4", mode="r", shape=(runs, size))
        except OSError as error:
            raise SaveError(f"{path}: cannot be written ({error.strerror or error})") from None

    def put(self, run: int, row: Rows) -> None:
        """Store the row of a run; `flush` writes it to the file."""
        if self._path is None:
            self._rows[run] = row
        else:
            self._waiting[run] = row

    def flush(self) -> None:
        """Sync the stored rows to the disk; call this before the journal records their runs.

        Raises SaveError when the disk fails; data of runs that are in the journal are kept.
        """
        if self._path is None or not self._waiting:
            return
        try:
            with uninterrupted(), self._path.open("r+b") as file:
                for run, row in sorted(self._waiting.items()):
                    file.seek(4 * run * self.size)
                    file.write(np.ascontiguousarray(row, dtype="<f4").tobytes())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise SaveError(
                f"{self._path}: cannot be written ({error.strerror or error}); the completed runs are kept: free "
                "disk space and start the campaign again; it resumes there"
            ) from None
        self._waiting.clear()

    def quantiles(self, runs: NDArray[np.int64], columns: slice, shares: Sequence[float]) -> NDArray[np.float64]:
        """Return quantiles of columns over some runs, (shares, columns); runs that have no value are omitted."""
        first, last = columns.start, columns.stop
        together = max(1, MOST // max(1, runs.size))
        found = np.full((len(shares), last - first), np.nan)
        for start in range(first, last, together):
            end = min(start + together, last)
            block = np.asarray(self._rows[:, start:end][runs], dtype=np.float64)
            there = ~np.isnan(block).all(axis=0)
            if there.any():
                found[:, start - first : end - first][:, there] = np.nanquantile(block[:, there], shares, axis=0)
        return found
