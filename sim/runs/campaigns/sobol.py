"""Sobol indices: the fraction of the variance of a metric from each source."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import finite
from ....plant.errors import InputError

Array = NDArray[np.float64]

FEWEST = 16
RESAMPLES = 500


@dataclass(frozen=True, kw_only=True)
class SobolIndex:
    """Sobol indices of one source: its fraction of the variance of a metric.

    Attributes
    ----------
    first : float
        First-order index: expected fraction of the variance that vanishes if the source is fixed.
    total : float
        Total index, interactions included: expected fraction that remains if all other sources are fixed.
    first_interval, total_interval : tuple of float
        Lower and upper ends of the confidence intervals.
    samples : int
        Number of complete samples.
    """

    first: float
    total: float
    first_interval: tuple[float, float]
    total_interval: tuple[float, float]
    samples: int


def sobol_indices(samples: Array, names: Sequence[str], *, confidence: float, seed: int) -> dict[str, SobolIndex]:
    """Return the indices of each name, in descending order of the total index.

    samples (n, 2 + names): the metric at a, at b, and, for each name, at a with the numbers of this name from b. Rows
    with a nan are omitted. Raises InputError when fewer than 16 rows are left.
    """
    if not 0.0 < finite("confidence", confidence) < 1.0:
        raise InputError(f"confidence must lie inside 0 and 1; got {confidence:g}")
    rows = samples[np.isfinite(samples).all(axis=1)]
    if len(rows) < FEWEST:
        raise InputError(
            f"Sobol indices require at least {FEWEST} samples of {samples.shape[1]} runs that all have a value; there "
            f"are {len(rows)} of {len(samples)}: run more, or reduce the dispersions"
        )
    if float(np.ptp(rows)) == 0.0:
        return {}
    scaled = (rows - rows.mean()) / np.ptp(rows)  # prevents overflow; the indices are dimensionless
    first, total = _estimates(scaled)
    rng = np.random.default_rng(seed)
    drawn = np.array([_estimates(scaled[rng.integers(0, len(rows), len(rows))]) for _ in range(RESAMPLES)])
    tail = 0.5 * (1.0 - confidence)
    low, high = np.quantile(drawn, (tail, 1.0 - tail), axis=0)
    found = {
        name: SobolIndex(
            first=float(first[n]),
            total=float(total[n]),
            first_interval=(float(low[0, n]), float(high[0, n])),
            total_interval=(float(low[1, n]), float(high[1, n])),
            samples=len(rows),
        )
        for n, name in enumerate(names)
    }
    return dict(sorted(found.items(), key=lambda item: -item[1].total))


def _estimates(rows: Array) -> tuple[Array, Array]:
    """Return the first-order and total indices of every column after the second."""
    a, b, mixed = rows[:, :1], rows[:, 1:2], rows[:, 2:]
    variance = float(rows[:, :2].var())
    if variance == 0.0:
        nothing = np.zeros(mixed.shape[1])
        return nothing, nothing
    b = b - rows[:, :2].mean()
    return (b * (mixed - a)).mean(axis=0) / variance, 0.5 * ((a - mixed) ** 2).mean(axis=0) / variance
