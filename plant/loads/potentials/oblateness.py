# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Oblateness of the central body: the J2 term of its field at the mass centre, without a torque."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...hub.mass_now import total_mass
from ...hub.parameters import POSITION
from ...kernels.fields import fields, filled
from ...kernels.kernel import kernel
from ...quantity import NUMBER, VECTOR, check_fields, declared, quantity
from .central_bodies import check_gravitational_parameter, surface_of
from .orbital_load import OrbitalLoad

AT = fields(strength=1, pole=3)
"""Parameters: mu J2 R^2, m^5/s^2; unit vector along the pole."""

POLAR = 0.9  # of the equatorial radius; Saturn is the flattest planet, with 0.902
NARROWEST, WIDEST = 0.98, 1.2  # equatorial over polar radius; 1.11 for Saturn
LARGEST_J2 = 0.5
"""Bound on J2 = (C - (A + B)/2)/(M R^2) of any body within its equatorial radius R, since A + B >= C."""


@declared
class Oblateness(OrbitalLoad):
    """Force of the oblateness J2 of the central body on a translating spacecraft.

    V = mu m J2 R^2 / (2 r^3) (3 (rhat . pole)^2 - 1), with r from the inertial origin. `PointGravity` or
    `GravityGradient` adds the central force. The gradient of the J2 term, a thousandth of the central gravity gradient
    for the Earth, exerts no torque here.

    Parameters
    ----------
    mu : float
        Gravitational parameter of the centre, m^3/s^2, positive.
    j2 : float
        Second zonal harmonic J2, unnormalised; 1.08262668e-3 for the Earth.
    radius : float
        Equatorial radius R, m.
    pole : array_like, shape (3,)
        Axis of symmetry, inertial components, of any nonzero length.

    Raises
    ------
    InputError
        When a value is out of range, the pole is zero, or the spacecraft is pivoted or does not translate.
    """

    words: ClassVar[str] = "the oblateness"

    mu: float = quantity("m^3/s^2", converter=NUMBER, positive=True, doc="gravitational parameter of the centre")
    j2: float = quantity(converter=NUMBER, doc="second zonal harmonic J2")
    radius: float = quantity("m", converter=NUMBER, positive=True, doc="equatorial radius")
    pole: NDArray[np.float64] = quantity(
        converter=VECTOR, default=(0.0, 0.0, 1.0), doc="axis of symmetry, inertial axes, any length but zero"
    )

    def __post_init__(self) -> None:
        check_fields(self, of="oblateness")
        check_gravitational_parameter(self.mu)
        if abs(self.j2) >= LARGEST_J2:
            raise InputError(
                f"j2 of the oblateness must be below {LARGEST_J2:g}, as for a ring of mass at the equatorial radius; "
                f"got {self.j2:g} (unnormalised, 1.08262668e-3 for the Earth)"
            )
        surface = surface_of(self.mu)
        if surface is not None and not NARROWEST * surface[1] <= self.radius <= WIDEST * surface[1]:
            raise InputError(
                f"radius of the oblateness, {self.radius:g} m, does not match {surface[0]}, whose mu is {self.mu:g} "
                f"m^3/s^2 and whose polar radius is {surface[1]:g} m; give the equatorial radius in m"
            )
        if not self.pole.any():
            raise InputError(f"pole of the oblateness must not be zero; got {self.pole.tolist()}")

    def check_start(self, position: NDArray[np.float64], velocity: NDArray[np.float64]) -> None:
        """Raise InputError if a run starts inside the central body.

        Parameters
        ----------
        position : numpy.ndarray, shape (3,)
            Position at t = 0, m.
        velocity : numpy.ndarray, shape (3,)
            Velocity at t = 0, m/s.

        Raises
        ------
        InputError
            When the position is closer to the centre than the polar radius.
        """
        del velocity
        distance = float(np.linalg.norm(position))
        if distance < POLAR * self.radius:
            raise InputError(
                f"the position at t = 0 is {distance:g} m from the centre, inside the oblate body, whose radius "
                f"is {self.radius:g} m; give both in m, and the position from the centre"
            )

    def _packed(self) -> list[float]:
        pole = self.pole / np.linalg.norm(self.pole)
        return filled(AT, strength=self.mu * self.j2 * self.radius**2, pole=pole)


@kernel
def oblateness_load(t, x, p, row, w):
    """Return zero torque (body) and the force of the J2 term (inertial)."""
    n, k = int(p[POSITION]), row + AT.pole
    r2 = x[n] * x[n] + x[n + 1] * x[n + 1] + x[n + 2] * x[n + 2]
    z = p[k] * x[n] + p[k + 1] * x[n + 1] + p[k + 2] * x[n + 2]
    s = 1.5 * p[row + AT.strength] * total_mass(p, w) / (r2 * r2 * np.sqrt(r2))
    a, b = s * (5.0 * z * z / r2 - 1.0), -2.0 * s * z
    zero = 0.0 * a
    return zero, zero, zero, a * x[n] + b * p[k], a * x[n + 1] + b * p[k + 1], a * x[n + 2] + b * p[k + 2]


@kernel
def oblateness_energy(t, x, p, row, w):
    """Return V = mu m J2 R^2/(2 r^3) (3 (rhat . pole)^2 - 1), J."""
    n, k = int(p[POSITION]), row + AT.pole
    r2 = x[n] * x[n] + x[n + 1] * x[n + 1] + x[n + 2] * x[n + 2]
    z = p[k] * x[n] + p[k + 1] * x[n + 1] + p[k + 2] * x[n + 2]
    return 0.5 * p[row + AT.strength] * total_mass(p, w) / (r2 * np.sqrt(r2)) * (3.0 * z * z / r2 - 1.0)


Oblateness.kernels = oblateness_load, oblateness_energy
POTENTIAL = Oblateness
