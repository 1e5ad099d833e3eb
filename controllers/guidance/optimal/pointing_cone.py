"""Cone constraint of a slew: a body axis is kept outside or inside a cone about an inertial direction."""

from __future__ import annotations

from math import cos, degrees, pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.errors import InputError
from ....plant.quantity import AXIS, NUMBER, check_fields, declared, one_of, quantity

Array = NDArray[np.float64]


@declared
class PointingCone:
    """Cone about an inertial direction, outside or inside which a body axis must stay.

    With the body axis b, the direction s and the half-angle c, "out" requires (R(e) b) . s <= cos c (for example for a
    sensor and the Sun), and "in" requires (R(e) b) . s >= cos c (an antenna and a ground station).

    Parameters
    ----------
    axis : array_like, shape (3,)
        Body axis b, of any nonzero length.
    direction : array_like, shape (3,)
        Inertial direction s, of any nonzero length.
    half_angle : float
        Half-angle c, rad, between 0 and pi.
    keep : {"out", "in"}
        Whether the axis must stay outside or inside the cone.
    name : str
        Name in messages and plots.

    Raises
    ------
    InputError
        When an axis is zero, the half-angle is out of range, or `keep` is invalid.

    Examples
    --------
    >>> sun = PointingCone((0, 0, 1), (1, 0, 0), half_angle=0.5, name="star tracker")
    >>> round(float(sun.clearance((1, 0, 0, 0))), 6)  # pi/2 - 0.5
    1.070796
    """

    axis: Array = quantity(converter=AXIS, kw_only=False, doc="body axis, body axes, any length but zero")
    direction: Array = quantity(
        converter=AXIS, kw_only=False, doc="axis of the cone, inertial axes, any length but zero"
    )
    half_angle: float = quantity("rad", converter=NUMBER, doc="half-angle, above 0 and below 180 deg")
    keep: str = quantity(converter=one_of("out", "in"), default="out", doc="side that the body axis stays on")
    name: str = "cone"

    def __post_init__(self) -> None:
        check_fields(self, of=self.name)
        if not 0.0 < self.half_angle < pi:
            raise InputError(
                f"{self.name}: the half-angle of a cone must be between 0 and 180 deg; "
                f"got {degrees(self.half_angle):.6g} deg"
            )

    @property
    def sign(self) -> float:
        """1 for a keep-out cone, -1 for a keep-in cone; the constraint is sign ((R b) . s - cos c) <= 0."""
        return 1.0 if self.keep == "out" else -1.0

    @property
    def form(self) -> Array:
        """Symmetric M with (R(e) b) . s = e' M e for Euler parameters of unit norm, shape (4, 4)."""
        b, s = self.axis, self.direction
        m = np.zeros((4, 4))
        m[0, 0] = b @ s
        m[0, 1:] = m[1:, 0] = np.cross(b, s)
        m[1:, 1:] = np.outer(b, s) + np.outer(s, b) - (b @ s) * np.eye(3)
        return m

    @property
    def bound(self) -> float:
        """Cosine of the half-angle."""
        return cos(self.half_angle)

    def clearance(self, attitude: ArrayLike) -> Any:
        """Return the angle from the body axis to the edge of the cone, positive on the permitted side.

        Parameters
        ----------
        attitude : array_like, shape (4,) or (n, 4)
            Euler parameters.

        Returns
        -------
        float or numpy.ndarray, shape (n,)
            Angle, rad.
        """
        from ....plant.attitude import rotation_matrix

        axis = rotation_matrix(attitude) @ self.axis
        # atan2 of cross and dot product is accurate for small angles too
        cross = np.linalg.norm(np.cross(axis, self.direction), axis=-1)
        return self.sign * (np.arctan2(cross, axis @ self.direction) - self.half_angle)

    def least_clearance(self, attitudes: ArrayLike) -> float:
        """Return the smallest clearance along a path, also between its attitudes.

        Parameters
        ----------
        attitudes : array_like, shape (n, 4)
            Euler parameters; between two of them, the body axis follows the great circle.

        Returns
        -------
        float
            Angle, rad.
        """
        from ....plant.attitude import rotation_matrix

        axes = rotation_matrix(attitudes) @ self.axis
        centre = self.sign * self.direction  # a keep-in cone is the keep-out cone of the rest of the sphere
        least = float(np.min(self.clearance(attitudes)))
        first, last = axes[:-1], axes[1:]
        normals = np.cross(first, last)
        # arcs that pass the centre between their ends
        passed = (np.sum(np.cross(first, centre) * normals, axis=1) > 0.0) & (
            np.sum(np.cross(centre, last) * normals, axis=1) > 0.0
        )
        if passed.any():
            normals = normals[passed]
            height = np.abs(normals @ centre) / np.linalg.norm(normals, axis=1)
            half = self.half_angle if self.keep == "out" else pi - self.half_angle
            least = min(least, float(np.arcsin(np.minimum(height, 1.0)).min()) - half)
        return least
