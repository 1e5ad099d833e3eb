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

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import SMALLEST, finite, non_negative, positive, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..hub.parameters import ELEMENT, INTERNAL
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from .assembly import (
    add_force,
    add_mass,
    add_moment,
    add_moment_slope,
    add_power,
    moment_curvature,
    relative_rate,
)
from .axis import axis_frame, unit_axis

__all__ = ["RingDamper"]

AT = fields(mass=1, turning=1, mean=1, spread=1, friction=1, centre=3, across_1=3, across_2=3, axis=3)
"""Parameters: m, m R^2, rho, s, Cd R^2, the centre, two transverse axes and the axis."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class RingDamper:
    """Ring, partly or completely filled with a viscous fluid that moves as one slug.

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

    numbers: ClassVar[Mapping[str, str]] = {"mass": "kg", "radius": "m", "friction": "kg/s", "fill": "rad"}

    axis: ArrayLike
    mass: float
    radius: float
    friction: float
    center: ArrayLike = (0.0, 0.0, 0.0)
    fill: float = 2.0 * math.pi
    angle: float = 0.0
    relative_rate: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", unit_axis("ring axis", self.axis))
        object.__setattr__(self, "center", vector("ring centre", self.center, unit="m"))
        positive("ring mass", self.mass, "kg")
        positive("ring radius", self.radius, "m")
        non_negative("ring friction", self.friction, "kg/s")
        finite("ring angle", self.angle, "rad")
        finite("ring relative rate", self.relative_rate, "rad/s")
        if not SMALLEST <= finite("ring fill", self.fill, "rad") <= 2.0 * math.pi * (1.0 + 1e-15):
            raise InputError(f"the filled angle of the ring must be in (0, 2 pi] rad; got {self.fill:g} rad")

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel of all rings."""
        return ring_damper

    coordinates = ("ring_angle",)
    """The angle of the slug."""

    units = ("rad",)
    """Unit of the angle."""

    driven = ("ring_angle",)
    """The angle, driven by a torque between hub and slug about the axis of the ring."""

    @property
    def _mean(self) -> float:
        """Distance of the mass centre of the slug from the axis, in units of the radius."""
        return 0.0 if self.fill >= 2.0 * math.pi else math.sin(0.5 * self.fill) / (0.5 * self.fill)

    @property
    def cyclic(self) -> bool:
        """Whether the ring is full, so that no energy depends on the angle."""
        return self.fill >= 2.0 * math.pi

    @property
    def constant(self) -> bool:
        """Whether the ring is full, so that the mass matrix is independent of the angle."""
        return self.cyclic

    @property
    def moves_mass(self) -> bool:
        """Whether the slug has a first moment about the reference point."""
        return not self.cyclic or bool(np.asarray(self.center).any())

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """beta and betadot at t = 0."""
        return (self.angle,), (self.relative_rate,)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the parameters in the order the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT.
        """
        axis = np.asarray(self.axis)
        i, j = axis_frame(axis)
        s = 0.0 if self.cyclic else math.sin(self.fill) / self.fill
        return filled(
            AT,
            mass=self.mass,
            turning=self.mass * self.radius**2,
            mean=self.radius * self._mean,
            spread=s,
            friction=self.friction * self.radius**2,
            centre=np.asarray(self.center) + offset,
            across_1=i,
            across_2=j,
            axis=axis,
        )


@kernel
def ring_damper(phase, t, x, u, p, row, w):
    """Kernel of a ring; see `polhode.plant.elements.element`."""
    if phase == 2:
        return
    k = int(p[row + ELEMENT.first])
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
