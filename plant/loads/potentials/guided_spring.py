# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Spring on a guide that keeps the spring along one inertial direction, without transverse force.

V = 1/2 k (n . r - y0)^2, where r = c + R b is the attachment point on the body. The disk of Shivarama & Fahrenthold
(2004), example 1, is supported in this way: (45), V = 1/2 k y_p^2 = 1/2 k r^2 (2 e1 e2 + 2 e0 e3)^2. Their (46) prints
k r instead of k r^2 in J phi'' + 1/2 k r^2 sin 2 phi = 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...hub.parameters import POSITION, TRANSLATION
from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_inertial
from ...quantity import AXIS, NUMBER, VECTOR, check_fields, declared, quantity
from .any_potential import AnyPotential
from .spring import point_load

if TYPE_CHECKING:
    from ...hub.rigid_body import RigidBody

Array = NDArray[np.float64]

AT = fields(point=3, direction=3, stiffness=1, rest=1)
"""Parameters of the spring; `point` is relative to the reference point."""


@declared
class GuidedSpring(AnyPotential):
    """Spring along a fixed inertial direction at a point of the body, without transverse force.

    Parameters
    ----------
    body_point : array_like, shape (3,)
        Attachment point relative to the mass centre, body components, m.
    direction : array_like, shape (3,)
        n, inertial components; any non-zero length.
    stiffness : float
        k, N/m, positive.
    rest : float
        y0, the coordinate n . r at zero force, m.

    Raises
    ------
    InputError
        When a shape is wrong, the direction is zero or the stiffness is not positive; when a spacecraft with this
        spring has neither pivot nor translation.
    """

    words: ClassVar[str] = "a guided spring"
    holds_point: ClassVar[bool] = True

    body_point: Array = quantity("m", converter=VECTOR, doc="attachment point, from the mass centre, body axes")
    direction: Array = quantity(converter=AXIS, doc="direction of the guide, inertial axes, any length but zero")
    stiffness: float = quantity("N/m", converter=NUMBER, positive=True, doc="stiffness")
    rest: float = quantity("m", converter=NUMBER, default=0.0, doc="coordinate along the direction without force")

    def __post_init__(self) -> None:
        check_fields(self, of="guided spring")

    def pack(self, body: RigidBody, *, translation: bool, off_center: bool) -> list[float]:
        """Return the packed parameters, in the order in which the kernels read them.

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
        shift = np.zeros(3) if body.pivot is None else np.asarray(body.pivot)
        point = self.body_point - shift
        return filled(AT, point=point, direction=self.direction, stiffness=self.stiffness, rest=self.rest)


@kernel
def _stretch(x, p, row):
    """Return n . r - y0."""
    b0, b1, b2 = three(p, row + AT.point)
    n0, n1, n2 = three(p, row + AT.direction)
    b0, b1, b2 = to_inertial(x[3], x[4], x[5], x[6], b0, b1, b2)
    y = n0 * b0 + n1 * b1 + n2 * b2 - p[row + AT.rest]
    if p[TRANSLATION] != 0.0:
        n = int(p[POSITION])
        y = y + n0 * x[n] + n1 * x[n + 1] + n2 * x[n + 2]
    return y


@kernel
def guided_spring_load(t, x, p, row, w):
    """Return torque (body) and force (inertial) of the spring: -k (n . r - y0) n at the attachment point."""
    s = -p[row + AT.stiffness] * _stretch(x, p, row)
    n0, n1, n2 = three(p, row + AT.direction)
    return point_load(x, p, row, s * n0, s * n1, s * n2)


@kernel
def guided_spring_energy(t, x, p, row, w):
    """Return V = 1/2 k (n . r - y0)^2, J."""
    y = _stretch(x, p, row)
    return 0.5 * p[row + AT.stiffness] * y * y


GuidedSpring.kernels = guided_spring_load, guided_spring_energy
POTENTIAL = GuidedSpring
