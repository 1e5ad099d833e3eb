"""Inertial vector for sensors and filters: fixed, rotating at a constant rate, or a signal."""

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
    """Vector that rotates at a constant rate, such as the Sun direction or the field along an orbit.

    Parameters
    ----------
    start : array_like, shape (3,)
        Vector at t = 0, inertial components.
    rate : array_like, shape (3,)
        Angular velocity of the vector, rad/s, inertial components.

    Raises
    ------
    InputError
        When the vector is zero or does not have three components.

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
    """Convert three numbers to an InertialVector; return an InertialVector or signal name unchanged."""
    return value if isinstance(value, (InertialVector, str)) else InertialVector(value)


def _direction(name: str, value: InertialVector | ArrayLike | str, unit: str, bound: str) -> InertialVector | str:
    return known_vector(value)


DIRECTION: Shape[InertialVector | ArrayLike | str, InertialVector | str] = Shape(_direction, "direction")
"""Converter of arguments that give a vector measured by a sensor."""


def vector_row(source: InertialVector | str, reads: list[str], widths: dict[str, int]) -> list[float]:
    """Return the row VECTOR of a vector; if it is a signal, add the signal to the inputs of the sensor."""
    if isinstance(source, InertialVector):
        return filled(VECTOR, place=-1, start=source.start, rate=source.rate)
    if source not in reads:
        reads.append(source)
        widths[source] = 3
    before = reads[: reads.index(source)]
    return filled(VECTOR, place=sum(widths[name] for name in before), start=(0, 0, 0), rate=(0, 0, 0))
