# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Uniform gravity on a pivoted or a translating body: V = -m g . (c + R b).

b is the vector from the fixed point to the mass centre (body components). The vector is zero if the mass centre is the
reference point; gravity then exerts a force but no torque. For the spinning top of Shivarama & Fahrenthold (2004),
example 3, the result is V = W z_c, (47), which enters (42).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...hub.mass_now import total_mass
from ...hub.parameters import N_ELEMENTS, POSITION, TRANSLATION, W_MOMENT
from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_body, to_inertial
from ...quantity import VECTOR, check_fields, declared, quantity
from ..field_loads import element_gravity
from .any_potential import AnyPotential

if TYPE_CHECKING:
    from ...hub.rigid_body import RigidBody

AT = fields(g=3, moment=3)
"""Parameters: g and m b."""


@declared
class UniformGravity(AnyPotential):
    """Uniform gravity at the mass centre, for a pivoted or translating spacecraft.

    V = -m g . r, where r is the position of the mass centre.

    Parameters
    ----------
    g : array_like, shape (3,)
        Acceleration of free fall, inertial components, m/s^2, for instance (0, 0, -9.81).

    Raises
    ------
    InputError
        When g is not three finite numbers; when the spacecraft has no mass, has neither pivot nor translation, or
        is pivoted at its mass centre, where gravity has no effect.
    """

    words: ClassVar[str] = "uniform gravity"

    g: NDArray[np.float64] = quantity(
        "m/s^2", converter=VECTOR, kw_only=False, doc="acceleration of free fall, inertial axes"
    )

    def __post_init__(self) -> None:
        check_fields(self, of="gravity")

    @property
    def down(self) -> NDArray[np.float64]:
        """Inertial direction of gravity."""
        return self.g

    def pack(self, body: RigidBody, *, translation: bool, off_center: bool) -> list[float]:
        """Return the packed parameters, in the order in which the kernels read them.

        Parameters
        ----------
        body : RigidBody
            Body on which gravity acts.
        translation : bool
            Whether position is a state.
        off_center : bool
            Whether an element has weight off the pivot.

        Returns
        -------
        list of float
            The fields of AT.

        Raises
        ------
        InputError
            When gravity would have no effect.
        """
        held = body.pivot is not None and not body.pivot.any()  # then gravity acts on elements off the pivot only
        if body.mass is None and not held:
            raise InputError("uniform gravity needs the mass of the body (kg); give RigidBody(..., mass=...)")
        if not translation and not (off_center or np.any(body.pivot)):
            raise InputError(
                "uniform gravity has no effect on a body held at its mass centre; give another pivot in "
                "RigidBody(..., pivot=...), or Spacecraft(..., translation=True)"
            )
        offset = np.zeros(3) if body.pivot is None else -np.asarray(body.pivot)
        return filled(AT, g=self.g, moment=(body.mass or 0.0) * offset)


@kernel
def uniform_gravity_load(t, x, p, row, w):
    """Return torque m b x R'g (body) and force m g (inertial, if the body translates)."""
    g0, g1, g2 = three(p, row + AT.g)
    b0, b1, b2 = three(p, row + AT.moment)
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], g0, g1, g2)
    m = total_mass(p, w)
    t0, t1, t2 = b1 * a2 - b2 * a1, b2 * a0 - b0 * a2, b0 * a1 - b1 * a0
    if p[N_ELEMENTS] != 0.0 and p[TRANSLATION] == 0.0:
        y0, y1, y2 = element_gravity(x, p, w, g0, g1, g2)
        t0, t1, t2 = t0 + y0, t1 + y1, t2 + y2
    return t0, t1, t2, m * g0, m * g1, m * g2


@kernel
def uniform_gravity_energy(t, x, p, row, w):
    """Return V = -g . (m c + R m b), J."""
    g0, g1, g2 = three(p, row + AT.g)
    b0, b1, b2 = three(p, row + AT.moment)
    if p[N_ELEMENTS] != 0.0 and p[TRANSLATION] == 0.0:
        d = int(p[W_MOMENT])
        b0, b1, b2 = b0 + w[d], b1 + w[d + 1], b2 + w[d + 2]
    r0, r1, r2 = to_inertial(x[3], x[4], x[5], x[6], b0, b1, b2)
    value = -(g0 * r0 + g1 * r1 + g2 * r2)
    if p[TRANSLATION] != 0.0:
        n = int(p[POSITION])
        value = value - total_mass(p, w) * (g0 * x[n] + g1 * x[n + 1] + g2 * x[n + 2])
    return value


UniformGravity.kernels = uniform_gravity_load, uniform_gravity_energy
POTENTIAL = UniformGravity
