"""How a quantity scatters: each distribution turns uniform numbers into a value by its quantile function.

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
    """What a campaign asks of a distribution; one of your own says the first three things too.

    `uniforms` is how many uniform numbers a value takes, `nominal` the middle of it, and `value(u)` the value that
    belongs to some of them; `within`, `endless` and `jumps` what a search for the worst looks at, with defaults.
    """

    @property
    @abstractmethod
    def uniforms(self) -> int:
        """How many uniform numbers a value takes."""

    @property
    @abstractmethod
    def nominal(self) -> Any:
        """The value in its middle."""

    def value(self, u: ArrayLike) -> Any:
        """Return the value that belongs to some uniform numbers: the quantile, of one number.

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
        """The values of several runs, one behind the other: an array where they are numbers, or arrays of them."""
        alike = all(isinstance(each, float | np.ndarray) and np.shape(each) == np.shape(found[0]) for each in found)  # pyright: ignore[reportUnknownArgumentType]
        return np.array(found, dtype=np.float64) if alike else found

    def within(self, place: ArrayLike, sigmas: float) -> Array:
        """Return the uniform numbers at a place of what is looked at: all, or so many sigmas of what has no end.

        Parameters
        ----------
        place : array_like, shape (uniforms,)
            Each from -1 to 1, 0 the middle.
        sigmas : float
            Where what has no end is cut.

        Returns
        -------
        numpy.ndarray, shape (uniforms,)
            Along each the value changes as evenly as it can: what is normal in proportion to its sigma. The default is
            evenly all of what has bounds, and else that of numbers that are normal, or a function of such.
        """
        return self._within(np.asarray(place, dtype=np.float64), sigmas)

    def _within(self, place: Array, sigmas: float) -> Array:
        return np.asarray(ndtr(sigmas * place) if self.endless else 0.5 * (1.0 + place), dtype=np.float64)

    @property
    def endless(self) -> bool:
        """Whether it has no bounds of its own, and `within` cuts it; the default."""
        return True

    @property
    def jumps(self) -> bool:
        """Whether a value jumps as its uniform numbers change; not by default."""
        return False

    @abstractmethod
    def _value(self, u: Array) -> Any: ...
