# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A pendulum on the hub: sloshing fuel, a hanging mass; planar or spherical.

A bob of mass m at the end of a massless rod of length l from the hinge h, at rest along n:

    planar, about the axis a:   r = h + l (cos q n + sin q a x n)
    spherical, on a cross (universal) joint whose axes are j and then i, with i x j = n:
                                r = h + l (cos q2 (cos q1 n + sin q1 i) + sin q2 j)
    V = k (1 - cos g), cos g = (r - h) . n / l          friction: c times the rate at which the rod changes direction

so that the hinge pulls back with k sin g: what a steady acceleration A of the hub along n (thrust) does to the fuel in
its tank with k = m l A. The bob is a point; of a real tank, m, l, h and the fixed rest come from its slosh tables.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, non_negative, positive, vector
from ..errors import InputError
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
from .axis import axis_frame, unit_axis

__all__ = ["Pendulum"]

AT = fields(mass=1, length=1, damping=1, stiffness=1, hinge=3, direction=3, side=3)
"""Of a planar one: the hinge from the reference point, n, a x n."""

SPHERICAL = fields(mass=1, length=1, damping=1, stiffness=1, hinge=3, direction=3, side=3, across=3)
"""Of a spherical one: n, i, j."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Pendulum:
    """A point mass on a massless rod hinged to the hub.

    It moves the mass centre. On a free craft the motion is about the mass centre of the whole, so the hub needs its
    mass and recoils; uniform gravity, which pulls on everything alike, then does not swing it, but a force on the hub
    (`Effort`) does. On a pivoted craft uniform gravity pulls on the bob.

    Parameters
    ----------
    hinge : array_like, shape (3,)
        The hinge, from the mass centre of the hub, body components, m.
    length : float
        From hinge to mass, m.
    mass : float
        kg; not in the hub's.
    direction : array_like, shape (3,)
        Where the rod points at angle 0, body components; any length but zero.
    axis : array_like, shape (3,), optional
        The hinge axis of a planar pendulum, at right angles to `direction`; None: spherical.
    damping : float
        Of the hinge, N m s/rad.
    stiffness : float
        Of the hinge, N m/rad for small angles; the torque is that times the sine of the angle from rest.
    angle : float or array_like, shape (2,)
        The angle (planar) or both (spherical, each within 90 degrees) at t = 0, rad.
    rate : float or array_like, shape (2,)
        Their rates at t = 0, rad/s.

    Raises
    ------
    InputError
        When length or mass is not positive, damping or stiffness is negative, axis and direction are not at right
        angles, the shapes are wrong, or a spherical pendulum starts where its cross joint locks, at 90 degrees of
        its second angle.

    Examples
    --------
    >>> slosh = Pendulum(hinge=(0, 0, 0.2), length=0.3, mass=20.0, direction=(0, 0, -1), stiffness=1.5)
    >>> slosh.coordinates
    ('pendulum_angle_1', 'pendulum_angle_2')
    """

    numbers: ClassVar[Mapping[str, str]] = {"length": "m", "mass": "kg", "damping": "N m s", "stiffness": "N m"}

    hinge: ArrayLike
    length: float
    mass: float
    direction: ArrayLike
    axis: ArrayLike | None = None
    damping: float = 0.0
    stiffness: float = 0.0
    angle: ArrayLike = 0.0
    rate: ArrayLike = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "hinge", vector("pendulum hinge", self.hinge, unit="m"))
        positive("pendulum length", self.length, "m")
        positive("pendulum mass", self.mass, "kg")
        direction = unit_axis("pendulum direction", self.direction)
        object.__setattr__(self, "direction", direction)
        non_negative("pendulum damping", self.damping, "N m s/rad")
        non_negative("pendulum stiffness", self.stiffness, "N m/rad")
        if self.axis is not None:
            axis = unit_axis("pendulum axis", self.axis)
            if abs(float(axis @ direction)) > 1e-9:
                raise InputError(
                    "the axis of a planar pendulum must be at right angles to its direction; their cosine is "
                    f"{float(axis @ direction):.3g}"
                )
            object.__setattr__(self, "axis", axis)
        object.__setattr__(self, "angle", self._numbers("pendulum angle", self.angle, "rad"))
        object.__setattr__(self, "rate", self._numbers("pendulum rate", self.rate, "rad/s"))
        if self.axis is None and math.cos(float(np.asarray(self.angle)[1])) < 1e-6:
            raise InputError(
                "a spherical pendulum must start within 90 degrees of its second angle, where its cross joint locks; "
                f"got {math.degrees(float(np.asarray(self.angle)[1])):g} degrees; turn its direction"
            )

    def _numbers(self, name: str, given: ArrayLike, unit: str) -> NDArray[np.float64]:
        if np.shape(given) == ():
            number = finite(name, given, unit)  # pyright: ignore[reportArgumentType] # a number, as its shape says
            return np.array([number] if self.axis is not None else [number, 0.0])
        return vector(name, given, 1 if self.axis is not None else 2, unit)

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel of every planar, or of every spherical, pendulum."""
        return spherical_pendulum if self.axis is None else planar_pendulum

    @property
    def coordinates(self) -> tuple[str, ...]:
        """One angle, or two."""
        return ("pendulum_angle",) if self.axis is not None else ("pendulum_angle_1", "pendulum_angle_2")

    @property
    def units(self) -> tuple[str, ...]:
        """Radians."""
        return ("rad",) * len(self.coordinates)

    @property
    def driven(self) -> tuple[str, ...]:
        """Every angle, by a torque about the axis of its hinge, of a cross joint about that axis of the cross."""
        return self.coordinates

    cyclic = False
    """Its angles matter."""

    constant = False
    """Its share of the mass matrix changes with its angles."""

    moves_mass = True
    """It moves the mass centre."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Angles and rates at t = 0."""
        return [float(s) for s in np.asarray(self.angle)], [float(s) for s in np.asarray(self.rate)]

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return its numbers in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            As named in AT, or in SPHERICAL.
        """
        n = np.asarray(self.direction)
        given = {"mass": self.mass, "length": self.length, "damping": self.damping, "stiffness": self.stiffness}
        hinge = np.asarray(self.hinge) + offset
        if self.axis is not None:
            return filled(AT, **given, hinge=hinge, direction=n, side=np.cross(np.asarray(self.axis), n))
        side, across = axis_frame(n)
        return filled(SPHERICAL, **given, hinge=hinge, direction=n, side=side, across=across)


@kernel
def planar_pendulum(phase, t, x, u, p, row, w):
    """The kernel of a planar pendulum; see `polhode.plant.elements.element`."""
    k = int(p[row + 2])
    n = row + 4
    mass, length = p[n + AT.mass], p[n + AT.length]
    cos, sin = np.cos(x[7 + k]), np.sin(x[7 + k])
    if phase == 2:
        add_energy(p, w, p[n + AT.stiffness] * (1.0 - cos))
        return
    n0, n1, n2 = three(p, n + AT.direction)
    m0, m1, m2 = three(p, n + AT.side)
    r0, r1, r2 = three(p, n + AT.hinge)
    d0, d1, d2 = length * (cos * n0 + sin * m0), length * (cos * n1 + sin * m1), length * (cos * n2 + sin * m2)
    y0, y1, y2 = length * (cos * m0 - sin * n0), length * (cos * m1 - sin * n1), length * (cos * m2 - sin * n2)
    r0, r1, r2 = r0 + d0, r1 + d1, r2 + d2
    if phase == 0:
        place_particle(p, w, mass, r0, r1, r2)
        couple_particle(p, w, k, mass, r0, r1, r2, y0, y1, y2)
    else:
        rate = relative_rate(p, w, k)
        v0, v1, v2 = particle_velocity(p, w, r0, r1, r2, y0 * rate, y1 * rate, y2 * rate)
        particle_force(p, w, k, mass, v0, v1, v2, y0, y1, y2, -d0 * rate, -d1 * rate, -d2 * rate)
        friction = -p[n + AT.damping] * rate
        add_force(p, w, k, friction - p[n + AT.stiffness] * sin)
        add_power(p, w, friction * rate)


@kernel
def spherical_pendulum(phase, t, x, u, p, row, w):
    """The kernel of a spherical pendulum; see `polhode.plant.elements.element`."""
    k = int(p[row + 2])
    n = row + 4
    mass, length = p[n + SPHERICAL.mass], p[n + SPHERICAL.length]
    c1, s1 = np.cos(x[7 + k]), np.sin(x[7 + k])
    c2, s2 = np.cos(x[8 + k]), np.sin(x[8 + k])
    if phase == 2:
        add_energy(p, w, p[n + SPHERICAL.stiffness] * (1.0 - c1 * c2))
        return
    n0, n1, n2 = three(p, n + SPHERICAL.direction)
    i0, i1, i2 = three(p, n + SPHERICAL.side)
    j0, j1, j2 = three(p, n + SPHERICAL.across)
    r0, r1, r2 = three(p, n + SPHERICAL.hinge)
    g0, g1, g2 = c1 * n0 + s1 * i0, c1 * n1 + s1 * i1, c1 * n2 + s1 * i2
    h0, h1, h2 = c1 * i0 - s1 * n0, c1 * i1 - s1 * n1, c1 * i2 - s1 * n2
    a, b = length * c2, length * s2
    r0, r1, r2 = r0 + a * g0 + b * j0, r1 + a * g1 + b * j1, r2 + a * g2 + b * j2
    y0, y1, y2 = a * h0, a * h1, a * h2  # by the first angle
    z0, z1, z2 = a * j0 - b * g0, a * j1 - b * g1, a * j2 - b * g2  # by the second
    if phase == 0:
        place_particle(p, w, mass, r0, r1, r2)
        couple_particle(p, w, k, mass, r0, r1, r2, y0, y1, y2)
        couple_particle(p, w, k + 1, mass, r0, r1, r2, z0, z1, z2)  # y . z = 0
    else:
        q1, q2 = relative_rate(p, w, k), relative_rate(p, w, k + 1)
        v0, v1, v2 = particle_velocity(p, w, r0, r1, r2, y0 * q1 + z0 * q2, y1 * q1 + z1 * q2, y2 * q1 + z2 * q2)
        e0, e1, e2 = -(a * g0 * q1 + b * h0 * q2), -(a * g1 * q1 + b * h1 * q2), -(a * g2 * q1 + b * h2 * q2)
        particle_force(p, w, k, mass, v0, v1, v2, y0, y1, y2, e0, e1, e2)
        e0 = -(b * h0 * q1 + (a * g0 + b * j0) * q2)
        e1 = -(b * h1 * q1 + (a * g1 + b * j1) * q2)
        e2 = -(b * h2 * q1 + (a * g2 + b * j2) * q2)
        particle_force(p, w, k + 1, mass, v0, v1, v2, z0, z1, z2, e0, e1, e2)
        f1, f2 = -p[n + SPHERICAL.damping] * c2 * c2 * q1, -p[n + SPHERICAL.damping] * q2
        add_force(p, w, k, f1 - p[n + SPHERICAL.stiffness] * s1 * c2)
        add_force(p, w, k + 1, f2 - p[n + SPHERICAL.stiffness] * c1 * s2)
        add_power(p, w, f1 * q1 + f2 * q2)
