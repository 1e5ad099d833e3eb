"""Estimates of an attitude filter over time, and their consistency statistics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import attitude_error, to_rotation_vector
from ....plant.brief import brief
from ....plant.checks import numbers
from ....plant.errors import InputError
from ....plant.frozen import frozen_results

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class Estimate:
    """Attitude and bias estimates over time, with their covariance.

    Attributes
    ----------
    t : numpy.ndarray, shape (m,)
        Times, s.
    attitude : numpy.ndarray, shape (m, 4)
        Euler parameters, scalar first.
    bias : numpy.ndarray, shape (m, 3)
        Bias of the gyro, rad/s.
    covariance : numpy.ndarray, shape (m, 6, 6)
        Covariance of the errors (a, beta): true attitude = attitude o Exp(a), true bias = bias + beta; rad, rad/s.
    innovations : dict of str to numpy.ndarray
        Normalised innovation squared y' S^-1 y of each sample, by sensor; NaN for samples received after the last time.
    refused : dict of str to int
        Number of samples rejected by the gate, by sensor.
    restarts : int
        Number of restarts from the sensors after the gate had rejected every message for some time.
    degrees : dict of str to int
        Degrees of freedom of each sensor's innovations: 3 for an attitude, 2 for a direction.
    """

    t: Array
    attitude: Array
    bias: Array
    covariance: Array
    innovations: dict[str, Array]
    refused: dict[str, int]
    restarts: int
    degrees: dict[str, int]

    __repr__ = brief

    @property
    def attitude_sigma(self) -> Array:
        """Standard deviation of the attitude error about each body axis, rad, shape (m, 3)."""
        return np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2)[:, :3])

    @property
    def bias_sigma(self) -> Array:
        """Standard deviation of the bias error about each body axis, rad/s, shape (m, 3)."""
        return np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2)[:, 3:])

    def error(self, attitude: ArrayLike, bias: ArrayLike) -> Array:
        """Return the attitude and bias errors of the estimates relative to the truth.

        Parameters
        ----------
        attitude : array_like, shape (m, 4)
            True attitudes at the times of the rows.
        bias : array_like, shape (m, 3)
            True biases, rad/s.

        Returns
        -------
        numpy.ndarray, shape (m, 6)
            (a, beta): the rotation vector from the estimate to the truth, body axes, rad, and true minus estimated
            bias, rad/s.

        Raises
        ------
        InputError
            When the truth does not have a row for each time.
        """
        e, b = numbers("attitude", attitude), numbers("bias", bias, "rad/s")
        if e.shape != self.attitude.shape or b.shape != self.bias.shape:
            raise InputError(f"the truth must have a row for each of {len(self.t)} times; got {e.shape} and {b.shape}")
        return np.column_stack((to_rotation_vector(attitude_error(e, self.attitude)), b - self.bias))

    def nees(self, attitude: ArrayLike, bias: ArrayLike) -> Array:
        """Return the normalised estimation error squared, x' P^-1 x; mean 6 if the filter is consistent.

        Parameters
        ----------
        attitude : array_like, shape (m, 4)
            True attitudes at the times of the rows.
        bias : array_like, shape (m, 3)
            True biases, rad/s.

        Returns
        -------
        numpy.ndarray, shape (m,)
            Values, each chi-square distributed with six degrees of freedom. Rows of one run are correlated, so average
            over runs instead of over time (Bar-Shalom, Li & Kirubarajan 2001, ch. 5).
        """
        x = self.error(attitude, bias)
        return np.einsum("mi,mi->m", x, np.linalg.solve(self.covariance, x[..., np.newaxis])[..., 0])


def chi_square_band(degrees: int, *, runs: int = 1, probability: float = 0.95) -> tuple[float, float]:
    """Return the probability interval of the mean of NEES or NIS over independent runs.

    Parameters
    ----------
    degrees : int
        Degrees of freedom of a single value: 6 for NEES of attitude and bias, 3 or 2 for NIS.
    runs : int
        Number of independent values in the mean.
    probability : float
        Probability that the mean is in the interval; the tails are equal.

    Returns
    -------
    tuple of float
        Lower and upper bound.

    Raises
    ------
    InputError
        When a count is below one, or `probability` is out of range.

    Examples
    --------
    >>> [round(each, 6) for each in chi_square_band(6, runs=200)]
    [5.529449, 6.489491]
    """
    if degrees < 1 or runs < 1:
        raise InputError(f"degrees and runs must be 1 or more; got {degrees} and {runs}")
    if not 0.0 < probability < 1.0:
        raise InputError(f"probability must be above 0 and below 1; got {probability:g}")
    from scipy.stats import chi2

    rest = 0.5 * (1.0 - probability)
    low, high = chi2.ppf([rest, 1.0 - rest], degrees * runs) / runs
    return float(low), float(high)
