"""Synchronisation of a run with wall-clock time, for hardware or people in the loop."""

import time
from collections.abc import Generator
from contextlib import contextmanager

from ...plant.checks import positive


class RealTime:
    """Synchronisation of external calls with wall-clock time, with a count of late answers.

    The clock starts with the first call. An answer is due when it takes effect (`delay` after the sample) or, if there
    is no delay, at the next sample. A run that is late continues without pauses until it has caught up. The results do
    not depend on the clock.

    rate: simulated seconds per second of wall-clock time.
    """

    def __init__(self, rate: float) -> None:
        self.rate = positive("real_time", rate, "s of the run in a second")
        self.answers, self.overruns, self.latest = 0, 0, 0.0
        self._start: float | None = None

    @contextmanager
    def question(self, t: float, *, due: float) -> Generator[None]:
        """Wait for the simulated time t, s, and measure the lateness of the answer, which is due at t + due."""
        if self._start is None:
            self._start = time.monotonic() - t / self.rate
        wait = self._start + t / self.rate - time.monotonic()
        if wait > 0.0:
            time.sleep(wait)
        yield
        late = time.monotonic() - self._start - (t + due) / self.rate
        self.answers += 1
        if late > 0.0:
            self.overruns += 1
            self.latest = max(self.latest, late)

    def counters(self) -> dict[str, float]:
        """Return the counters of the run: number of answers and of late answers, and the largest lateness (s)."""
        return {
            "real_time_answers": self.answers,
            "real_time_overruns": self.overruns,
            "real_time_latest_s": self.latest,
        }

    def words(self) -> str:
        """Return a warning about late answers; empty if there were none."""
        if not self.overruns:
            return ""
        return (
            f"{self.overruns} of {self.answers} answers were late for a run at {self.rate:g} s per second of "
            f"wall-clock time, by at most {self.latest:.3g} s: the run was not in real time at these samples. Its "
            "results are not affected"
        )
