"""Mode intervals of a run, with the time and the cause of each entry."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...controllers.laws.modes.modes_kernel import SIGNALS
from ...plant.checks import of_kind
from ...plant.errors import InputError

if TYPE_CHECKING:
    from .run import Run

MODE_QUANTITY, CAUSE, SINCE, COUNT = SIGNALS


@dataclass(frozen=True, kw_only=True)
class ModeInterval:
    """An interval of a run in one mode.

    Attributes
    ----------
    mode : str
        Name of the mode.
    start, end : float
        Time of entry, and time of exit or end of the run, s.
    why : str
        The condition that caused the entry; "start" for the first mode.
    unseen : int
        Number of preceding modes that are not listed, because they were entered and left between two rows.
    """

    mode: str
    start: float
    end: float
    why: str
    unseen: int = 0


def mode_intervals(run: "Run") -> tuple[ModeInterval, ...]:
    """Return the intervals of the modes of a run in order of time.

    Parameters
    ----------
    run : Run
        A run of a law with modes.

    Returns
    -------
    tuple of ModeInterval
        Intervals in order of time. Times of entry are exact and do not depend on the rows. A mode that ends before the
        next row is omitted; `unseen` of the following interval counts such modes.

    Raises
    ------
    InputError
        When the law has no modes.
    """
    from .run import Run

    of_kind("run", run, Run, such_as="a Run, as simulate returns it")
    if MODE_QUANTITY not in run.names or not run.labels(MODE_QUANTITY):
        raise InputError("the run has no modes: its law is not one of Modes([...])")
    names, causes = run.labels(MODE_QUANTITY), run.labels(CAUSE)
    mode, cause, since, count = (run.values(name) for name in SIGNALS)
    if not len(count):
        return ()
    rows = [0, *(np.flatnonzero(np.diff(count) != 0.0) + 1).tolist()]
    ends = [*(float(since[row]) for row in rows[1:]), float(run.t[-1])]
    found: list[ModeInterval] = []
    before = -1.0
    for row, end in zip(rows, ends, strict=True):
        found.append(
            ModeInterval(
                mode=names[int(mode[row])], start=float(since[row]), end=end, why=causes[int(cause[row])],
                unseen=int(count[row] - before) - 1,
            )
        )  # fmt: skip
        before = float(count[row])
    return tuple(found)
