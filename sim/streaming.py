"""Rows of a run that go to a file as they come."""

from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from ..plant.whole_file import WholeFiles
from .labelled import about, recordable
from .recorded import Recorded, Table
from .recording import Recording
from .rows import tables
from .run import Run

__all__ = ["ROOM", "Streaming"]

ROOM = 65_536
"""Rows in memory: some 20 MB with all that is computed from them."""

Array = NDArray[np.float64]


class Streaming:
    """A run on its way into a file.

    Parameters
    ----------
    stream : str, path or Recording
        The file, put in its place when the run is over; or a recording, whose file is somebody else's concern.
    """

    def __init__(self, stream: str | Path | Recording) -> None:
        self._files = WholeFiles()
        self._target = Path(stream) if not isinstance(stream, Recording) else stream.path
        self._own = not isinstance(stream, Recording)
        self._recording = stream if isinstance(stream, Recording) else Recording(self._files.part(self._target))
        self._first: Run | None = None

    @property
    def failure(self) -> OSError | None:
        """What the disk refused, or None."""
        return self._recording.failure

    def append(self, run: Run) -> None:
        """Write some rows; the first of all of them is where the run began."""
        if self._first is None:
            first = replace(run, origin=None).first
            kept = {
                name: table.copy() for name, table in tables(first, slice(0, 1)).items()
            }  # the loop goes on in them
            self._first = replace(first, **kept)
        self._recording.append(recordable(replace(run, origin=self._first)))

    def finish(self, last: Run, times: Array) -> Run:
        """Write the last rows and how it ended, and return the run, which reads from the file.

        Parameters
        ----------
        last : Run
            The rows not written yet.
        times : numpy.ndarray
            The times of all rows that were wanted.

        Returns
        -------
        Run
            Stopped, with the reason, if the disk was full; its rows then are still there to be read and saved.
        """
        recording = self._recording
        if recording.failure is None and last.t.size:
            self.append(last)
        if recording.failure is not None:
            why = recording.failure.strerror or str(recording.failure)
            until = float(times[min(recording.rows, times.size) - 1])
            reason = f"{self._target.name} could not be written ({why}); there are rows until t = {until:.9g} s"
            last = replace(last, ended=replace(last.ended, status="stopped", reason=reason))
        recording.finish(about(replace(last, origin=None, states=last.states if last.t.size else self._start())))
        t = times[: recording.rows]
        if last.t.size and t[-1] != last.t[-1] and recording.failure is None:  # it ended between two of them
            t = np.append(times[: recording.rows - 1], last.t[-1])
        if self._own and recording.failure is None:
            self._files.commit()
            recording.path = self._target
        recording.release()
        recorded = Recorded(recording.reader)
        return replace(
            last,
            t=t,
            states=cast("Array", Table(recording.reader, "state_vector")),
            inputs=cast("Array", Table(recording.reader, "input_vector")),
            observables=np.empty((0, last.observables.shape[1])),
            origin=None,
            recorded=recorded,
        )

    def _start(self) -> Array:
        assert self._first is not None  # noqa: S101 # rows were written before
        return self._first.states

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Remove what was not put in its place."""
        self._files.discard()
