"""Monte Carlo campaigns: many runs with dispersed parameters, on parallel workers, with a journal."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import of_kind
from ....plant.errors import InputError
from .distribution import Distribution
from .draws import Correlated, Draw, check_groups, draws_of, flat_columns, runs_of, sources
from .journal import MISSING, Journal, Records
from .outcome import BatchWorker, Outcome
from .result import Campaign, table
from .signal_rows import SignalRows
from .workers import fly_batches

Array = NDArray[np.float64]

MOST = 4096  # largest number of runs per batch
MOST_RUNS = 2**32 - 1  # limited by the 32-bit counter of the random numbers; the last value is the nominal run's


def campaign(
    fly: Callable[[Draw], Outcome | Mapping[str, float]],
    dispersions: Mapping[str, Distribution],
    *,
    runs: int | None = None,
    seed: int = 0,
    plan: str = "random",
    correlated: Sequence[Correlated] = (),
    nominal: Mapping[str, Any] | None = None,
    workers: int | None = 1,
    engine: str = "processes",
    dask: Any = None,
    journal: str | Path | None = None,
    metadata: Mapping[str, Any] | None = None,
    enough: Callable[[Campaign], bool] | None = None,
    each: int = 100,
    progress: Callable[[float], None] | None = None,
) -> Campaign:
    """Run a simulation many times with dispersed parameters.

    The draws and results of a run depend only on seed, plan and run number. Workers, batches, order and an
    interruption of the campaign do not change them.

    Parameters
    ----------
    fly : callable
        `fly(draw)` simulates one run with `draw.values` and returns its metrics by name, or an `Outcome`;
        `BatchRunner(fly)` simulates several in one call. An `InputError` or another `PolhodeError` marks the run as
        refused; the campaign continues. For processes the function must be importable: at the top level of a module,
        or an object of a class defined there.
    dispersions : mapping of str to Distribution
        Distributions of the dispersed parameters, by name.
    runs : int, optional
        Number of runs; not needed for plans that define it (corners, one-at-a-time).
    seed : int
        Seed of all random numbers.
    plan : str
        "random", "latin-hypercube", "sobol" (number of runs: a power of 2), "saltelli" (see `Campaign.sobol_indices`;
        number of runs: a power of 2 times (2 + number of dispersions)), "factorial" (levels^numbers runs;
        if all dispersions are `Choice`, every combination of their values), "one-at-a-time" or "corners" (each number
        at -3 and +3 sigma, or nearly at its bounds).
    correlated : sequence of Correlated
        Groups of correlated parameters.
    nominal : mapping, optional
        Values of the nominal run, which is simulated first. By default, or for a value None, the middle of the
        distribution.
    workers : int, optional
        Number of parallel runs; None: the number of cores.
    engine : str
        "processes"; "threads" for work outside the Python interpreter; or "auto": threads at first, which start
        immediately, then processes for the remaining runs if the threads block each other.
    dask : str or distributed.Client, optional
        Address of a Dask scheduler, or its client, whose workers simulate the runs.
    journal : str or path, optional
        File that stores every run on completion. Repeating the call resumes a campaign that was killed. A journal of
        a different campaign is rejected; the error names the difference. A random plan may have more runs than before.
    metadata : mapping, optional
        Further data, convertible to JSON, that must be unchanged on resumption: for example the case and versions.
    enough : callable, optional
        Stop criterion: `enough(campaign)` is called after `each`, 2 `each`, ... runs and returns whether they suffice.
    each : int
        Number of runs between two calls of `enough`.
    progress : callable, optional
        Called with the completed fraction of the runs.

    Returns
    -------
    Campaign
        All runs, in order of run number; after Ctrl-C, only those already completed.

    Raises
    ------
    InputError
        When an argument is out of range, names do not match, or the journal belongs to a different campaign.
    SaveError
        When the journal cannot be written; its contents are kept.

    Examples
    --------
    >>> from polhode.sim.runs.campaigns import Uniform
    >>> found = campaign(lambda draw: {"square": draw.values["x"] ** 2}, {"x": Uniform(low=0, high=2)}, runs=200)
    >>> share, low, high = found.pass_rate("square", high=1.0)
    >>> bool(low < 0.5 < high)
    True
    """
    _check_dispersions(dispersions)
    groups = tuple(correlated)
    check_groups(groups, dispersions)
    wanted = runs_of(plan, dispersions.values()) if runs is None else runs
    if wanted is None or not 1 <= wanted < MOST_RUNS:
        raise InputError(f"runs must be from 1 to {MOST_RUNS - 1}; got {runs}")
    count = _worker_count(workers)
    drawn = draws_of(dispersions, groups, plan=plan, runs=wanted, seed=seed)
    reached, signals, times = _nominal_results(fly(drawn.nominal(nominal or {})))
    columns = tuple(flat_columns(drawn(0).values))
    flyer = BatchWorker(fly, drawn, tuple(reached), tuple(signals), times.size)
    plain = {"seed": seed, "plan": plan, "runs": wanted}
    content = {**plain, **_content(dispersions, groups, tuple(signals), times), **(metadata or {})}
    grows = ("runs",) if plan == "random" else ()
    kept = None if journal is None else Path(journal)
    with Journal(kept, content, (*columns, *reached), runs=wanted, may_grow=grows) as book:
        rows = SignalRows(
            None if kept is None else kept.with_name(kept.name + ".signals"),
            wanted,
            len(signals) * times.size,
            resumed=book.completed > 0,
        )

        def gather(upto: int, ended: str) -> Campaign:
            about: dict[str, Any] = {"plan": plan, "seed": seed, "t": times, "signals": tuple(signals)}
            apart = tuple(sources(dispersions, groups))
            return table(book, reached, rows, upto=upto, ended=ended, sources=apart, **about)

        looked = 0
        stages = range(each, wanted, each) if enough is not None else ()
        try:
            for end in (*stages, wanted):
                missing = looked + np.flatnonzero(book.status[looked:end] == MISSING)
                for records in fly_batches(flyer, missing, most=MOST, workers=count, engine=engine, dask=dask):
                    _store(records, book, rows)
                    if progress is not None:
                        progress(book.completed / wanted)
                looked = end
                if enough is not None and end < wanted and enough(gather(end, "enough")):
                    return gather(end, "enough")
        except KeyboardInterrupt:
            return gather(wanted, "interrupted")
        return gather(wanted, "complete")


def _check_dispersions(dispersions: Mapping[str, Distribution]) -> None:
    """Raise InputError if there is no dispersion, or one is not a distribution."""
    if not dispersions:
        raise InputError("a campaign needs at least one dispersion; for a single run use `simulate`")
    for name, distribution in dispersions.items():
        of_kind(f"the dispersion of {name}", distribution, Distribution, such_as="a distribution, such as Normal(...)")


def _nominal_results(first: Outcome | Mapping[str, float]) -> tuple[dict[str, Any], Mapping[str, Any], Array]:
    """Return metrics, signals and times of the nominal run, which define the columns of the campaign."""
    outcome = first if isinstance(first, Outcome) else Outcome(metrics=first)
    signals = outcome.signals or {}
    times = np.zeros(0) if outcome.t is None else np.asarray(outcome.t, dtype=np.float64)
    if any(np.shape(row) != times.shape for row in signals.values()):
        raise InputError("each signal of the nominal run must have a number at each time in t")
    return dict(outcome.metrics), signals, times


def _worker_count(workers: int | None) -> int:
    """Return the number of workers; None: the number of cores that this process may use."""
    count = len(os.sched_getaffinity(0)) if workers is None and hasattr(os, "sched_getaffinity") else workers
    count = os.cpu_count() or 1 if count is None else count
    if count < 1:
        raise InputError(f"workers must be at least 1; got {count}")
    return count


def _content(
    dispersions: Mapping[str, Distribution], groups: Sequence[Correlated], signals: Sequence[str], times: Array
) -> dict[str, Any]:
    """Return dispersions, signals and correlations in JSON types, for the comparison when a campaign resumes."""
    found: dict[str, Any] = {"dispersions": {name: _as_plain(each) for name, each in dispersions.items()}}
    if signals:
        found["signals"] = {"names": [*signals], "t": [times.size, float(times[0]), float(times[-1])]}
    found["correlated"] = [[list(group.names), np.asarray(group.correlation).tolist()] for group in groups]
    return found


def _store(records: Records, book: Journal, rows: SignalRows) -> None:
    """Add completed runs to the journal, and the signals of runs that it lacks."""
    for run, row in zip(records.run.tolist(), records.rows or (), strict=False):
        if row is not None and book.status[run] == MISSING:
            rows.put(run, row)
    rows.flush()
    book.append(records)


def _as_plain(value: Any) -> Any:
    """Return a distribution in JSON types, to compare it when a campaign resumes."""
    if is_dataclass(value):
        return {
            "distribution": type(value).__name__,
            **{f.name: _as_plain(getattr(value, f.name)) for f in fields(value)},
        }
    if isinstance(value, tuple | list):
        return [_as_plain(entry) for entry in value]  # pyright: ignore[reportUnknownVariableType]
    return value.tolist() if isinstance(value, np.ndarray) else value  # pyright: ignore[reportUnknownVariableType]
