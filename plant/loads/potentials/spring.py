# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Spring and damper between a point of the body and a point of inertial space.

V = 1/2 k (l - l0)^2, where l is the distance between the two points; the damper force is -d l' along the same line.
Spring and damper support the disk of Shivarama & Fahrenthold (2004), example 1, and the spring-mounted body of Choi
(2014), section 2.2.3, (22)-(25). (46) of the first paper prints k r instead of k r^2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...hub.parameters import LINEAR_MOMENTUM, MASS, POSITION, TRANSLATION
from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_body, to_inertial
from ...quantity import NUMBER, VECTOR, check_fields, declared, quantity
from .any_potential import AnyPotential

if TYPE_CHECKING:
    from ...hub.rigid_body import RigidBody

Array = NDArray[np.float64]

AT = fields(point=3, anchor=3, stiffness=1, natural=1)
DAMPER = fields(point=3, anchor=3, damping=1)
"""Parameters of the damper; `point` is relative to the reference point. AT has the same first two fields."""


@declared
class Spring(AnyPotential):
    """Spring and damper between a point of the body and a point fixed in inertial space.

    Parameters
    ----------
    body_point : array_like, shape (3,)
        Attachment point on the body, relative to the mass centre, body components, m.
    inertial_point : array_like, shape (3,)
        Anchor, inertial components, m.
    stiffness : float
        k, N/m, positive.
    natural_length : float
        l0, the length at zero force, m.
    damping : float
        d, N s/m, along the line of the spring.

    Raises
    ------
    InputError
        When a shape is wrong, or the stiffness, length or damping is out of range; when a spacecraft with this spring
        has neither pivot nor translation.

    Notes
    -----
    A spring with positive natural length has no defined direction while its two points coincide.
    """

    words: ClassVar[str] = "a spring"
    holds_point: ClassVar[bool] = True

    body_point: Array = quantity("m", converter=VECTOR, doc="attachment point, from the mass centre, body axes")
    inertial_point: Array = quantity("m", converter=VECTOR, doc="where it is anchored, inertial axes")
    stiffness: float = quantity("N/m", converter=NUMBER, positive=True, doc="stiffness")
    natural_length: float = quantity("m", converter=NUMBER, non_negative=True, default=0.0, doc="length without force")
    damping: float = quantity("N s/m", converter=NUMBER, non_negative=True, default=0.0, doc="damping along its line")

    def __post_init__(self) -> None:
        check_fields(self, of="spring")

    def _points(self, body: RigidBody) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        shift = np.zeros(3) if body.pivot is None else np.asarray(body.pivot)
        return self.body_point - shift, self.inertial_point

    def pack(self, body: RigidBody, *, translation: bool, off_center: bool) -> list[float]:
        """Return the packed parameters of the spring, in the order in which the kernels read them.

        Parameters
        ----------
        body : RigidBody
            Body on which the spring acts.
        translation : bool
            Not used; the kernels read this flag from the packed parameters.
        off_center : bool
            Not used.

        Returns
        -------
        list of float
            The fields of AT.
        """
        point, anchor = self._points(body)
        return filled(AT, point=point, anchor=anchor, stiffness=self.stiffness, natural=self.natural_length)

    def pack_damper(self, body: RigidBody) -> list[float]:
        """Return the packed parameters of the damper, in the order in which the kernel reads them.

        Parameters
        ----------
        body : RigidBody
            Body on which the damper acts.

        Returns
        -------
        list of float
            The fields of DAMPER; empty if there is no damping.
        """
        if self.damping == 0.0:
            return []
        point, anchor = self._points(body)
        return filled(DAMPER, point=point, anchor=anchor, damping=self.damping)


@kernel
def _line(x, p, row):
    """Return the vector from the anchor to the body point (inertial), its length, and R b."""
    b0, b1, b2 = three(p, row + AT.point)
    a0, a1, a2 = three(p, row + AT.anchor)
    b0, b1, b2 = to_inertial(x[3], x[4], x[5], x[6], b0, b1, b2)
    r0, r1, r2 = b0 - a0, b1 - a1, b2 - a2
    if p[TRANSLATION] != 0.0:
        n = int(p[POSITION])
        r0, r1, r2 = r0 + x[n], r1 + x[n + 1], r2 + x[n + 2]
    return r0, r1, r2, np.sqrt(r0 * r0 + r1 * r1 + r2 * r2)


@kernel
def point_load(x, p, row, f0, f1, f2):
    """Return torque (body) and force (inertial) due to a force f (inertial) at the body point of the row."""
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    b0, b1, b2 = three(p, row + AT.point)
    return b1 * a2 - b2 * a1, b2 * a0 - b0 * a2, b0 * a1 - b1 * a0, f0, f1, f2


@kernel
def spring_load(t, x, p, row, w):
    """Return torque (body) and force (inertial) of the spring, -k (l - l0) along its line."""
    r0, r1, r2, length = _line(x, p, row)
    k = p[row + AT.stiffness]
    natural = p[row + AT.natural]
    s = -k + 0.0 * r0
    if natural != 0.0:  # at zero natural length the force is -k r, defined even at zero length
        s = -k * (1.0 - natural / length)
    return point_load(x, p, row, s * r0, s * r1, s * r2)


@kernel
def spring_energy(t, x, p, row, w):
    """Return V = 1/2 k (l - l0)^2, J."""
    r0, r1, r2, length = _line(x, p, row)
    if p[row + AT.natural] == 0.0:
        return 0.5 * p[row + AT.stiffness] * (r0 * r0 + r1 * r1 + r2 * r2)
    return 0.5 * p[row + AT.stiffness] * (length - p[row + AT.natural]) * (length - p[row + AT.natural])


@kernel
def damper_load(x, p, row, w0, w1, w2):
    """Return torque (body) and force (inertial) of the damper, -d l' along its line."""
    r0, r1, r2, length = _line(x, p, row)
    b0, b1, b2 = three(p, row + AT.point)
    v0, v1, v2 = to_inertial(x[3], x[4], x[5], x[6], w1 * b2 - w2 * b1, w2 * b0 - w0 * b2, w0 * b1 - w1 * b0)
    if p[TRANSLATION] != 0.0:
        n = int(p[LINEAR_MOMENTUM])
        v0, v1, v2 = v0 + x[n] / p[MASS], v1 + x[n + 1] / p[MASS], v2 + x[n + 2] / p[MASS]
    s = -p[row + DAMPER.damping] * (r0 * v0 + r1 * v1 + r2 * v2) / (length * length)
    return point_load(x, p, row, s * r0, s * r1, s * r2)


Spring.kernels = spring_load, spring_energy
POTENTIAL = Spring
