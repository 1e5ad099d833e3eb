"""Streaming of the rows of a run to a file."""

from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from ...controllers.laws.files.whole_file import WholeFiles
from ...plant.checks import of_kind
from ..engine.observed import Observed
from .labelled import about, recordable
from .recorded import Recorded, Table
from .recording import Recording
from .run import Run

ROOM = 65_536
"""Number of rows in memory: about 20 MB with all derived quantities."""

Array = NDArray[np.float64]


class Streaming:
    """Writer that stores the rows of a run in a file during the simulation.

    stream: path of the file, which gets this name at the end of the run, or a recording created by the caller.
    """

    def __init__(self, stream: str | Path | Recording) -> None:
        of_kind("stream", stream, (str, Path, Recording), such_as="the path of a file, run.nc")
        self._files = WholeFiles()
        self._target = Path(stream) if not isinstance(stream, Recording) else stream.path
        self._own = not isinstance(stream, Recording)
        self._recording = stream if isinstance(stream, Recording) else Recording(self._files.part(self._target))

    @property
    def failure(self) -> OSError | None:
        """First write error, or None."""
        return self._recording.failure

    def append(self, run: Run) -> None:
        """Append rows to the file; run: a run with these rows."""
        self._recording.append(recordable(run))

    def gather(self, last: Run, times: Array) -> Run:
        """Write the last rows, and return the run, whose rows are read from the file.

        last: the rows not yet written, and the end of the run; times: times of all requested rows. If the disk was
        full, the run has the status "stopped" and a reason; its rows can still be read and saved.
        """
        recording = self._recording
        if recording.failure is None and (last.t.size or not recording.rows):
            self.append(last)
        t = times[: recording.rows]
        if recording.failure is not None:
            why = recording.failure.strerror or str(recording.failure)
            reason = f"{self._target.name} could not be written ({why}); there are rows until t = {t[-1]:.9g} s"
            last = replace(last, end_report=replace(last.end_report, status="stopped", reason=reason))
        elif last.t.size and (t.size < recording.rows or t[-1] != last.t[-1]):  # run ended between two rows
            t = np.append(times[: recording.rows - 1], last.t[-1])
        return replace(
            last,
            t=t,
            states=cast("Array", Table(recording.reader, "state_vector")),
            inputs=cast("Array", Table(recording.reader, "input_vector")),
            end_report=last.ended,
            observed=Observed.known(np.empty((0, last.observables.shape[1]))),
            own=None,
            block_signals=None,
            recorded=Recorded(recording.reader),
        )

    def close(self, run: Run) -> Run:
        """Write the end of the run, rename the file to its target, and return the run."""
        self._recording.finish(about(run))
        if self._own and self._recording.failure is None:
            self._files.commit()
            self._recording.path = self._target
        self._recording.release()
        return run

    def __enter__(self) -> Self:
        """Return the writer itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Remove an unfinished file."""
        self._files.discard()
