"""Results of many runs: rows in common arrays, and each run as a `Run` on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.brief import brief
from ...plant.errors import InputError
from ...plant.frozen import frozen_results
from .quantities import QUANTITIES, Columns
from .run import Run

if TYPE_CHECKING:
    from ..runs.campaigns.outcome import Outcomes

Array = NDArray[np.float64]


def _column(name: str, values: ArrayLike, count: int) -> Array:
    """Return an array of one number per run (may be NaN). Raises InputError when the length differs."""
    column = np.asarray(values, dtype=np.float64)
    if column.shape != (count,):
        raise InputError(f"{name} must be {count} numbers, one per run; got shape {column.shape}")
    return column


@frozen_results
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Runs:
    """Results of many runs, returned by `polhode.sim.runs.simulate_batch`.

    Attributes
    ----------
    t : numpy.ndarray, shape (n,)
        Times of the rows, s, equal for all runs.
    status : numpy.ndarray of str, shape (runs,)
        `Run.status` of each run; "refused" if `simulate` raises an error, "stopped" if Ctrl-C came first.
    reasons : mapping
        Reasons why runs did not complete, by run number.
    flagged : numpy.ndarray of int
        Numbers of the runs with warnings of the engine: a step too long for the rate, a passage near a singular
        pose or a singularity of control moment gyros, a fault.
        `runs[k].warnings` holds these and all other warnings of `simulate`, such as those about the expected accuracy
        or about a law that does not match the spacecraft.
    states, inputs, observables : numpy.ndarray, shape (runs, n, ...)
        The rows as in `Run`; NaN after the end of a run.
    block_signals : numpy.ndarray, shape (runs, n, k), or None
        Outputs of laws and blocks, if there are blocks.
    rerun : callable
        `rerun(k)` repeats run k as a single run.
    pattern : callable
        `pattern()` returns a representative run, which is not necessarily simulated.

    Examples
    --------
    >>> from polhode import plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> runs = sim.simulate_batch(craft, rate=[(0, 0, 1), (0, 1, 0)], duration=1.0, output_times=[1.0], compiled=False)
    >>> runs.values("rate").shape, runs[1].status
    ((2, 1, 3), 'completed')
    """

    t: Array
    status: NDArray[np.str_]
    reasons: Mapping[int, str]
    flagged: NDArray[np.int64]
    states: Array
    inputs: Array
    observables: Array
    block_signals: Array | None
    rerun: Callable[[int], Run] = field(repr=False)
    pattern: Callable[[], Run] = field(repr=False)

    __repr__ = brief

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from .notebook_views import runs_html

        return runs_html(self)

    def __len__(self) -> int:
        """Return the number of runs."""
        return self.status.size

    def __iter__(self) -> Iterator[Run]:
        """Yield each run."""
        return (self[k] for k in range(len(self)))

    def __getitem__(self, k: int) -> Run:
        """Repeat a run as a single run and return it: bitwise identical, and with all warnings.

        Parameters
        ----------
        k : int
            Run number, from 0.

        Returns
        -------
        Run
            The result of `simulate`.

        Raises
        ------
        InputError
            When there is no such run, or it was refused.
        """
        if not isinstance(k, Integral):
            raise InputError(f"the number of a run must be an integer; got {k!r}")
        if not 0 <= k < len(self):
            raise (IndexError if k == len(self) else InputError)(f"there are runs 0 to {len(self) - 1}; got {k}")
        return self.rerun(k)

    def values(self, name: str) -> Array:
        """Return a quantity of all runs.

        Parameters
        ----------
        name : str
            One of `Run.names`.

        Returns
        -------
        numpy.ndarray, shape (runs, n, ...)
            The quantity as in `Run.values`; NaN after the end of a run. A quantity that is not a column of the rows,
            such as a balance, is computed by repeating each run.

        Raises
        ------
        InputError
            When the quantity is unknown, or not available in these runs.
        """
        simulated = np.flatnonzero((self.status != "refused") & (self.status != "stopped"))
        if not simulated.size:
            raise InputError("none of the runs was simulated; see `reasons`")
        pattern = self._pattern
        if name not in pattern.names:
            return pattern.values(name)  # raises the error with the reason
        read = QUANTITIES[name].read if name in QUANTITIES else None
        if isinstance(read, Columns):
            return read.of(getattr(self, read.table), pattern)
        table = np.zeros(0)
        for k in simulated.tolist():
            run = self[k]
            found = run.values(name)
            if not table.size:
                table = np.full((len(self), self.t.size, *found.shape[1:]), np.nan)
            here = run.t[: self.t.size] == self.t[: run.t.size]
            table[k, : here.sum()] = found[: here.sum()]
        return table

    def outcomes(self, metrics: Mapping[str, ArrayLike]) -> Outcomes:
        """Return the outcomes of the runs for a campaign, as `BatchRunner` expects them.

        Parameters
        ----------
        metrics : mapping of str to array_like, shape (runs,)
            Metrics by name, with one number for each run.

        Returns
        -------
        sequence of Outcome
            Metrics, status and reason of each run.

        Raises
        ------
        InputError
            When a metric does not have one number for each run.
        KeyboardInterrupt
            When Ctrl-C came before all runs were simulated.
        """
        from ..runs.campaigns.outcome import Outcomes

        columns = {name: _column(name, values, len(self)) for name, values in metrics.items()}
        if (self.status == "stopped").any():
            raise KeyboardInterrupt
        return Outcomes(columns, self.status, self.reasons)

    @cached_property
    def _pattern(self) -> Run:
        return self.pattern()
