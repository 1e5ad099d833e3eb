"""Times of the rows of a run."""

from itertools import pairwise, starmap
from operator import lt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import InputError
from ...plant.checks import FEW, numbers, positive

Array = NDArray[np.float64]

MAX_ROWS = 20_000_000


def _ascends(times: Array) -> bool:
    if times.size > FEW:
        return bool((times[1:] > times[:-1]).all())
    return all(starmap(lt, pairwise(times.tolist())))


def output_grid(duration: float, output_step: float | None, output_times: ArrayLike | None) -> Array:
    """Return the times of the rows: every `output_step` s, the end of the run, and `output_times`."""
    wanted = np.zeros(0)
    if output_times is not None:
        given = numbers("output times", output_times, "s").ravel()
        if not given.size and output_step is None:
            raise InputError(
                "output times: there are none, so the run has no rows; omit `output_times`, or state a time"
            )
        wanted = given if _ascends(given) else np.unique(given)
        if wanted.size and not 0.0 <= wanted.item(0) <= wanted.item(-1) <= duration:
            outside = given[(given < 0.0) | (given > duration)]
            raise InputError(f"output times must be between 0 and the duration of {duration:g} s; got {outside[0]:g} s")
        if output_step is None:
            return wanted
    if output_step is None:
        output_step = duration / 500.0
    period = positive("output_step", output_step, "s")
    if duration / period > MAX_ROWS:
        raise InputError(
            f"an output every {period:g} s for {duration:g} s gives more than {MAX_ROWS:,} rows; use a longer period"
        )
    grid: Array = period * np.arange(int(duration / period * (1.0 + 1e-12)) + 1, dtype=np.float64)
    grid[-1] = min(grid[-1], duration)
    if not wanted.size and duration - grid[-1] <= 8.9e-16 * duration:
        grid[-1] = duration
        return grid
    times = np.union1d(np.append(grid, duration), wanted)
    # k * period and a typed decimal may differ in the last place but mean the same time: keep the typed one
    near = np.flatnonzero(np.diff(times) <= 8.9e-16 * times[1:])
    drop = [n if times[n + 1] in wanted or times[n + 1] == duration else n + 1 for n in near]
    return np.delete(times, drop)
