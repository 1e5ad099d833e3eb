# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Gravity of a point mass at the mass centre: V = -mu m / r, without a torque."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...hub.mass_now import total_mass
from ...hub.parameters import POSITION
from ...kernels.fields import fields, filled
from ...kernels.kernel import kernel
from ...quantity import NUMBER, check_fields, declared, quantity
from .central_bodies import check_gravitational_parameter, require_outside
from .orbital_load import OrbitalLoad

AT = fields(mu=1)


@declared
class PointGravity(OrbitalLoad):
    """Gravity of a central body on the mass centre of a translating spacecraft, without gravity gradient.

    V = -mu m / r, with the distance r from the inertial origin. For the torque of the gradient use `GravityGradient`,
    which includes this force.

    Parameters
    ----------
    mu : float
        Gravitational parameter of the centre, m^3/s^2, positive.

    Raises
    ------
    InputError
        When mu is not positive, or the spacecraft is pivoted or does not translate.
    """

    words: ClassVar[str] = "the gravity of a point mass"

    mu: float = quantity("m^3/s^2", converter=NUMBER, positive=True, doc="gravitational parameter of the centre")

    def __post_init__(self) -> None:
        check_fields(self, of="point gravity")
        check_gravitational_parameter(self.mu)

    def check_start(self, position: NDArray[np.float64], velocity: NDArray[np.float64]) -> None:
        """Raise InputError if a run starts inside a known central body, such as the Earth.

        Parameters
        ----------
        position : numpy.ndarray, shape (3,)
            Position at t = 0, m.
        velocity : numpy.ndarray, shape (3,)
            Velocity at t = 0, m/s.

        Raises
        ------
        InputError
            When the position is inside the body that mu identifies.
        """
        del velocity
        require_outside("the position at t = 0", float(np.linalg.norm(position)), self.mu)

    def _packed(self) -> list[float]:
        return filled(AT, mu=self.mu)


@kernel
def point_gravity_load(t, x, p, row, w):
    """Return zero torque (body) and the force -mu m c/r^3 (inertial)."""
    n = int(p[POSITION])
    r2 = x[n] * x[n] + x[n + 1] * x[n + 1] + x[n + 2] * x[n + 2]
    a = -p[row + AT.mu] * total_mass(p, w) / (r2 * np.sqrt(r2))
    zero = 0.0 * a
    return zero, zero, zero, a * x[n], a * x[n + 1], a * x[n + 2]


@kernel
def point_gravity_energy(t, x, p, row, w):
    """Return V = -mu m/r, J."""
    n = int(p[POSITION])
    return -p[row + AT.mu] * total_mass(p, w) / np.sqrt(x[n] * x[n] + x[n + 1] * x[n + 1] + x[n + 2] * x[n + 2])


PointGravity.kernels = point_gravity_load, point_gravity_energy
POTENTIAL = PointGravity
