"""Distributions of one number, or of one of a list."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from ...plant.checks import finite, positive
from ...plant.errors import InputError
from .distribution import Distribution

__all__ = ["Choice", "LogNormal", "Normal", "Uniform"]

Array = NDArray[np.float64]


class _Single(Distribution):
    """Of one uniform number."""

    @property
    def uniforms(self) -> int:
        """One."""
        return 1

    def _value(self, u: Array) -> Any:
        """Return the quantile of u, shape (1,)."""
        return float(self._several(u[None])[0])


@dataclass(frozen=True, kw_only=True)
class Normal(_Single):
    """A normal distribution, truncated at optional bounds.

    Parameters
    ----------
    mean, sigma : float
        Mean and standard deviation before truncation.
    low, high : float or None
        Bounds of the values; the probability outside is redistributed over the interval (a truncated normal, not a
        clipped one).

    Raises
    ------
    InputError
        When sigma is not positive, or less than 1e-12 of the distribution lies within the bounds.

    Examples
    --------
    >>> import numpy as np
    >>> Normal(mean=10.0, sigma=2.0).value(np.array([0.5]))
    10.0
    """

    mean: float
    sigma: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        """Check the numbers."""
        finite("mean", self.mean)
        positive("sigma", self.sigma)
        a, b = self._ends()
        if not b - a > 1e-12:
            raise InputError(
                f"a normal of mean {self.mean:g} and sigma {self.sigma:g} has nothing between low {self.low} and high "
                f"{self.high}; move the bounds towards the mean"
            )

    def _ends(self) -> tuple[float, float]:
        a = 0.0 if self.low is None else float(ndtr((self.low - self.mean) / self.sigma))
        b = 1.0 if self.high is None else float(ndtr((self.high - self.mean) / self.sigma))
        return a, b

    @property
    def nominal(self) -> float:
        """The mean."""
        return self.mean

    @property
    def endless(self) -> bool:
        """Unless it has both bounds."""
        return self.low is None or self.high is None

    def _within(self, place: Array, sigmas: float) -> Array:
        """Return the uniform number at a place (1,): values evenly from bound to bound, or to so many sigmas."""
        low = self.mean - sigmas * self.sigma if self.low is None else self.low
        high = self.mean + sigmas * self.sigma if self.high is None else self.high
        if not low < high:
            raise InputError(
                f"a normal of mean {self.mean:g} and sigma {self.sigma:g} between {self.low} and {self.high} has "
                f"nothing within {sigmas:g} sigma; look at more of them"
            )
        half = 0.5 * (1.0 + place)
        a, b = self._ends()
        return np.asarray((ndtr((low + half * (high - low) - self.mean) / self.sigma) - a) / (b - a))

    def _several(self, u: Array) -> Array:
        """Return the quantiles of u, shape (n, 1)."""
        a, b = self._ends()
        found = self.mean + self.sigma * ndtri(a + (b - a) * u[:, 0])
        low = -np.inf if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        return np.clip(found, low, high)  # the last place of the quantile function may lie outside


@dataclass(frozen=True, kw_only=True)
class Uniform(_Single):
    """A uniform distribution between two bounds.

    Parameters
    ----------
    low, high : float
        The bounds.

    Raises
    ------
    InputError
        When low is not below high.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not finite("low", self.low) < finite("high", self.high):
            raise InputError(f"low must be below high; got {self.low:g} and {self.high:g}")

    @property
    def nominal(self) -> float:
        """The middle."""
        return 0.5 * (self.low + self.high)

    @property
    def endless(self) -> bool:
        """It has bounds."""
        return False

    def _several(self, u: Array) -> Array:
        """Return the quantiles of u, shape (n, 1)."""
        return self.low + (self.high - self.low) * u[:, 0]


@dataclass(frozen=True, kw_only=True)
class LogNormal(_Single):
    """A log-normal distribution: a positive quantity that is known to a factor.

    Parameters
    ----------
    median : float
        The median.
    sigma : float
        Standard deviation of the natural logarithm; 0.1 is about 10 %.

    Raises
    ------
    InputError
        When one is not positive.
    """

    median: float
    sigma: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        positive("median", self.median)
        positive("sigma", self.sigma)

    @property
    def nominal(self) -> float:
        """The median."""
        return self.median

    def _several(self, u: Array) -> Array:
        """Return the quantiles of u, shape (n, 1)."""
        return self.median * np.exp(self.sigma * ndtri(np.ascontiguousarray(u[:, 0])))


@dataclass(frozen=True)
class Choice(_Single):
    """One value of a list, all equally likely.

    Parameters
    ----------
    values : sequence
        Numbers, words or lists of numbers; at least one.

    Raises
    ------
    InputError
        When there is none.
    """

    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        """Check the list."""
        object.__setattr__(self, "values", tuple(self.values))
        if not self.values:
            raise InputError("a choice needs at least one value; got none")

    @property
    def nominal(self) -> Any:
        """The first."""
        return self.values[0]

    @property
    def endless(self) -> bool:
        """It has bounds."""
        return False

    @property
    def jumps(self) -> bool:
        """From one value to the next."""
        return True

    def _value(self, u: Array) -> Any:
        """Return the value whose share of (0, 1) u, shape (1,), falls into."""
        return self.values[min(int(u[0] * len(self.values)), len(self.values) - 1)]

    def _as_rows(self, found: list[Any]) -> Any:
        """An array where all values of the list are numbers, whichever were drawn."""
        plain = all(isinstance(each, int | float) and not isinstance(each, bool) for each in self.values)
        return np.array(found) if plain else found
