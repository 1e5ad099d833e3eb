# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Viscous ring nutation damper: a slug of fluid in a ring, partly or completely filled.

The slug is a thin arc of mass m and radius R that subtends gamma, at an angle beta about the axis k of the ring, whose
centre is at c. With rho = R sin(gamma/2)/(gamma/2) along the middle of the arc, u and v along and across it,

    second moment   S = m [c c' + c rho' + rho c'] + m R^2/2 [(1 + s) u u' + (1 - s) v v'],   s = sin(gamma)/gamma
    M:   J = tr(S) I - S        N = m R^2 k + m c x (k x rho)        D = m R^2
    d = m (c + rho),   dd/dbeta = m k x rho
    p' = 1/2 v' (dM/dbeta) v - dV/dbeta - Cd R^2 betadot

This is example 4 of Shivarama & Fahrenthold (2004) with corrected mechanics. Their (60) omits the torques that keep the
ring on its axis. Their (63)-(66) therefore change the total angular momentum and do not damp nutation
(`published_ring`). Their (50) has R' for R. They call Cd dimensionless; it is in kg/s, since Cd R^2 betadot is a
torque.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..hub.parameters import ELEMENT, INTERNAL
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from ..kernels.lanes import shared
from ..quantity import AXIS, NUMBER, VECTOR, check_fields, declared, quantity
from .assembly import (
    add_force,
    add_mass,
    add_moment,
    add_moment_slope,
    add_power,
    moment_curvature,
    relative_rate,
)
from .axis import axis_frame
from .shape import ElementMotion, Shape

Array = NDArray[np.float64]

AT = fields(mass=1, turning=1, mean=1, spread=1, friction=1, centre=3, across_1=3, across_2=3, axis=3)
"""Parameters: m, m R^2, rho, s, Cd R^2, the centre, both transverse axes and the axis."""


FULL = 2.0 * math.pi * (1.0 + 1e-15)
"""Largest filled angle, rad: 2 pi with a margin for rounding."""


@declared
class RingDamper:
    """Ring damper, wholly or partly filled with a viscous fluid that moves as one slug.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Axis of the ring, body components; any non-zero length.
    mass : float
        Mass of the fluid, kg; not included in the mass of the hub.
    radius : float
        Mean radius R of the ring, m.
    friction : float
        Cd, kg/s: the torque between ring and slug is Cd R^2 betadot. See `ring_friction` for laminar flow.
    center : array_like, shape (3,)
        Centre of the ring relative to the mass centre of the hub, body components, m.
    fill : float
        gamma, the filled angle, rad, up to 2 pi.
    angle : float
        beta at t = 0, rad: angle of the middle of the slug from the first transverse axis (body x for a ring about z).
    relative_rate : float
        betadot at t = 0, rad/s.

    Raises
    ------
    InputError
        When the axis has no direction, mass or radius is not positive, the friction is negative or the filled angle is
        not in (0, 2 pi].

    Examples
    --------
    >>> ring = RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, friction=0.2, center=(0, 0, 0.3), fill=2.0)
    >>> ring.moves_mass
    True
    """

    axis: Array = quantity(converter=AXIS, doc="axis of the ring, body axes, any length but zero")
    mass: float = quantity("kg", positive=True, doc="mass of the fluid, not in the mass of the hub")
    radius: float = quantity("m", converter=NUMBER, positive=True, doc="mean radius of the ring")
    friction: float = quantity(
        "kg/s", converter=NUMBER, non_negative=True, doc="Cd; the torque on the fluid is -Cd R^2 times its rate"
    )
    center: Array = quantity(
        "m", converter=VECTOR, default=(0.0, 0.0, 0.0), case=None, doc="centre, from the mass centre of the hub"
    )
    fill: float = quantity(
        "rad",
        converter=NUMBER,
        positive=True,
        at_most=FULL,
        case="deg",
        default=2.0 * math.pi,
        doc="arc the fluid fills",
    )
    angle: float = quantity(
        "rad", converter=NUMBER, default=0.0, start=True, doc="angle of the middle of the slug at t = 0"
    )
    relative_rate: float = quantity("rad/s", converter=NUMBER, default=0.0, start=True, doc="rate of the slug at t = 0")

    def __post_init__(self) -> None:
        check_fields(self, of="ring")

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all rings."""
        return ring_damper

    coordinates = ("ring_angle",)
    """Name of the slug angle."""

    units = ("rad",)
    """Unit of the angle."""

    driven = ("ring_angle",)
    """Name of the driven coordinate: a torque between hub and slug acts about the axis of the ring."""

    @property
    def _mean(self) -> float:
        """Distance of the mass centre of the slug from the axis, in units of the radius."""
        return 0.0 if self.fill >= 2.0 * math.pi else math.sin(0.5 * self.fill) / (0.5 * self.fill)

    @property
    def cyclic(self) -> bool:
        """True if the ring is full, so that no energy depends on the angle."""
        return self.fill >= 2.0 * math.pi

    @property
    def constant(self) -> bool:
        """True if the ring is full, so that the mass matrix is independent of the angle."""
        return self.cyclic

    @property
    def moves_mass(self) -> bool:
        """True if the slug has a first moment about the reference point."""
        return not self.cyclic or bool(self.center.any())

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """beta and betadot at t = 0."""
        return (self.angle,), (self.relative_rate,)

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the ring as a torus and the slug as an arc in it.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            Torus and arc.
        """
        axis = self.axis
        place: dict[str, Any] = {
            "center": self.center.tolist(),
            "axis": axis.tolist(),
            "across": axis_frame(axis)[0].tolist(),
            "radius": self.radius,
        }
        slug = Shape(kind="arc", span=self.fill, mass=self.mass, angle=motion.coordinates[:, 0], **place)
        return Shape(kind="ring", **place), slug

    def tuned_over(self) -> Mapping[str, Array]:
        """Return the parameters by which the ring is tuned, with the values to try."""
        return {
            "friction": self.friction * np.geomspace(0.1, 10.0, 17),
            "fill": np.radians(np.linspace(30.0, 330.0, 11)),
            "radius": self.radius * np.array((0.8, 1.0, 1.2)),
        }

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT.
        """
        axis = self.axis
        i, j = axis_frame(axis)
        s = 0.0 if self.cyclic else math.sin(self.fill) / self.fill
        return filled(
            AT,
            mass=self.mass,
            turning=self.mass * self.radius**2,
            mean=self.radius * self._mean,
            spread=s,
            friction=self.friction * self.radius**2,
            centre=self.center + offset,
            across_1=i,
            across_2=j,
            axis=axis,
        )


@kernel(lanes=True)
def ring_damper(phase, t, x, u, p, row, w):
    """Kernel of a ring; see `polhode.plant.elements.element`."""
    if phase == 2:
        return
    k = int(shared(p, row + ELEMENT.first))
    n = row + ELEMENT.size
    mass, turning, rho, s = p[n + AT.mass], p[n + AT.turning], p[n + AT.mean], p[n + AT.spread]
    c0, c1, c2 = three(p, n + AT.centre)
    k0, k1, k2 = three(p, n + AT.axis)
    i0, i1, i2 = three(p, n + AT.across_1)
    j0, j1, j2 = three(p, n + AT.across_2)
    beta = x[INTERNAL + k]
    cos, sin = np.cos(beta), np.sin(beta)
    u0 = cos * i0 + sin * j0
    u1 = cos * i1 + sin * j1
    u2 = cos * i2 + sin * j2
    v0, v1, v2 = k1 * u2 - k2 * u1, k2 * u0 - k0 * u2, k0 * u1 - k1 * u0
    r0, r1, r2 = rho * u0, rho * u1, rho * u2  # middle of the slug, relative to the centre of the ring
    y0, y1, y2 = rho * v0, rho * v1, rho * v2  # k x rho
    if phase == 0:
        a, b = 0.5 * turning * (1.0 + s), 0.5 * turning * (1.0 - s)
        s00 = mass * (c0 * c0 + 2.0 * c0 * r0) + a * u0 * u0 + b * v0 * v0
        s11 = mass * (c1 * c1 + 2.0 * c1 * r1) + a * u1 * u1 + b * v1 * v1
        s22 = mass * (c2 * c2 + 2.0 * c2 * r2) + a * u2 * u2 + b * v2 * v2
        add_mass(p, w, 0, 0, s11 + s22)
        add_mass(p, w, 1, 1, s22 + s00)
        add_mass(p, w, 2, 2, s00 + s11)
        add_mass(p, w, 0, 1, -(mass * (c0 * c1 + c0 * r1 + r0 * c1) + a * u0 * u1 + b * v0 * v1))
        add_mass(p, w, 0, 2, -(mass * (c0 * c2 + c0 * r2 + r0 * c2) + a * u0 * u2 + b * v0 * v2))
        add_mass(p, w, 1, 2, -(mass * (c1 * c2 + c1 * r2 + r1 * c2) + a * u1 * u2 + b * v1 * v2))
        add_mass(p, w, 3 + k, 0, turning * k0 + mass * (c1 * y2 - c2 * y1))
        add_mass(p, w, 3 + k, 1, turning * k1 + mass * (c2 * y0 - c0 * y2))
        add_mass(p, w, 3 + k, 2, turning * k2 + mass * (c0 * y1 - c1 * y0))
        add_mass(p, w, 3 + k, 3 + k, turning)
        add_moment(p, w, mass * (c0 + r0), mass * (c1 + r1), mass * (c2 + r2))
        add_moment_slope(p, w, k, mass * y0, mass * y1, mass * y2)
    else:
        rate = relative_rate(p, w, k)
        w0, w1, w2 = relative_rate(p, w, -3), relative_rate(p, w, -2), relative_rate(p, w, -1)
        square = w0 * w0 + w1 * w1 + w2 * w2
        along = w0 * u0 + w1 * u1 + w2 * u2
        across = w0 * v0 + w1 * v1 + w2 * v2
        force = mass * (
            (c0 * y0 + c1 * y1 + c2 * y2) * square - (c0 * w0 + c1 * w1 + c2 * w2) * (y0 * w0 + y1 * w1 + y2 * w2)
        )
        force = force - turning * s * along * across
        turn = w0 * (c1 * r2 - c2 * r1) + w1 * (c2 * r0 - c0 * r2) + w2 * (c0 * r1 - c1 * r0)
        friction = -p[n + AT.friction] * rate
        add_force(p, w, k, force - mass * turn * rate + friction)
        add_power(p, w, friction * rate)
        moment_curvature(p, w, k, -mass * r0 * rate, -mass * r1 * rate, -mass * r2 * rate)
