# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Pendulum on the hub, planar or spherical: sloshing fuel or a hanging mass.

A bob of mass m at the end of a massless rod of length l from the hinge h, at rest along n:

    planar, about the axis a:   r = h + l (cos q n + sin q a x n)
    spherical, on a cross (universal) joint whose axes are j and then i, with i x j = n:
                                r = h + l (cos q2 (cos q1 n + sin q1 i) + sin q2 j)
    V = k (1 - cos g), cos g = (r - h) . n / l          friction: c times the angular rate of the rod

The hinge torque k sin g represents fuel in a tank under a steady acceleration A of the hub along n (thrust), with
k = m l A. For a real tank, m, l, h and the fixed mass follow from its slosh tables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import vector
from ..errors import InputError
from ..hub.parameters import ELEMENT, INTERNAL
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from ..kernels.lanes import shared
from ..quantity import AXIS, NUMBER, ONE_OR_SEVERAL, OPTIONAL_AXIS, VECTOR, check_fields, declared, quantity
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
from .axis import axis_frame
from .shape import ElementMotion, Shape

Array = NDArray[np.float64]

AT = fields(mass=1, length=1, damping=1, stiffness=1, hinge=3, direction=3, side=3)
"""Parameters of a planar pendulum: hinge from the reference point, direction n, side a x n."""

SPHERICAL = fields(mass=1, length=1, damping=1, stiffness=1, hinge=3, direction=3, side=3, across=3)
"""Parameters of a spherical pendulum: hinge from the reference point, direction n, side i, across j."""


