"""Base of the distributions: each maps uniform numbers to a value by its quantile function.

A plan of runs fills the unit cube; a distribution maps the cube onto the quantity. So every plan (random, Latin
hypercube, Sobol, corners) serves every distribution, and a value depends on its own uniform numbers only.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from ...plant.checks import numbers
from ...plant.errors import InputError

__all__ = ["Distribution"]

Array = NDArray[np.float64]


class Distribution(ABC):
    """Base class of distributions; a custom one defines `uniforms`, `nominal` and `value`.

    `uniforms` is the number of uniform numbers for a value, `nominal` the middle of the distribution, and `value(u)`
    the value for given uniform numbers. The worst-case search uses `within`, `endless` and `jumps`, which have
    defaults.
    """

    @property
    @abstractmethod
    def uniforms(self) -> int:
        """Number of uniform numbers for a value."""

    @property
    @abstractmethod
    def nominal(self) -> Any:
        """The value in its middle."""

    def value(self, u: ArrayLike) -> Any:
        """Return the value for given uniform numbers: the quantile, for a single number.

        Parameters
        ----------
        u : array_like, shape (uniforms,)
            Numbers inside (0, 1).

        Returns
        -------
        float, numpy.ndarray or any
            In the unit of the quantity.

        Raises
        ------
        InputError
            When there are too many or too few, or one is not inside (0, 1).
        """
        given = numbers("u", u)
        if given.shape != (self.uniforms,) or not ((given > 0.0) & (given < 1.0)).all():
            raise InputError(f"u must be {self.uniforms} numbers inside 0 and 1; got {u!r}")
        return self._value(given)

    def several(self, u: Array) -> Any:
        """Return the values of several runs, each what `value` says of its row, to the bit.

        Parameters
        ----------
        u : numpy.ndarray, shape (n, uniforms)
            Numbers inside (0, 1).

        Returns
        -------
        numpy.ndarray, shape (n, ...), or list
            An array where the values are numbers.
        """
        return self._several(u)

    def _several(self, u: Array) -> Any:
        return self._as_rows([self.value(row) for row in u])

    def _as_rows(self, found: list[Any]) -> Any:
        """The values of several runs in order: an array where they are numbers or arrays of numbers."""
        alike = all(isinstance(each, float | np.ndarray) and np.shape(each) == np.shape(found[0]) for each in found)  # pyright: ignore[reportUnknownArgumentType]
        return np.array(found, dtype=np.float64) if alike else found

    def within(self, place: ArrayLike, sigmas: float) -> Array:
        """Return the uniform numbers at a place in the searched range: the full range, or so many sigmas if unbounded.

        Parameters
        ----------
        place : array_like, shape (uniforms,)
            Each from -1 to 1, 0 the middle.
        sigmas : float
            Bound of the searched range of an unbounded quantity.

        Returns
        -------
        numpy.ndarray, shape (uniforms,)
            The value changes as evenly as possible along each place: for a normal quantity in proportion to its sigma.
            The default is uniform for a bounded quantity, otherwise that of normal numbers or a function of them.
        """
        return self._within(np.asarray(place, dtype=np.float64), sigmas)

    def _within(self, place: Array, sigmas: float) -> Array:
        return np.asarray(ndtr(sigmas * place) if self.endless else 0.5 * (1.0 + place), dtype=np.float64)

    @property
    def endless(self) -> bool:
        """Whether the quantity is unbounded, so that `within` cuts it; the default."""
        return True

    @property
    def jumps(self) -> bool:
        """Whether the value is a discontinuous function of its uniform numbers; by default not."""
        return False

    @abstractmethod
    def _value(self, u: Array) -> Any: ...
