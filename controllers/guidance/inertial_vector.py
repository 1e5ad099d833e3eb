"""A vector in inertial components that sensors measure and filters use: fixed, turning steadily, or a signal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.brief import brief
from ...plant.checks import vector
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import filled
from ...plant.quantity import Shape
from .inertial_vector_kernel import VECTOR, inertial_vector

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, repr=False)
class InertialVector:
    """A vector in inertial components that turns at a constant rate: the Sun's direction, a field along an orbit.

    Parameters
    ----------
    start : array_like, shape (3,)
        Vector at t = 0.
    rate : array_like, shape (3,)
        Angular velocity of the vector, rad/s, inertial components.

    Raises
    ------
    InputError
        When the vector is zero or does not have three numbers.

    Examples
    --------
    >>> InertialVector((1, 0, 0), rate=(0, 0, 0.5)).at(3.141592653589793).round(6)
    array([0., 1., 0.])
    """

    start: ArrayLike
    rate: ArrayLike = (0.0, 0.0, 0.0)

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        object.__setattr__(self, "start", vector("start of an inertial vector", self.start))
        object.__setattr__(self, "rate", vector("rate of an inertial vector", self.rate, unit="rad/s"))
        if not np.asarray(self.start).any():
            raise InputError("an inertial vector must not be (0, 0, 0): it has no direction")

    def at(self, t: float) -> Array:
        """Return the vector at a time.

        Parameters
        ----------
        t : float
            Time, s.

        Returns
        -------
        numpy.ndarray, shape (3,)
            The vector, inertial components.
        """
        return np.array(inertial_vector(float(t), np.zeros(0), np.array(vector_row(self, [], {})), 0))


def known_vector(value: InertialVector | ArrayLike | str) -> InertialVector | str:
    """Return an InertialVector of three numbers, or the name of a signal unchanged."""
    return value if isinstance(value, (InertialVector, str)) else InertialVector(value)


def _direction(name: str, value: InertialVector | ArrayLike | str, unit: str, bound: str) -> InertialVector | str:
    return known_vector(value)


DIRECTION: Shape[InertialVector | ArrayLike | str, InertialVector | str] = Shape(_direction, "direction")
"""Shape of a vector that a sensor measures."""


def vector_row(source: InertialVector | str, reads: list[str], widths: dict[str, int]) -> list[float]:
    """Return the row VECTOR of a source; a signal is added to the inputs of the sensor."""
    if isinstance(source, InertialVector):
        return filled(VECTOR, place=-1, start=source.start, rate=source.rate)
    if source not in reads:
        reads.append(source)
        widths[source] = 3
    before = reads[: reads.index(source)]
    return filled(VECTOR, place=sum(widths[name] for name in before), start=(0, 0, 0), rate=(0, 0, 0))
