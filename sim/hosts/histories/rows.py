"""Rows of a history: dates of a run's output rows, and dates and numbers in the lines of a message."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import of_kind
from ....plant.errors import InputError
from .epochs import dates, moment, require_no_leap

if TYPE_CHECKING:
    from ...results.run import Run

Array = NDArray[np.float64]


def created() -> str:
    """Return the current date as the creation date of a message."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def row_dates(run: "Run", epoch: str, time_system: str) -> list[str]:
    """Return the dates of a run's output rows.

    Raises InputError when the epoch is invalid, a leap second falls within the run, or two rows have the same date.
    """
    from ...results.run import Run

    of_kind("run", run, Run, such_as="a Run, as simulate returns it")
    when = dates(moment(epoch), run.t)
    require_no_leap(when[0], when[-1], time_system=time_system)
    if (np.diff(when.astype(np.int64)) <= 0).any():
        raise InputError("two rows of the run are less than a nanosecond apart, the resolution of dates")
    return [str(each) for each in when]


def rows_of_numbers(path: str | Path, rows: list[list[str]], width: int) -> tuple[NDArray[np.datetime64], Array]:
    """Return the date and the first `width` numbers of each line, in ascending order of time."""
    for row in rows:
        if len(row) <= width:
            raise InputError(f"{path}: the line {' '.join(row)[:60]!r} has {len(row) - 1} numbers instead of {width}")
    when = np.array([moment(row[0], what=str(path)) for row in rows])
    try:
        numbers = np.array([[float(each) for each in row[1 : width + 1]] for row in rows])
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    if (np.diff(when.astype(np.int64)) <= 0).any():
        raise InputError(f"{path}: its times are not ascending")
    return when, numbers
