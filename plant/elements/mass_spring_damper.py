# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Point mass on a spring and a damper along a line in the hub: ball in a tube, axial sloshing or proof mass.

r = r0 + s a        M: a point mass m at r        V = 1/2 k s^2        p' = ... - k s - c sdot
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from ..quantity import AXIS, NUMBER, VECTOR, check_fields, declared, quantity
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
from .shape import ElementMotion, Shape

Array = NDArray[np.float64]

AT = fields(mass=1, stiffness=1, damping=1, point=3, axis=3)
"""Parameters of a sliding mass; `point` is relative to the reference point."""


@declared
class MassSpringDamper:
    """Mass on a spring and a damper that slides along a line.

    The mass moves the mass centre. A free spacecraft rotates about the total mass centre, so the mass of the hub must
    be given; see `Pendulum`. The line has no end stops.

    Parameters
    ----------
    point : array_like, shape (3,)
        Position of the mass when the spring is relaxed, relative to the mass centre of the hub, body components, m.
    axis : array_like, shape (3,)
        Direction of the line, body components; any non-zero length.
    mass : float
        Sliding mass, kg; not included in the mass of the hub.
    stiffness : float
        Spring stiffness, N/m; 0 for a ball without a spring.
    damping : float
        Viscous damping, N s/m.
    displacement : float
        Displacement along the axis at t = 0, m.
    rate : float
        Displacement rate at t = 0, m/s.

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

    point: Array = quantity("m", converter=VECTOR, doc="position at rest from the mass centre of the hub, body axes")
    axis: Array = quantity(converter=AXIS, doc="direction of the line, body axes, any length but zero")
    mass: float = quantity("kg", positive=True, doc="sliding mass, not in the mass of the hub")
    stiffness: float = quantity("N/m", converter=NUMBER, non_negative=True, default=0.0, doc="stiffness of the spring")
    damping: float = quantity("N s/m", converter=NUMBER, non_negative=True, default=0.0, doc="viscous damping")
    displacement: float = quantity("m", converter=NUMBER, default=0.0, start=True, doc="displacement at t = 0")
    rate: float = quantity("m/s", converter=NUMBER, default=0.0, start=True, doc="rate of the displacement at t = 0")

    def __post_init__(self) -> None:
        check_fields(self, of="slider")

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all sliding masses."""
        return mass_spring_damper

    coordinates = ("slider_displacement",)
    """Name of the displacement along the line."""

    units = ("m",)
    """Unit of the displacement."""

    driven = ("slider_displacement",)
    """Name of the driven coordinate: a force between hub and mass acts along the line."""

    cyclic = False
    """False: inertia and spring energy depend on the displacement."""

    constant = False
    """False: the contribution to the mass matrix depends on the displacement."""

    moves_mass = True
    """True: the sliding mass shifts the mass centre."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Displacement and rate at t = 0."""
        return (self.displacement,), (self.rate,)

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the sliding mass and its rest position as one shape.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            The block, whose two points are the position of the relaxed spring and the current position.
        """
        rest, axis = self.point, self.axis
        moved = rest + motion.coordinates[:, :1] * axis
        points = np.stack((np.broadcast_to(rest, moved.shape), moved), axis=1)
        return (Shape(kind="slider", axis=axis.tolist(), mass=self.mass, points=points),)

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
        point = self.point + offset
        return filled(AT, mass=self.mass, stiffness=self.stiffness, damping=self.damping, point=point, axis=self.axis)


@kernel
def mass_spring_damper(phase, t, x, u, p, row, w):
    """Kernel of a sliding mass; see `polhode.plant.elements.element`."""
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
