"""Outcome of one campaign run, and simulation of a batch of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import choice, of_kind
from ....plant.errors import InputError, PolhodeError
from ....plant.frozen import frozen_arrays
from .draws import Draw, Drawn, Draws, columns_of, drawn_alone, flat_columns
from .journal import Record, Records
from .result import STATUS


def _is_number(value: Any) -> bool:
    try:
        float(np.nan if value is None else value)
    except (TypeError, ValueError):
        return False
    return np.ndim(cast("Any", value)) == 0


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """Outcome of one run, for functions that return more than metrics.

    Attributes
    ----------
    metrics : mapping
        Metrics by name, nan for a metric that has no value; the names must be the same in every run.
    actual : mapping
        Actual values in the run, read back from the simulated objects; by default the drawn values.
    status : str
        One of `STATUS`.
    reason : str
        Why the run did not complete; empty otherwise.
    t : array_like, shape (n,), optional
        Times of the signals, s, equal in all runs; a run may end early.
    signals : mapping, optional
        Signals by name, one value per time in `t`; `Campaign.bands` returns their quantiles.

    Raises
    ------
    InputError
        When metrics is not a mapping of names to numbers, or the status is unknown.
    """

    metrics: Mapping[str, float]
    actual: Mapping[str, ArrayLike] | None = None
    status: str = "completed"
    reason: str = ""
    t: ArrayLike | None = None
    signals: Mapping[str, ArrayLike] | None = None

    def __post_init__(self) -> None:
        """Check the result of a user-defined function."""
        of_kind("metrics of a run", self.metrics, Mapping, such_as='numbers by name, such as {"error": 0.1}')
        for name, value in self.metrics.items():
            if value.__class__ is not float and not _is_number(value):
                raise InputError(f"the metric {name} of a run must be a number, nan if it has none; got {value!r:.60}")
        choice("status", self.status, STATUS)


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Outcomes(Sequence[Outcome]):
    """Outcomes of several runs as arrays; a sequence of `Outcome`. See `polhode.sim.Runs.outcomes`.

    Attributes
    ----------
    metrics : mapping
        Metrics by name, one value per run.
    status : numpy.ndarray of str, shape (n,)
        Status of each run, one of `STATUS`.
    reasons : mapping
        Reasons why runs did not complete, by index.
    """

    metrics: Mapping[str, NDArray[np.float64]]
    status: NDArray[np.str_]
    reasons: Mapping[int, str]

    def __len__(self) -> int:
        """Return the number of runs."""
        return self.status.size

    def __getitem__(self, k: Any) -> Any:
        """Return the outcome of one run, or of several.

        Parameters
        ----------
        k : int or slice
            Index in this sequence, from 0.

        Returns
        -------
        Outcome or list of Outcome
            The outcomes of the selected runs.
        """
        if isinstance(k, slice):
            return [self[n] for n in range(*k.indices(len(self)))]
        metrics = {name: float(column[k]) for name, column in self.metrics.items()}
        return Outcome(metrics=metrics, status=str(self.status[k]), reason=self.reasons.get(k, ""))


@dataclass(frozen=True, eq=False)
class BatchRunner:
    """Simulation of several runs of a campaign in one call, for example with `simulate_batch`.

    The outcome of a run must not depend on the other runs of the call; a call may contain any selection of runs.

    Attributes
    ----------
    fly : callable
        `fly(draws)` returns one result per draw, in order: its metrics by name, an `Outcome` (see `Runs.outcomes`), or
        the `PolhodeError` that rejects the draw. `draws.values` holds the values of all draws by name, with numbers as
        arrays (n, ...). If `fly` raises a `PolhodeError`, each draw is simulated in a separate call. A draw that raises
        again counts as a refused run.

    Examples
    --------
    >>> from polhode.sim.runs.campaigns import Uniform, campaign
    >>> squares = BatchRunner(lambda draws: [{"square": draw.values["x"] ** 2} for draw in draws])
    >>> found = campaign(squares, {"x": Uniform(low=0, high=2)}, runs=200)
    >>> bool(found.metrics["square"].max() < 4.0)
    True
    """

    fly: Callable[[Sequence[Draw]], Sequence[Outcome | Mapping[str, float] | PolhodeError]]

    def __call__(self, draw: Draw) -> Outcome | Mapping[str, float]:
        """Simulate one run.

        Parameters
        ----------
        draw : Draw
            The inputs of the run.

        Returns
        -------
        Outcome or mapping
            The outcome of the run.

        Raises
        ------
        PolhodeError
            When `fly` refuses the run.
        """
        found = self.several(drawn_alone(draw))[0]
        if isinstance(found, PolhodeError):
            raise found
        return found

    def several(self, draws: Sequence[Draw]) -> Sequence[Outcome | Mapping[str, float] | PolhodeError]:
        """Simulate several runs.

        Parameters
        ----------
        draws : sequence of Draw
            The inputs of each run.

        Returns
        -------
        sequence of Outcome, mapping or PolhodeError
            The outcome of each run, or the error for a refused run.

        Raises
        ------
        InputError
            When `fly` does not return one result per draw.
        """
        found = self.fly(draws)
        of_kind("what fly(draws) returns", found, Sequence, such_as="a list of the metrics of each run (Runs.outcomes)")
        if len(found) != len(draws):
            raise InputError(f"fly(draws) must return one result for each of the {len(draws)} draws; got {len(found)}")
        return found


@dataclass(frozen=True, eq=False)
class BatchWorker:
    """Simulation of a batch of runs; the function sent to a worker."""

    fly: Callable[[Draw], Outcome | Mapping[str, float]]
    draw: Draws
    metrics: tuple[str, ...]
    signals: tuple[str, ...]
    times: int

    def __call__(self, batch: Sequence[int]) -> Records:
        """Simulate several runs."""
        draws = self.draw.of(batch)
        if isinstance(self.fly, BatchRunner) and len(draws) > 1:
            try:
                found = self.fly.several(draws)
                if isinstance(found, Outcomes) and not self.signals and set(found.metrics) == set(self.metrics):
                    return self._rows_of(draws, found)
                return Records.of([self._record(*each) for each in zip(draws, found, strict=True)])
            except PolhodeError:  # the separate run of the invalid draw raises the error again
                pass
        return Records.of([self._one(draw) for draw in draws])

    def _rows_of(self, draws: Drawn, found: Outcomes) -> Records:
        """Return the records of the runs of one call, built from arrays."""
        words, which = np.unique(found.status, return_inverse=True)
        status = np.array([STATUS.index(word) for word in words.tolist()], dtype=np.uint8)[which]
        metrics = np.array([found.metrics[name] for name in self.metrics]).reshape(len(self.metrics), -1).T
        reasons = {draws.runs[k]: reason for k, reason in found.reasons.items()}
        return Records(np.array(draws.runs), status, np.hstack([columns_of(draws.values), metrics]), reasons)

    def _one(self, draw: Draw) -> Record:
        """Simulate one run."""
        try:
            found = self.fly(draw)
        except PolhodeError as error:
            found = error
        return self._record(draw, found)

    def _record(self, draw: Draw, found: Outcome | Mapping[str, float] | PolhodeError) -> Record:
        if isinstance(found, PolhodeError):
            numbers = [*flat_columns(draw.values).values(), *(np.nan for _ in self.metrics)]
            return Record(draw.run, STATUS.index("refused"), np.array(numbers), str(found))
        run, flight = draw.run, found if isinstance(found, Outcome) else Outcome(metrics=found)
        actual = flat_columns(draw.values if flight.actual is None else flight.actual)
        if set(flight.metrics) != set(self.metrics):
            other = ", ".join(sorted(set(flight.metrics) ^ set(self.metrics)))
            raise InputError(
                f"run {run} has different metrics from the nominal run ({other}); return the same metrics in each run, "
                "nan if there is no value"
            )
        numbers = [*actual.values(), *[flight.metrics[name] for name in self.metrics]]
        rows = self._rows(run, flight.signals or {})
        return Record(run, STATUS.index(flight.status), np.array(numbers, dtype=np.float64), flight.reason, rows)

    def _rows(self, run: int, signals: Mapping[str, ArrayLike]) -> NDArray[np.float32] | None:
        """Return the signals of a run, concatenated, with NaN after an early end."""
        if not self.signals:
            return None
        rows = np.full((len(self.signals), self.times), np.nan, dtype=np.float32)
        for n, name in enumerate(self.signals):
            if name not in signals or np.size(signals[name]) > self.times:
                raise InputError(
                    f"run {run} has no signal {name} with at most {self.times} numbers, but the nominal run does"
                )
            rows[n, : np.size(signals[name])] = signals[name]
        return rows.ravel()
