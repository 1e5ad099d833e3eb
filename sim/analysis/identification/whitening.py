"""Whitening of residuals with coloured noise by the innovations of a Kalman filter.

The residual of a gyro is white noise plus the random walk of the bias. If it is divided by the standard deviation of
the white part only, its sum of squares is not a likelihood, and estimated standard deviations are too small. For the
true parameters, the innovations of a Kalman filter whose states are the coloured parts, divided by their standard
deviations, are white. The same linear filter applies to sensitivities, so that least squares on the innovations gives
the maximum-likelihood estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ColouredNoise:
    """A scalar noise process, identical and independent for each axis.

    walk: density of a random walk that starts at zero, unit/sqrt(s). sigma, time: standard deviation of a stationary
    first-order Gauss-Markov process and its correlation time, s. A process is of one of these two kinds.
    """

    walk: float = 0.0
    sigma: float = 0.0
    time: float = np.inf


def whitened(
    residuals: Array, times: Array, white: Array, coloured: Sequence[ColouredNoise] = (), *, start: float = 0.0
) -> Array:
    """Return residuals that are independent with unit variance if the noise is as declared.

    residuals (..., n, c): rows at times (n,), s; white (c,): standard deviation of the white part of each component;
    coloured: coloured processes in every component; start: time at which random walks are zero, s -> (..., n, c).
    """
    processes = [each for each in coloured if each.walk > 0.0 or each.sigma > 0.0]
    if not processes:
        return residuals / white
    found = np.empty_like(residuals)
    for sigma in np.unique(white):
        these = np.flatnonzero(white == sigma)
        found[..., these] = _innovations(residuals[..., these], times, float(sigma), processes, start)
    return found


def count_innovations(turns: Array, places: NDArray[np.intp]) -> Array:
    """Return the innovations of angles that are known only by their differences over sampling intervals.

    A tachometer counts whole steps of angle, so consecutive rates share the error of the angle between them. In each
    run of consecutive samples, the innovation is the angle minus the mean of all earlier angles of the run (whose
    unknown offset it removes), scaled to the variance of the error of one angle. After a gap a new run begins.

    turns (..., n, c): measured minus modelled angle over the interval before each sample, rad; places (n,): indices of
    the samples, ascending -> (..., n, c), rad. An interval before sample 0 is unknown and has an innovation of 0.
    """
    found = np.zeros_like(turns)
    for run in np.split(np.arange(places.size), np.flatnonzero(np.diff(places) != 1) + 1):
        kept = run[places[run] > 0]
        angle = np.cumsum(turns[..., kept, :], axis=-2)
        count = np.arange(1.0, kept.size + 1.0)[:, None]  # angles of the run before each sample
        mean = (np.cumsum(angle, axis=-2) - angle) / count
        found[..., kept, :] = (angle - mean) * np.sqrt(count / (count + 1.0))
    return found


def _innovations(
    residuals: Array, times: Array, white: float, processes: Sequence[ColouredNoise], start: float
) -> Array:
    """Return whitened residuals for components with equal white noise.

    The state estimates s_k = (I - g 1') F_k s_(k-1) + g r_k at all times are the solution of one banded linear system.
    """
    from scipy import linalg as untyped

    linalg: Any = untyped
    n, size = len(times), len(processes)
    kept, gain, deviation = _gains(times.tobytes(), white, tuple(processes), start)
    closed = (np.eye(size) - gain[:, :, None]) * kept[:, None, :]  # maps s_(k-1) to s_k
    band = np.zeros((2 * size, n * size))
    band[0] = 1.0
    for i in range(size):
        for j in range(size):
            band[size + i - j, j : (n - 1) * size : size] = -closed[1:, i, j]
    columns = np.moveaxis(residuals, -2, 0).reshape(n, -1)
    right = (gain[:, :, None] * columns[:, None, :]).reshape(n * size, -1)
    solved = linalg.solve_banded((2 * size - 1, 0), band, right)
    states = np.asarray(solved, dtype=np.float64).reshape(n, size, -1)
    predicted = np.zeros_like(columns)
    predicted[1:] = (kept[1:, :, None] * states[:-1]).sum(axis=1)
    rows = (columns - predicted) / deviation[:, None]
    return np.moveaxis(rows.reshape(n, *residuals.shape[:-2], residuals.shape[-1]), 0, -2)


@lru_cache(maxsize=16)
def _gains(
    moments: bytes, white: float, processes: tuple[ColouredNoise, ...], start: float
) -> tuple[Array, Array, Array]:
    """Return transitions and gains (n, size) of the filter, and the innovations' sigmas (n,)."""
    times = np.frombuffer(moments)
    n, size = times.size, len(processes)
    elapsed = np.maximum(np.diff(times, prepend=start), 0.0)
    kept = np.array([np.ones(n) if each.walk > 0.0 else np.exp(-elapsed / each.time) for each in processes]).T
    added = np.array(
        [each.walk**2 * elapsed if each.walk > 0.0 else each.sigma**2 * (1.0 - kept[:, k] ** 2)
         for k, each in enumerate(processes)]
    ).T  # fmt: skip
    gains, variances = np.empty((n, size)), np.empty(n)
    spread = np.diag([each.sigma**2 for each in processes])
    for k in range(n):
        spread = spread * np.outer(kept[k], kept[k]) + np.diag(added[k])
        total = spread.sum(axis=1)
        variances[k] = total.sum() + white**2
        gains[k] = total / variances[k]
        spread = spread - np.outer(gains[k], total)
    return kept, gains, np.sqrt(variances)
