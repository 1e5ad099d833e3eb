# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A mass on a spring and a damper along a line in the hub: a ball in a tube, axial sloshing, a proof mass.

r = r0 + s a        M: a point mass m at r        V = 1/2 k s^2        p' = ... - k s - c sdot
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, non_negative, positive, vector
from ..frozen import frozen_arrays
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from .assembly import (
    add_energy,
    add_force,
    add_power,
    couple_particle,
    particle_force,
    particle_velocity,
    place_particle,
    relative_rate,
)
from .axis import unit_axis

__all__ = ["MassSpringDamper"]

AT = fields(mass=1, stiffness=1, damping=1, point=3, axis=3)
"""The point is from the reference point."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class MassSpringDamper:
    """A point mass that slides along a straight line in the hub.

    It moves the mass centre. On a free craft the motion is about the mass centre of the whole, so the hub needs its
    mass; see `Pendulum`. The tube has no ends.

    Parameters
    ----------
    point : array_like, shape (3,)
        Where the mass is with the spring at rest, from the mass centre of the hub, body components, m.
    axis : array_like, shape (3,)
        The direction of the line, body components; any length but zero.
    mass : float
        kg; not in the hub's.
    stiffness : float
        Of the spring, N/m; 0 for a ball that only the motion of the hub moves.
    damping : float
        N s/m.
    displacement : float
        Along the axis at t = 0, m.
    rate : float
        Its rate at t = 0, m/s.

    Raises
    ------
    InputError
        When the axis has no direction, the mass is not positive, or stiffness or damping is negative.

    Examples
    --------
    >>> ball = MassSpringDamper(point=(0.4, 0, 0), axis=(0, 0, 1), mass=0.2, stiffness=3.0, damping=0.1)
    >>> ball.coordinates
    ('slider_displacement',)
    """

    numbers: ClassVar[Mapping[str, str]] = {"mass": "kg", "stiffness": "N/m", "damping": "N s/m"}

    point: ArrayLike
    axis: ArrayLike
    mass: float
    stiffness: float = 0.0
    damping: float = 0.0
    displacement: float = 0.0
    rate: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector("slider point", self.point, unit="m"))
        object.__setattr__(self, "axis", unit_axis("slider axis", self.axis))
        positive("slider mass", self.mass, "kg")
        non_negative("slider stiffness", self.stiffness, "N/m")
        non_negative("slider damping", self.damping, "N s/m")
        finite("slider displacement", self.displacement, "m")
        finite("slider rate", self.rate, "m/s")

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel of every one."""
        return mass_spring_damper

    coordinates = ("slider_displacement",)
    """One: how far it is along the line."""

    units = ("m",)
    """Metres."""

    driven = ("slider_displacement",)
    """By a force between hub and mass, along the line."""

    cyclic = False
    """Its place matters."""

    constant = False
    """Its share of the mass matrix changes with its place."""

    moves_mass = True
    """It moves the mass centre."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Displacement and rate at t = 0."""
        return (self.displacement,), (self.rate,)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return its numbers in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            As named in AT.
        """
        point = np.asarray(self.point) + offset
        return filled(AT, mass=self.mass, stiffness=self.stiffness, damping=self.damping, point=point, axis=self.axis)


@kernel
def mass_spring_damper(phase, t, x, u, p, row, w):
    """The kernel of a mass on a line; see `polhode.plant.elements.element`."""
    k = int(p[row + 2])
    n = row + 4
    mass = p[n + AT.mass]
    s = x[7 + k]
    if phase == 2:
        add_energy(p, w, 0.5 * p[n + AT.stiffness] * s * s)
        return
    a0, a1, a2 = three(p, n + AT.axis)
    r0, r1, r2 = three(p, n + AT.point)
    r0, r1, r2 = r0 + s * a0, r1 + s * a1, r2 + s * a2
    if phase == 0:
        place_particle(p, w, mass, r0, r1, r2)
        couple_particle(p, w, k, mass, r0, r1, r2, a0, a1, a2)
    else:
        rate = relative_rate(p, w, k)
        v0, v1, v2 = particle_velocity(p, w, r0, r1, r2, a0 * rate, a1 * rate, a2 * rate)
        particle_force(p, w, k, mass, v0, v1, v2, a0, a1, a2, 0.0, 0.0, 0.0)
        friction = -p[n + AT.damping] * rate
        add_force(p, w, k, friction - p[n + AT.stiffness] * s)
        add_power(p, w, friction * rate)
