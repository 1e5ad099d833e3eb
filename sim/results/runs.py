"""What came of many runs: their rows side by side, and each of them as a `Run` when it is asked for."""

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
    from ..campaigns.flight import Flights

__all__ = ["Runs"]

Array = NDArray[np.float64]


def _column(name: str, values: ArrayLike, count: int) -> Array:
    """Return a number of each run, which may be nan. Raises InputError when there are not so many."""
    column = np.asarray(values, dtype=np.float64)
    if column.shape != (count,):
        raise InputError(f"{name} must be {count} numbers, one of each run; got shape {column.shape}")
    return column


@frozen_results
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Runs:
    """Many runs, side by side: `polhode.sim.simulate_many`.

    Attributes
    ----------
    t : numpy.ndarray, shape (n,)
        Times of the rows, s: the same of all runs.
    status : numpy.ndarray of str, shape (runs,)
        How each ended: as `Run.status` has it, "refused" where `simulate` raises, "stopped" where Ctrl-C came first.
    reasons : mapping
        From number of a run to why it did not complete.
    doubtful : numpy.ndarray of int
        The runs of which the engine itself has something to say: a step too long for the rate, a singular pose passed.
        What `simulate` looks at besides, the accuracy to be expected and whether the law fits the craft, is in the
        warnings of each run, as this is: `runs[k].warnings`.
    states, inputs, observables : numpy.ndarray, shape (runs, n, ...)
        The rows, as `Run` has them; not a number after the end of a run.
    beside : numpy.ndarray, shape (runs, n, k), or None
        What laws and blocks wrote, where there are blocks.
    alone : callable
        `alone(k)` flies run k again by itself.
    pattern : callable
        `pattern()` returns a run of their kind, which need not have flown.

    Examples
    --------
    >>> from polhode import plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> runs = sim.simulate_many(craft, rate=[(0, 0, 1), (0, 1, 0)], duration=1.0, at=[1.0], compiled=False)
    >>> runs.values("rate").shape, runs[1].status
    ((2, 1, 3), 'completed')
    """

    t: Array
    status: NDArray[np.str_]
    reasons: Mapping[int, str]
    doubtful: NDArray[np.int64]
    states: Array
    inputs: Array
    observables: Array
    beside: Array | None
    alone: Callable[[int], Run] = field(repr=False)
    pattern: Callable[[], Run] = field(repr=False)

    __repr__ = brief

    def __len__(self) -> int:
        """Return how many runs there are."""
        return self.status.size

    def __iter__(self) -> Iterator[Run]:
        """Yield each run."""
        return (self[k] for k in range(len(self)))

    def __getitem__(self, k: int) -> Run:
        """Return a run, flown again alone: its numbers are the same to the bit, and it says whatever a run says.

        Parameters
        ----------
        k : int
            Its number, from 0.

        Returns
        -------
        Run
            What `simulate` returns.

        Raises
        ------
        InputError
            When there is no such run, or it was refused.
        """
        if not isinstance(k, Integral):
            raise InputError(f"the number of a run is a whole one; got {k!r}")
        if not 0 <= k < len(self):
            raise (IndexError if k == len(self) else InputError)(f"there are runs 0 to {len(self) - 1}; got {k}")
        return self.alone(k)

    def values(self, name: str) -> Array:
        """Return a quantity of all runs.

        Parameters
        ----------
        name : str
            One of `Run.names`.

        Returns
        -------
        numpy.ndarray, shape (runs, n, ...)
            As `Run.values` has it; not a number after the end of a run. What is not in the rows as it stands, such as a
            balance, is worked out from each run, flown again.

        Raises
        ------
        InputError
            When the quantity is unknown, or the runs do not have it.
        """
        flown = np.flatnonzero((self.status != "refused") & (self.status != "stopped"))
        if not flown.size:
            raise InputError("none of the runs has flown; see `reasons`")
        pattern = self._pattern
        if name not in pattern.names:
            return pattern.values(name)  # which says why not
        read = QUANTITIES[name].read if name in QUANTITIES else None
        if isinstance(read, Columns):
            return read.of(getattr(self, read.table), pattern)
        table = np.zeros(0)
        for k in flown.tolist():
            run = self[k]
            found = run.values(name)
            if not table.size:
                table = np.full((len(self), self.t.size, *found.shape[1:]), np.nan)
            here = run.t[: self.t.size] == self.t[: run.t.size]
            table[k, : here.sum()] = found[: here.sum()]
        return table

    def flights(self, metrics: Mapping[str, ArrayLike]) -> "Flights":
        """Return what the runs come to in a campaign: `polhode.sim.campaigns.Together`.

        Parameters
        ----------
        metrics : mapping of str to array_like, shape (runs,)
            Their metrics by name: a number of each run.

        Returns
        -------
        sequence of Flight
            Of each run its metrics, how it ended and why.

        Raises
        ------
        InputError
            When a metric has not one number for each run.
        KeyboardInterrupt
            When Ctrl-C came before all had flown.
        """
        from ..campaigns.flight import Flights

        columns = {name: _column(name, values, len(self)) for name, values in metrics.items()}
        if (self.status == "stopped").any():
            raise KeyboardInterrupt
        return Flights(columns, self.status, self.reasons)

    @cached_property
    def _pattern(self) -> Run:
        return self.pattern()
