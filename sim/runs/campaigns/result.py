"""Result of a campaign: a table with one row per run, and statistics over the runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.checks import choice, numbers
from ....plant.errors import InputError
from ....plant.frozen import frozen_results
from .journal import MISSING, Journal
from .signal_rows import SignalRows
from .sobol import SobolIndex, sobol_indices
from .statistics import clopper_pearson, rank_correlation

Array = NDArray[np.float64]

STATUS = ("completed", "singular", "failed", "refused")
"""Status of a run: as in `Run.status`, or "refused" if the drawn values are invalid."""


@frozen_results
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Campaign:
    """Result of a campaign.

    Attributes
    ----------
    planned : int
        Number of planned runs.
    ended : str
        "complete", "enough" (the stop criterion `enough` was met), or "interrupted".
    plan, seed : str, int
        Plan and seed of the draws.
    run : numpy.ndarray, shape (n,)
        Numbers of the simulated runs, ascending.
    status : numpy.ndarray of str, shape (n,)
        Status of each run; see `STATUS`.
    dispersed, metrics : mapping
        Columns (n,) by name. The dispersed values have one column per number (`name[0]`, `name[1]`, ...). Metrics are
        nan if a run has no value.
    reasons : mapping
        Reasons why runs did not complete, by run number.
    nominal : mapping
        The metrics of the nominal run.
    t : numpy.ndarray, shape (n,)
        Times of the signals, s; empty if there are none.
    signals : tuple of str
        Names of the signals; see `bands`.
    rows : SignalRows
        Signals of the runs, for `bands`.
    sources : tuple of str
        Names of the independent sources: each dispersion, or a group of correlated dispersions.
    """

    planned: int
    ended: str
    plan: str
    seed: int
    run: NDArray[np.int64]
    status: NDArray[np.str_]
    dispersed: Mapping[str, Array]
    metrics: Mapping[str, Array]
    reasons: Mapping[int, str]
    nominal: Mapping[str, float]
    t: Array
    signals: tuple[str, ...]
    rows: SignalRows
    sources: tuple[str, ...]

    __repr__ = brief

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from ...results.notebook_views import campaign_html

        return campaign_html(self)

    def passed(self, metric: str, *, low: float = -np.inf, high: float = np.inf) -> NDArray[np.bool_]:
        """Return a mask of the runs that completed with a metric within bounds.

        Parameters
        ----------
        metric : str
            Name of the metric.
        low, high : float
            Inclusive bounds of the metric.

        Returns
        -------
        numpy.ndarray of bool, shape (n,)
            True for each run that passes; False for a run that has no value.

        Raises
        ------
        InputError
            When there is no such metric.
        """
        column = self._column(metric)
        return (self.status == "completed") & (column >= low) & (column <= high)

    def pass_rate(
        self, metric: str, *, low: float = -np.inf, high: float = np.inf, confidence: float = 0.9
    ) -> tuple[float, float, float]:
        """Return the fraction of the simulated runs that pass, and its confidence interval.

        Parameters
        ----------
        metric, low, high
            As in `passed`.
        confidence : float
            Confidence level of the Clopper-Pearson interval.

        Returns
        -------
        tuple of float
            Fraction, lower bound and upper bound. The interval is valid only for the plan "random".
        """
        good = self.passed(metric, low=low, high=high)
        return float(good.mean()), *clopper_pearson(int(good.sum()), good.size, confidence=confidence)

    def worst(self, metric: str, count: int = 5, *, least: bool = False) -> list[int]:
        """Return the numbers of the runs with the largest values of a metric, the worst first.

        Parameters
        ----------
        metric : str
            Name of the metric.
        count : int
            Number of runs to return.
        least : bool
            Whether the smallest values are the worst.

        Returns
        -------
        list of int
            Run numbers. Runs that have no value come first: they rank as worse than any number.
        """
        column = self._column(metric)
        key = np.where(np.isnan(column), np.inf, -column if least else column)
        return [int(self.run[n]) for n in np.argsort(-key, kind="stable")[:count]]

    def bands(self, signal: str, shares: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> Array:
        """Return quantiles of a signal over the runs, at each time.

        Parameters
        ----------
        signal : str
            Name of the signal.
        shares : sequence of float
            Probabilities of the quantiles, from 0 to 1.

        Returns
        -------
        numpy.ndarray, shape (len(shares), n)
            Quantiles over the runs that have a value at that time; the signals are stored in single precision.

        Raises
        ------
        InputError
            When there is no such signal, or a probability is outside 0 to 1.
        """
        at = self.signals.index(choice("signal", signal, self.signals))
        wanted = numbers("shares", shares)
        if not ((wanted >= 0.0) & (wanted <= 1.0)).all():
            raise InputError(f"shares must lie within 0 and 1; got {shares!r}")
        columns = slice(at * self.t.size, (at + 1) * self.t.size)
        return self.rows.quantiles(self.run[self.status != "refused"], columns, wanted.tolist())

    def sensitivities(self, metric: str) -> dict[str, float]:
        """Return the rank correlation of a metric with each dispersed value, the strongest first.

        Parameters
        ----------
        metric : str
            Name of the metric.

        Returns
        -------
        dict
            Spearman's coefficient by column. Columns that do not vary, or equal an earlier column (as in a symmetric
            tensor), are omitted.
        """
        column = self._column(metric)
        different: dict[str, Array] = {}
        for name, values in self.dispersed.items():
            if not any(np.array_equal(values, other) for other in different.values()):
                different[name] = values
        found = {name: rank_correlation(values, column) for name, values in different.items()}
        return dict(sorted(((k, v) for k, v in found.items() if not np.isnan(v)), key=lambda item: -abs(item[1])))

    def sobol_indices(self, metric: str, *, confidence: float = 0.9) -> dict[str, SobolIndex]:
        """Return the Sobol indices of a metric for each source, in descending order of the total index.

        Parameters
        ----------
        metric : str
            Name of the metric.
        confidence : float
            Confidence level of the intervals.

        Returns
        -------
        dict
            Indices by source: the name of a dispersion, or the names of correlated dispersions. Empty if the metric
            does not vary. Samples in which a run has no value are omitted: see `SobolIndex.samples`.

        Raises
        ------
        InputError
            When the runs do not follow a plan "saltelli", or fewer than 16 samples are complete.

        Notes
        -----
        The formulas are those of Saltelli et al. (2010), table 2: (b) for the first order, and (f), after Jansen, for
        the total. The intervals come from a bootstrap that treats the samples as independent random draws. For a Sobol
        sequence, the true intervals are narrower.
        """
        if self.plan != "saltelli":
            raise InputError(
                f'Sobol indices require runs with plan = "saltelli"; these have plan = "{self.plan}". '
                "`sensitivities` is valid for every plan"
            )
        column = np.full(self.planned, np.nan)
        column[self.run] = self._column(metric)
        samples = column.reshape(-1, len(self.sources) + 2)
        return sobol_indices(samples, self.sources, confidence=confidence, seed=self.seed)

    def _column(self, metric: str) -> Array:
        return self.metrics[choice("metric", metric, tuple(self.metrics))]


def table(
    book: Journal,
    nominal: Mapping[str, float],
    rows: SignalRows,
    *,
    upto: int,
    ended: str,
    plan: str,
    seed: int,
    t: Array,
    signals: tuple[str, ...],
    sources: tuple[str, ...],
) -> Campaign:
    """Return the result of the runs with numbers below `upto`; the last columns of the journal are the metrics."""
    run = np.flatnonzero(book.status[:upto] != MISSING)
    all_there = run.size == book.status.size
    found = book.numbers if all_there else book.numbers[run]  # avoids a copy if possible
    first = len(book.columns) - len(nominal)
    return Campaign(
        planned=book.status.size,
        ended=ended,
        plan=plan,
        seed=seed,
        run=run,
        status=np.array(STATUS)[book.status[run]],
        dispersed={name: found[:, n] for n, name in enumerate(book.columns[:first])},
        metrics={name: found[:, first + n] for n, name in enumerate(nominal)},
        reasons={each: book.reasons[each] for each in sorted(book.reasons) if each < upto},
        nominal=nominal,
        t=t,
        signals=signals,
        rows=rows,
        sources=sources,
    )
