"""Consistency of a filter: NEES and NIS of one or many runs, with their confidence bands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.sensing.estimators import chi_square_band
from ...plant.brief import brief
from ...plant.checks import finite, of_kind
from ...plant.errors import InputError
from ...plant.frozen import frozen_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..results.run import Run

Array = NDArray[np.float64]

ATTITUDE = 4  # width of an attitude measurement; a direction has a width of 3 and two degrees of freedom


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class NormalizedErrors:
    """Normalised squared errors over time, averaged over runs, with their confidence band.

    Attributes
    ----------
    t : numpy.ndarray, shape (m,)
        Times, s.
    values : numpy.ndarray, shape (m,)
        Means over the runs.
    degrees : int
        Degrees of freedom of a single value, which equal the expected mean.
    band : tuple of float
        Band that contains a mean over the runs with the requested probability.
    inside : float
        Fraction of the times at which the mean is inside the band.
    overall : float
        Mean over times and runs.
    overall_band : tuple of float or None
        Band for `overall`, if values at different times are independent, as for a NIS; None for a NEES.
    """

    t: Array
    values: Array
    degrees: int
    band: tuple[float, float]
    inside: float
    overall: float
    overall_band: tuple[float, float] | None

    __repr__ = brief


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class Consistency:
    """Consistency of a filter: NEES of the attitude and NIS of each sensor.

    Attributes
    ----------
    nees : NormalizedErrors
        Sum over the body axes of squared attitude error divided by the filter's variance: three degrees of freedom. The
        filter reports variances but no correlations between axes; if errors are correlated, the mean is unchanged, but
        the band is too narrow.
    nis : mapping of str to NormalizedErrors
        NIS of each sensor, over the messages that the filter used.
    runs : int
        Number of averaged runs.
    probability : float
        Probability that a mean is inside its band.
    """

    nees: NormalizedErrors
    nis: Mapping[str, NormalizedErrors]
    runs: int
    probability: float

    __repr__ = brief

    def __str__(self) -> str:
        """Return the statistics as a table."""
        share = f"{100.0 * self.probability:g} %"
        lines = [f"{'':<22}     mean  expected   {share} band of it      inside at each time"]
        for name, each in {"NEES of the attitude": self.nees, **{f"NIS {k}": v for k, v in self.nis.items()}}.items():
            band = "" if each.overall_band is None else f"{each.overall_band[0]:.4g} to {each.overall_band[1]:.4g}"
            lines.append(
                f"{name:<22} {each.overall:8.4g}  {each.degrees:8d}   {band:<18} {100.0 * each.inside:12.3g} %"
            )
        return "\n".join([*lines, f"{self.runs} run{'s' if self.runs > 1 else ''}"])

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            Means, bands and fractions inside the bands, without the values at each time.
        """

        def entry(each: NormalizedErrors) -> dict[str, Any]:
            return {
                "mean": each.overall,
                "degrees": each.degrees,
                "band_of_mean": None if each.overall_band is None else list(each.overall_band),
                "band": list(each.band),
                "inside": each.inside,
            }

        return {
            "runs": self.runs,
            "probability": self.probability,
            "nees": entry(self.nees),
            "nis": {name: entry(each) for name, each in self.nis.items()},
        }

    def plot(self) -> "Figure":
        """Return a figure of each statistic over time, with the expected mean and the band.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        from ..results.consistency_plot import draw_consistency

        return draw_consistency(self)


def consistency(runs: "Run | Sequence[Run]", *, start: float = 0.0, probability: float = 0.95) -> Consistency:
    """Return the consistency statistics of an attitude filter from one or many runs of a case.

    Parameters
    ----------
    runs : Run or sequence of Run
        Runs with one attitude and bias filter (MEKF or USQUE), with rows at the filter's samples and the same times in
        each run.
    start : float
        Start of the evaluation, s.
    probability : float
        Probability that a mean is inside its band.

    Returns
    -------
    Consistency
        The statistics.

    Raises
    ------
    InputError
        When there is no run or no such filter, the runs have different row times, or an argument is out of range.

    Notes
    -----
    Y. Bar-Shalom, X. R. Li & T. Kirubarajan (2001), "Estimation with applications to tracking and navigation", ch. 5.
    """
    from ..results.knowledge import at_samples
    from ..results.run import Run

    of_kind("runs", runs, Run | Sequence, such_as="a Run or a list of them")
    every = [runs] if isinstance(runs, Run) else list(runs)
    for run in every:
        of_kind("each of runs", run, Run, such_as="a Run, as simulate returns it")
    begin = finite("start", start, "s")
    if not every:
        raise InputError("there is no run with a filter to check")
    first = every[0]
    lacking = next((name for name in ("knowledge_error", "attitude_sigma", "nis") if name not in first.names), None)
    if lacking is not None:
        raise InputError(f"the run has no {lacking!r}: it needs a filter that writes it, such as MEKF(...).block(...)")
    nees: list[Array] = []
    nis: list[Array] = []
    for run in every:
        if run.t.shape != first.t.shape or not np.array_equal(run.t, first.t):
            raise InputError("the runs have rows at different times; simulate them with the same output_step=...")
        sigma = run.values("attitude_sigma")
        with np.errstate(divide="ignore", invalid="ignore"):
            nees.append(((run.values("knowledge_error") / np.where(sigma > 0.0, sigma, np.nan)) ** 2).sum(axis=1))
        nis.append(_news(run))
    block = next(each for each in first.blocks if "nis" in each.writes)
    late = (first.t >= begin) & at_samples(first.t, block)
    if (first.t >= begin).any() and not late.any():
        raise InputError(
            f"no row from {begin:g} s on is at a sample of {block.name!r} (period {block.clock.period:g} s); "
            f"simulate with output_step={block.clock.period:g}"
        )
    valid = late & np.isfinite(np.array(nees)).all(axis=0)
    if not valid.any():
        raise InputError(f"there is no estimate in all runs from {begin:g} s on")
    names = _sights(first)
    found = {
        name: _squares(first.t, np.array([each[:, n] for each in nis]), late, degrees, probability, independent=True)
        for n, (name, degrees) in enumerate(names.items())
    }
    return Consistency(
        nees=_squares(first.t, np.array(nees), valid, 3, probability, independent=False),
        nis={name: each for name, each in found.items() if each.t.size},
        runs=len(every),
        probability=probability,
    )


def _sights(run: "Run") -> dict[str, int]:
    """Return the degrees of freedom of the filter's measurements by name, in the order of the NIS values."""
    block = next(each for each in run.blocks if "nis" in each.writes)
    widths = {name: width for each in run.blocks for name, width in each.widths.items()}
    sensors = block.reads[1 : 1 + block.widths["nis"]]
    return {name: 3 if widths[name] - 2 == ATTITUDE else 2 for name in sensors}


def _news(run: "Run") -> Array:
    """Return the NIS where a message was used; NaN where the last NIS is held or a message was rejected."""
    rows = run.values("nis").reshape(run.t.size, -1)
    new = np.vstack((np.zeros((1, rows.shape[1]), dtype=bool), rows[1:] != rows[:-1]))
    return np.where(new & (rows > 0.0), rows, np.nan)


def _squares(
    t: Array, values: Array, late: NDArray[np.bool_], degrees: int, probability: float, *, independent: bool
) -> NormalizedErrors:
    runs = len(values)
    kept = late & np.isfinite(values).all(axis=0)
    mean = values[:, kept].mean(axis=0)
    low, high = chi_square_band(degrees, runs=runs, probability=probability)
    within: Array = np.array([low <= each <= high for each in mean.tolist()], dtype=np.float64)
    overall = None
    if independent and mean.size:
        overall = chi_square_band(degrees, runs=runs * mean.size, probability=probability)
    return NormalizedErrors(
        t=t[kept],
        values=mean,
        degrees=degrees,
        band=(low, high),
        inside=float(np.mean(within)) if mean.size else 0.0,
        overall=float(mean.mean()) if mean.size else float("nan"),
        overall_band=overall,
    )
