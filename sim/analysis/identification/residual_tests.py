"""Tests of whitened residuals: chi-square test of their variance, Ljung-Box test of whiteness."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.frozen import frozen_results

Array = NDArray[np.float64]

PROBABILITY = 0.999
LAGS = 20
DOUBTFUL = 0.001  # p-value below which residuals are reported as coloured


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class ResidualTest:
    """Test results for the whitened residuals of one sensor.

    Attributes
    ----------
    name : str
        The sensor.
    count : int
        Number of residuals.
    mean_square : float
        Mean square of the residuals (NIS per component); 1 if model and noise are correct.
    band : tuple of float
        Band that contains the mean square with a probability of 99.9 %.
    whiteness : float
        Probability of autocorrelations at least this large if the residuals are white (Ljung & Box 1978, 20 lags); nan
        for errors that are not expected to be white, such as quantisation errors of counts.
    """

    name: str
    count: int
    mean_square: float
    band: tuple[float, float]
    whiteness: float

    __repr__ = brief

    @property
    def fits(self) -> bool:
        """True if the mean square is within its band."""
        return self.band[0] <= self.mean_square <= self.band[1]

    @property
    def is_white(self) -> bool:
        """True if the autocorrelations are consistent with white noise."""
        return not self.whiteness < DOUBTFUL


def residual_test(name: str, residuals: Array, *, estimated: float = 0.0, white: bool = True) -> ResidualTest:
    """Return the test results for the residuals (n, c) of one sensor.

    name: name of the sensor; residuals: whitened residuals; estimated: number of parameters estimated from these
    residuals, which reduces the expected sum of squares; white: whether the declared noise is white.
    """
    from scipy import special

    n, components = residuals.shape
    degrees = max(n * components - estimated, 1.0)
    tail = 0.5 * (1.0 - PROBABILITY)
    low, high = (float(each) / degrees for each in special.chdtri(degrees, (1.0 - tail, tail)))
    lags = min(LAGS, n // 4)
    probability = 1.0 if white else np.nan
    if white and lags >= 1:
        total = 0.0
        for column in residuals.T:
            centred = column - column.mean()
            power = float(centred @ centred)
            for lag in range(1, lags + 1):
                total += n * (n + 2.0) * (float(centred[lag:] @ centred[:-lag]) / power) ** 2 / (n - lag)
        probability = float(special.chdtrc(lags * components, total))
    square = float((residuals**2).sum()) / degrees
    return ResidualTest(name=name, count=n * components, mean_square=square, band=(low, high), whiteness=probability)