@declared
class Pendulum:
    """Point mass on a massless rod hinged to the hub: a model of fuel slosh.

    The bob moves the mass centre. A free spacecraft rotates about the total mass centre, so the hub recoils, and its
    mass must be given. Uniform gravity accelerates all parts equally and does not excite the pendulum; a force on the
    hub (`UserForce`) does. On a pivoted spacecraft uniform gravity acts on the bob.

    Parameters
    ----------
    hinge : array_like, shape (3,)
        Position of the hinge relative to the mass centre of the hub, body components, m.
    length : float
        Length of the rod, m.
    mass : float
        Mass of the bob, kg; not included in the mass of the hub.
    direction : array_like, shape (3,)
        Direction of the rod at angle 0, body components; any non-zero length.
    axis : array_like, shape (3,), optional
        Hinge axis of a planar pendulum, at right angles to `direction`. None: spherical.
    damping : float
        Viscous damping of the hinge, N m s.
    stiffness : float
        Stiffness k for small angles, N m/rad; the torque is k times the sine of the angle from rest.
    angle : float or array_like, shape (2,)
        Angle (planar) or both angles (spherical, each within 90 degrees) at t = 0, rad.
    rate : float or array_like, shape (2,)
        Rates of the angles at t = 0, rad/s.

    Raises
    ------
    InputError
        When length or mass is not positive, damping or stiffness is negative, axis and direction are not at right
        angles, or the shapes are wrong; or when the second angle of a spherical pendulum is 90 degrees at t = 0,
        where its cross joint locks.

    Examples
    --------
    >>> slosh = Pendulum(hinge=(0, 0, 0.2), length=0.3, mass=20.0, direction=(0, 0, -1), stiffness=1.5)
    >>> slosh.coordinates
    ('pendulum_angle_1', 'pendulum_angle_2')
    """

    hinge: Array = quantity("m", converter=VECTOR, doc="hinge, from the mass centre of the hub, body axes")
    length: float = quantity("m", converter=NUMBER, positive=True, doc="from hinge to bob")
    mass: float = quantity("kg", positive=True, doc="mass of the bob, not in the mass of the hub")
    direction: Array = quantity(converter=AXIS, doc="direction of the rod at rest, body axes, any length but zero")
    axis: Array | None = quantity(
        converter=OPTIONAL_AXIS,
        optional=True,
        default=None,
        doc="hinge axis of a planar pendulum, body axes; without an axis the pendulum is spherical",
    )
    damping: float = quantity("N m s", converter=NUMBER, non_negative=True, default=0.0, doc="friction of the hinge")
    stiffness: float = quantity(
        "N m/rad",
        converter=NUMBER,
        non_negative=True,
        default=0.0,
        doc="the torque is the stiffness times the sine of the angle",
    )
    angle: Array = quantity(
        "rad", converter=ONE_OR_SEVERAL, default=0.0, start=True, doc="angle at t = 0; two angles if spherical"
    )
    rate: Array = quantity("rad/s", converter=ONE_OR_SEVERAL, default=0.0, start=True, doc="its rate at t = 0")

    def __post_init__(self) -> None:
        check_fields(self, of="pendulum")
        cosine = 0.0 if self.axis is None else float(self.axis @ self.direction)
        if abs(cosine) > 1e-9:
            raise InputError(
                f"the axis of a planar pendulum must be at right angles to its direction; their cosine is {cosine:.3g}"
            )
        object.__setattr__(self, "angle", self._per_angle("angle of pendulum", self.angle, "rad"))
        object.__setattr__(self, "rate", self._per_angle("rate of pendulum", self.rate, "rad/s"))
        if self.axis is None and math.cos(float(self.angle[1])) < 1e-6:
            raise InputError(
                "the second angle of a spherical pendulum must start within 90 degrees, where its cross joint locks; "
                f"got {math.degrees(float(self.angle[1])):g} degrees; rotate the direction of the pendulum"
            )

    def _per_angle(self, name: str, values: Array, unit: str) -> Array:
        """Return one value per angle; the second angle is 0 if only the first is given."""
        if self.axis is not None:
            return vector(name, values if values.ndim else values[None], 1, unit)
        return vector(name, values if values.ndim else np.append(values, 0.0), 2, unit)

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all planar or all spherical pendulums."""
        return spherical_pendulum if self.axis is None else planar_pendulum

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the one or two angles."""
        return ("pendulum_angle",) if self.axis is not None else ("pendulum_angle_1", "pendulum_angle_2")

    @property
    def units(self) -> tuple[str, ...]:
        """Unit of the angles."""
        return ("rad",) * len(self.coordinates)

    @property
    def driven(self) -> tuple[str, ...]:
        """Names of the driven angles: all angles, each driven by a torque about its hinge or cross-joint axis."""
        return self.coordinates

    cyclic = False
    """False: inertia and energy depend on the angles."""

    constant = False
    """False: the contribution to the mass matrix depends on the angles."""

    moves_mass = True
    """True: the bob moves the mass centre."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Angles and rates at t = 0."""
        return self.angle.tolist(), self.rate.tolist()

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the bob on its rod as one shape.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            The bob, with the hinge and the bob as points.
        """
        n, hinge = self.direction, self.hinge
        first = motion.coordinates[:, :1]
        if self.axis is not None:
            rod = np.cos(first) * n + np.sin(first) * np.cross(self.axis, n)
        else:
            side, across = axis_frame(n)
            second = motion.coordinates[:, 1:2]
            rod = np.cos(second) * (np.cos(first) * n + np.sin(first) * side) + np.sin(second) * across
        bob = hinge + self.length * rod
        points = np.stack((np.broadcast_to(hinge, bob.shape), bob), axis=1)
        return (Shape(kind="bob", mass=self.mass, points=points),)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT, or of SPHERICAL.
        """
        n = self.direction
        scalars = {"mass": self.mass, "length": self.length, "damping": self.damping, "stiffness": self.stiffness}
        hinge = self.hinge + offset
        if self.axis is not None:
            return filled(AT, **scalars, hinge=hinge, direction=n, side=np.cross(self.axis, n))
        side, across = axis_frame(n)
        return filled(SPHERICAL, **scalars, hinge=hinge, direction=n, side=side, across=across)


@kernel(lanes=True)
def planar_pendulum(phase, t, x, u, p, row, w):
    """Kernel of a planar pendulum; see `polhode.plant.elements.element`."""
    k = int(shared(p, row + ELEMENT.first))
    n = row + ELEMENT.size
    mass, length = p[n + AT.mass], p[n + AT.length]
    cos, sin = np.cos(x[INTERNAL + k]), np.sin(x[INTERNAL + k])
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


@kernel(lanes=True)
def spherical_pendulum(phase, t, x, u, p, row, w):
    """Kernel of a spherical pendulum; see `polhode.plant.elements.element`."""
    k = int(shared(p, row + ELEMENT.first))
    n = row + ELEMENT.size
    mass, length = p[n + SPHERICAL.mass], p[n + SPHERICAL.length]
    c1, s1 = np.cos(x[INTERNAL + k]), np.sin(x[INTERNAL + k])
    c2, s2 = np.cos(x[INTERNAL + k + 1]), np.sin(x[INTERNAL + k + 1])
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
    y0, y1, y2 = a * h0, a * h1, a * h2  # derivative with respect to the first angle
    z0, z1, z2 = a * j0 - b * g0, a * j1 - b * g1, a * j2 - b * g2  # derivative with respect to the second
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
