# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Thrust along a fixed body direction between two times."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_inertial
from ...quantity import NUMBER, VECTOR, check_fields, declared, quantity
from .any_potential import AnyPotential

if TYPE_CHECKING:
    from ...hub.rigid_body import RigidBody


def torque_on_free_body(
    body: RigidBody, words: str, point: NDArray[np.float64], force: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return point x force, N m; raise InputError if the body is pivoted. words: name of the force and article."""
    if body.pivot is not None:
        raise InputError(f"{words} acts on a free spacecraft; omit the pivot, or use a UserForce")
    return np.cross(point, force)


AT = fields(force=3, torque=3, start=1, stop=1)


@declared
class Thrust(AnyPotential):
    """Constant thrust along a body direction from `start` to `stop`, at a point of the hub.

    The torque about the mass centre is point x force, even if the position is not a state. Integration steps end at
    both times. The mass is constant: no propellant is used. Pass this object among the `potentials` of a spacecraft.

    Parameters
    ----------
    force : array_like, shape (3,)
        Force on the spacecraft, body components, N.
    point : array_like, shape (3,)
        Point of application from the mass centre, body components, m.
    start : float
        Start, s.
    stop : float
        End, s, later than `start`.

    Raises
    ------
    InputError
        When a value is not finite, the times are in the wrong order, the spacecraft is pivoted, or its elements move
        the mass centre.
    """

    words: ClassVar[str] = "the thrust"
    needs_place: ClassVar[bool] = False
    holds_point: ClassVar[bool] = True
    has_energy: ClassVar[bool] = False

    force: NDArray[np.float64] = quantity("N", converter=VECTOR, doc="force on the spacecraft, body axes")
    point: NDArray[np.float64] = quantity(
        "m", converter=VECTOR, default=(0.0, 0.0, 0.0), doc="point of application from the mass centre, body axes"
    )
    start: float = quantity("s", converter=NUMBER, doc="start of the thrust")
    stop: float = quantity("s", converter=NUMBER, doc="until when it acts")

    def __post_init__(self) -> None:
        check_fields(self, of="thrust")
        if not self.start < self.stop:
            raise InputError(f"a thrust must stop after it starts; got start {self.start:g} s, stop {self.stop:g} s")

    @property
    def time_dependent(self) -> bool:
        """True: the thrust acts only between two times."""
        return True

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Start and end, s."""
        return self.start, self.stop

    def pack(self, body: RigidBody, *, translation: bool, off_center: bool) -> list[float]:
        """Return the packed parameters, in the order in which the kernels read them.

        Parameters
        ----------
        body : RigidBody
            Body on which the thrust acts.
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
            When the body is pivoted.
        """
        del translation, off_center
        torque = torque_on_free_body(body, "a thrust", self.point, self.force)
        return filled(AT, force=self.force, torque=torque, start=self.start, stop=self.stop)


@kernel
def thrust_load(t, x, p, row, w):
    """Return torque (body) and force (inertial) of the thrust; zero outside its interval."""
    on = 1.0 if p[row + AT.start] <= t < p[row + AT.stop] else 0.0
    share = on + 0.0 * x[3]
    t0, t1, t2 = three(p, row + AT.torque)
    b0, b1, b2 = three(p, row + AT.force)
    f0, f1, f2 = to_inertial(x[3], x[4], x[5], x[6], share * b0, share * b1, share * b2)
    return share * t0, share * t1, share * t2, f0, f1, f2


@kernel
def thrust_energy(t, x, p, row, w):
    """Return zero: a thrust has no potential energy."""
    return 0.0 * x[3]


Thrust.kernels = thrust_load, thrust_energy
POTENTIAL = Thrust
