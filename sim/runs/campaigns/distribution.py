"""Base of the distributions: each maps uniform numbers to a value by its quantile function.

A plan chooses points in the unit cube; a distribution maps them to values. Therefore every plan (random, Latin
hypercube, Sobol, corners) works with every distribution, and a value depends only on its own uniform numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from ....plant.checks import numbers
from ....plant.errors import InputError
from ....plant.quantity import Quantity

Array = NDArray[np.float64]


class Distribution(ABC):
    """Base class of distributions; a custom one defines `uniforms`, `nominal` and `value`.

    `uniforms` is the number of uniform numbers per value, `nominal` the middle of the distribution, and `value(u)`
    the value for given uniform numbers. The worst-case search uses `within`, `unbounded` and `is_discrete`, which have
    defaults.

    In a case, a dispersion may set the declared quantities and `more_keys`. `ways` lists alternative sets of
    quantities, of which one is required; by default, all quantities that have no default value. If `whole` is true, the
    distribution applies to the whole value of the key; otherwise each entry of a list has a separate distribution.
    `of_numbers` restricts the distribution to numbers, and `together` names quantities that must be set together.
    """

    more_keys: ClassVar[Mapping[str, Quantity]] = {}
    ways: ClassVar[Sequence[Sequence[str]]] = ()
    whole: ClassVar[bool] = False
    of_numbers: ClassVar[bool] = True
    together: ClassVar[Sequence[str]] = ()

    @classmethod
    def needs_value(cls, given: Collection[str]) -> bool:
        """Return whether the distribution needs the value in the case.

        Parameters
        ----------
        given : collection of str
            Names of the quantities that the dispersion states.

        Returns
        -------
        bool
            By default false.
        """
        return cls._needs_value(given)

    @classmethod
    def _needs_value(cls, given: Collection[str]) -> bool:
        del given
        return False

    @classmethod
    def dispersed(cls, value: Any, given: Mapping[str, Any]) -> Distribution:
        """Return the distribution that a dispersion in a case describes.

        Parameters
        ----------
        value : float or array_like
            The value in the case, or the quantity `mean` if the dispersion states it.
        given : mapping
            The quantities that the dispersion states, by name, in the units of the code.

        Returns
        -------
        Distribution
            By default, the class called with these quantities.

        Raises
        ------
        InputError
            When a parameter is out of range.
        """
        return cls._dispersed(value, given)

    @classmethod
    def _dispersed(cls, value: Any, given: Mapping[str, Any]) -> Distribution:
        del value
        return cls(**given)

    @property
    @abstractmethod
    def uniforms(self) -> int:
        """Number of uniform numbers per value."""

    @property
    @abstractmethod
    def nominal(self) -> Any:
        """The nominal value: the middle of the distribution."""

    def value(self, u: ArrayLike) -> Any:
        """Return the value for given uniform numbers; with a single uniform number, the quantile.

        Parameters
        ----------
        u : array_like, shape (uniforms,)
            Numbers inside (0, 1).

        Returns
        -------
        float, numpy.ndarray or any
            The value, in the unit of the quantity.

        Raises
        ------
        InputError
            When u has the wrong length, or a number is not inside (0, 1).
        """
        given = numbers("u", u)
        if given.shape != (self.uniforms,) or not ((given > 0.0) & (given < 1.0)).all():
            raise InputError(f"u must be {self.uniforms} numbers inside 0 and 1; got {u!r}")
        return self._value(given)

    def several(self, u: Array) -> Any:
        """Return the values of several runs, bitwise identical to `value` of each row.

        Parameters
        ----------
        u : numpy.ndarray, shape (n, uniforms)
            Numbers inside (0, 1).

        Returns
        -------
        numpy.ndarray, shape (n, ...), or list
            An array if the values are numbers or arrays of equal shape.
        """
        return self._several(u)

    def _several(self, u: Array) -> Any:
        return self._as_rows([self.value(row) for row in u])

    def _as_rows(self, found: list[Any]) -> Any:
        """Return the values of several runs, as an array if they are numbers or arrays of equal shape."""
        alike = all(isinstance(each, float | np.ndarray) and np.shape(each) == np.shape(found[0]) for each in found)  # pyright: ignore[reportUnknownArgumentType]
        return np.array(found, dtype=np.float64) if alike else found

    def within(self, place: ArrayLike, sigmas: float) -> Array:
        """Return the uniform numbers at a point of the search range, cut at `sigmas` if unbounded.

        Parameters
        ----------
        place : array_like, shape (uniforms,)
            Coordinates from -1 to 1; 0 is the middle of the range.
        sigmas : float
            Bound of the search range of an unbounded quantity, in standard deviations.

        Returns
        -------
        numpy.ndarray, shape (uniforms,)
            The value changes as evenly as possible along each coordinate: in proportion to sigma for a normal quantity.
            By default, bounded quantities are treated like uniform ones, and unbounded quantities like normal ones.
        """
        return self._within(np.asarray(place, dtype=np.float64), sigmas)

    def _within(self, place: Array, sigmas: float) -> Array:
        return np.asarray(ndtr(sigmas * place) if self.unbounded else 0.5 * (1.0 + place), dtype=np.float64)

    @property
    def unbounded(self) -> bool:
        """True (default) if the quantity is unbounded; `within` then cuts its range."""
        return True

    @property
    def is_discrete(self) -> bool:
        """True if the value is a discontinuous function of its uniform numbers; false by default."""
        return False

    @abstractmethod
    def _value(self, u: Array) -> Any: ...


class Single(Distribution):
    """Base of distributions of one uniform number; subclasses define `nominal` and `_several`."""

    @property
    def uniforms(self) -> int:
        """Number of uniform numbers per value: one."""
        return 1

    def _value(self, u: Array) -> Any:
        """Return the quantile of u, shape (1,)."""
        return float(self._several(u[None])[0])
