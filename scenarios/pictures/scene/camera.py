"""Parallel projection of the figures: a camera infinitely far away."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Direction of view, with the inertial z axis upright in the figure.

    azimuth: azimuth of the camera about the inertial z axis, from x, rad.
    elevation: elevation of the camera above the inertial x-y plane, rad.
    """

    azimuth: float
    elevation: float

    @property
    def basis(self) -> Array:
        """Unit vectors as rows: to the right, upwards, and towards the camera."""
        ca, sa = np.cos(self.azimuth), np.sin(self.azimuth)
        ce, se = np.cos(self.elevation), np.sin(self.elevation)
        return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])

    @property
    def towards(self) -> Array:
        """Unit vector from the scene to the camera."""
        return self.basis[2]

    def project(self, points: Array) -> Array:
        """Return the positions of points in the figure.

        points (..., 3): inertial components -> (..., 2): to the right and upwards, in units of length.
        """
        return points @ self.basis[:2].T
