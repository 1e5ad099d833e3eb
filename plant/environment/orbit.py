"""Base class of orbits: position and velocity at any time of a run."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .constants import EARTH_RADIUS, MU
from .epoch import Epoch

Array = NDArray[np.float64]


class Orbit(ABC):
    """Orbit about the Earth: a function from time to position and velocity in GCRF.

    Attributes
    ----------
    name : str
        Description for messages.
    epoch : Epoch
        Date of t = 0.
    """

    name: ClassVar[str]
    epoch: Epoch

    @abstractmethod
    def state(self, t: ArrayLike) -> tuple[Array, Array]:
        """Return position and velocity at given times.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        tuple of numpy.ndarray
            Position (m) and velocity (m/s) in GCRF, shape (..., 3).
        """

    @property
    def span(self) -> tuple[float, float]:
        """First and last time at which the orbit is defined, s."""
        return -np.inf, np.inf

    @property
    def period(self) -> float:
        """Osculating period at t = 0, s; NaN if the osculating orbit is not an ellipse."""
        r, v = self.state(0.0)
        alpha = 2.0 / float(np.linalg.norm(r)) - float(v @ v) / MU
        return float(2.0 * np.pi / np.sqrt(MU * alpha**3)) if alpha > 0.0 else float("nan")


def lowest_radius(orbit: Orbit, position: Array) -> float:
    """Return the smallest distance from the Earth's centre, m, or raise InputError if it is inside the Earth.

    orbit: the orbit, for the message; position (n, 3): m.
    """
    least = float(np.linalg.norm(position, axis=-1).min())
    if not least > EARTH_RADIUS:
        raise InputError(
            f"{orbit.name} comes within {least / 1e3:.6g} km of the centre of the Earth, whose radius is "
            f"{EARTH_RADIUS / 1e3:.6g} km: raise the perigee, or end the run earlier"
        )
    return least
