"""Distributions of a single number, and the random choice from a list."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from ....plant.errors import InputError
from ....plant.quantity import NUMBER, PER_ENTRY, POSITIVE, Quantity, Shape, check_fields, quantity
from .distribution import Single

Array = NDArray[np.float64]


RELATIVE_SIGMA = Quantity(
    unit="", shape=NUMBER, bound=POSITIVE, doc="standard deviation relative to the value in the case"
)


def _share(share: float, value: float) -> float:
    if value == 0.0:
        raise InputError("a dispersion relative to 0 has no width; give sigma or half_width in the unit of the key")
    return share * abs(value)


@dataclass(frozen=True, kw_only=True)
class Normal(Single):
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

    more_keys: ClassVar[Mapping[str, Quantity]] = {"relative_sigma": RELATIVE_SIGMA}
    ways: ClassVar[Sequence[Sequence[str]]] = (("sigma",), ("relative_sigma",))

    mean: float = quantity(converter=PER_ENTRY, doc="mean; by default the value in the case")
    sigma: float = quantity(converter=PER_ENTRY, positive=True, doc="standard deviation, in the unit of the key")
    low: float | None = quantity(
        converter=NUMBER, optional=True, default=None, doc="lower bound, in the unit of the key"
    )
    high: float | None = quantity(
        converter=NUMBER, optional=True, default=None, doc="upper bound, in the unit of the key"
    )

    @classmethod
    def _needs_value(cls, given: Collection[str]) -> bool:
        return True

    @classmethod
    def _dispersed(cls, value: Any, given: Mapping[str, Any]) -> "Normal":
        """Return the distribution about a value, with an absolute or a relative standard deviation."""
        bounds = {name: given[name] for name in ("low", "high") if name in given}
        sigma = given["sigma"] if "sigma" in given else _share(given["relative_sigma"], value)
        return cls(mean=value, sigma=sigma, **bounds)

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_fields(self)
        a, b = self._ends()
        if not b - a > 1e-12:
            raise InputError(
                f"a normal distribution with mean {self.mean:g} and sigma {self.sigma:g} has no probability between "
                f"low {self.low} and high {self.high}; move the bounds towards the mean"
            )

    def _ends(self) -> tuple[float, float]:
        a = 0.0 if self.low is None else float(ndtr((self.low - self.mean) / self.sigma))
        b = 1.0 if self.high is None else float(ndtr((self.high - self.mean) / self.sigma))
        return a, b

    @property
    def nominal(self) -> float:
        """The nominal value: the mean before truncation."""
        return self.mean

    @property
    def unbounded(self) -> bool:
        """True unless both bounds are set."""
        return self.low is None or self.high is None

    def _within(self, place: Array, sigmas: float) -> Array:
        """Return the uniform number at a point (1,); values are evenly spaced between the bounds or +-sigmas."""
        low = self.mean - sigmas * self.sigma if self.low is None else self.low
        high = self.mean + sigmas * self.sigma if self.high is None else self.high
        if not low < high:
            raise InputError(
                f"a normal distribution with mean {self.mean:g} and sigma {self.sigma:g} between {self.low} and "
                f"{self.high} has no probability within {sigmas:g} sigma; increase sigmas"
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
        return np.clip(found, low, high)  # round-off may put a quantile outside the bounds


@dataclass(frozen=True, kw_only=True)
class Uniform(Single):
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

    more_keys: ClassVar[Mapping[str, Quantity]] = {
        "half_width": Quantity(
            unit="", shape=PER_ENTRY, bound=POSITIVE,
            doc="half width about the value in the case, in the unit of the key",
        ),
        "relative_half_width": Quantity(
            unit="", shape=NUMBER, bound=POSITIVE, doc="half width relative to the value in the case"
        ),
    }  # fmt: skip
    ways: ClassVar[Sequence[Sequence[str]]] = (("low", "high"), ("half_width",), ("relative_half_width",))

    low: float = quantity(converter=NUMBER, doc="lower bound, in the unit of the key")
    high: float = quantity(converter=NUMBER, doc="upper bound, in the unit of the key")

    @classmethod
    def _needs_value(cls, given: Collection[str]) -> bool:
        return "low" not in given

    @classmethod
    def _dispersed(cls, value: Any, given: Mapping[str, Any]) -> "Uniform":
        """Return the distribution between bounds, or about a value with absolute or relative half-width."""
        if "low" in given:
            return cls(**given)
        half = given["half_width"] if "half_width" in given else _share(given["relative_half_width"], value)
        return cls(low=value - half, high=value + half)

    def __post_init__(self) -> None:
        """Check the bounds."""
        check_fields(self)
        if not self.low < self.high:
            raise InputError(f"low must be below high; got {self.low:g} and {self.high:g}")

    @property
    def nominal(self) -> float:
        """The nominal value: the middle between the bounds."""
        return 0.5 * (self.low + self.high)

    @property
    def unbounded(self) -> bool:
        """False: a uniform quantity is bounded."""
        return False

    def _several(self, u: Array) -> Array:
        """Return the quantiles of u, shape (n, 1)."""
        return self.low + (self.high - self.low) * u[:, 0]


@dataclass(frozen=True, kw_only=True)
class LogNormal(Single):
    """A log-normal distribution, for a positive quantity that is known to within a factor.

    Parameters
    ----------
    median : float
        Median, in the unit of the quantity.
    sigma : float
        Standard deviation of the natural logarithm; 0.1 is about 10 %.

    Raises
    ------
    InputError
        When median or sigma is not positive.
    """

    more_keys: ClassVar[Mapping[str, Quantity]] = {"relative_sigma": RELATIVE_SIGMA}
    ways: ClassVar[Sequence[Sequence[str]]] = (("relative_sigma",),)

    median: float = quantity(converter=NUMBER, case=None, positive=True, doc="median")
    sigma: float = quantity(converter=NUMBER, case=None, positive=True, doc="standard deviation of the logarithm")

    @classmethod
    def _needs_value(cls, given: Collection[str]) -> bool:
        return True

    @classmethod
    def _dispersed(cls, value: Any, given: Mapping[str, Any]) -> "LogNormal":
        """Return the distribution about a median."""
        return cls(median=value, sigma=given["relative_sigma"])

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_fields(self)

    @property
    def nominal(self) -> float:
        """The nominal value: the median."""
        return self.median

    def _several(self, u: Array) -> Array:
        """Return the quantiles of u, shape (n, 1)."""
        return self.median * np.exp(self.sigma * ndtri(np.ascontiguousarray(u[:, 0])))


def _values(name: str, value: Sequence[Any], unit: str, bound: str) -> tuple[Any, ...]:
    if not tuple(value):
        raise InputError("a choice needs at least one value; got none")
    return tuple(value)


VALUES: Shape[Sequence[Any], tuple[Any, ...]] = Shape(_values, "values")


@dataclass(frozen=True)
class Choice(Single):
    """Random choice from a list of equally likely values.

    Parameters
    ----------
    values : sequence
        Numbers, strings or lists of numbers; at least one.

    Raises
    ------
    InputError
        When the list is empty.
    """

    whole: ClassVar[bool] = True
    of_numbers: ClassVar[bool] = False

    values: tuple[Any, ...] = quantity(converter=VALUES, kw_only=False, doc="the values to draw from")

    def __post_init__(self) -> None:
        """Check the list."""
        check_fields(self)

    @property
    def nominal(self) -> Any:
        """The nominal value: the first of the list."""
        return self.values[0]

    @property
    def unbounded(self) -> bool:
        """False: a choice is bounded."""
        return False

    @property
    def is_discrete(self) -> bool:
        """True: a choice steps from one value to the next."""
        return True

    def _value(self, u: Array) -> Any:
        """Return the value for u (1,): each value occupies an equal part of the interval (0, 1)."""
        return self.values[min(int(u[0] * len(self.values)), len(self.values) - 1)]

    def _as_rows(self, found: list[Any]) -> Any:
        """Return the drawn values, as an array if all values of the list are numbers."""
        plain = all(isinstance(each, int | float) and not isinstance(each, bool) for each in self.values)
        return np.array(found) if plain else found
