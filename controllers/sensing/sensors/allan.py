"""Allan deviation of a gyro's rate, as a function of the averaging time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import numbers, positive
from ....plant.errors import InputError

Array = NDArray[np.float64]


def allan_deviation(rate: ArrayLike, sample: float, *, tau: ArrayLike | None = None) -> tuple[Array, Array, Array]:
    """Return the overlapping Allan deviation of a gyro record at rest.

    ``AVAR(tau) = <(theta_{k+2m} - 2 theta_{k+m} + theta_k)^2> / (2 tau^2)`` with theta the accumulated angle and m the
    number of intervals in tau.

    Parameters
    ----------
    rate : array_like, shape (n,) or (n, 3)
        Mean rates over equal intervals, rad/s.
    sample : float
        Length of an interval, s.
    tau : array_like or None
        Averaging times, s, rounded to whole intervals; by default about five per decade, up to a fifth of the record.

    Returns
    -------
    tau : numpy.ndarray, shape (k,)
        Averaging times, s.
    deviation : numpy.ndarray, shape (k,) or (k, 3)
        Allan deviation, rad/s.
    relative_sigma : numpy.ndarray, shape (k,)
        Relative standard deviation of each value: 1/sqrt(2 (M - 1)) with M = n/m clusters (IEEE Std 952, annex C).

    Raises
    ------
    InputError
        When the record is too short for an averaging time.

    Examples
    --------
    >>> tau, deviation, _ = allan_deviation([1.0, -1.0] * 50, 1.0, tau=[1.0])
    >>> deviation.round(3)
    array([1.414])
    """
    rows, T = numbers("rate", rate, "rad/s"), positive("sample", sample, "s")
    n = len(rows) if rows.ndim in {1, 2} else 0
    if n < 9:
        raise InputError(f"rate must be 9 or more samples, shape (n,) or (n, 3); got shape {rows.shape}")
    theta = T * np.concatenate((np.zeros((1, *rows.shape[1:])), np.cumsum(rows, axis=0)))
    intervals = (
        T * np.geomspace(1.0, n / 5.0, max(2, int(5 * np.log10(n / 5.0)) + 1))
        if tau is None
        else numbers("tau", tau, "s")
    )
    counts = np.unique(np.maximum(np.rint(np.atleast_1d(intervals) / T), 1.0).astype(int))
    if 2 * counts[-1] >= n:
        raise InputError(
            f"an averaging time of {counts[-1] * T:g} s needs a record of more than twice this time; the record has "
            f"{n * T:g} s"
        )
    found = [
        np.mean((theta[2 * m :] - 2.0 * theta[m:-m] + theta[: -2 * m]) ** 2, axis=0) / (2.0 * (m * T) ** 2)
        for m in counts
    ]
    return counts * T, np.sqrt(np.array(found)), 1.0 / np.sqrt(2.0 * (n / counts - 1.0))
