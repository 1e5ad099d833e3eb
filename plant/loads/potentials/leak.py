# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Force and torque of gas that leaks from a point of the hub."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_inertial
from ...quantity import NUMBER, OPTIONAL_NUMBER, VECTOR, check_fields, declared, quantity
from .any_potential import AnyPotential
from .thrust import torque_on_free_body

if TYPE_CHECKING:
    from ...hub.rigid_body import RigidBody

AT = fields(force=3, torque=3, start=1, decay=1)


@declared
class Leak(AnyPotential):
    """Force of leaking gas, force exp(-(t - start) / decay_time), at a point of the hub from `start` on.

    The exponential is that of an isothermal tank that leaks through a choked orifice: mass flow and force are
    proportional to the pressure. The torque about the mass centre is point x force, even if the position is not a
    state. An integration step ends at `start`. The mass is constant: the leaked mass must be small compared with it.
    Pass this object among the `potentials` of a spacecraft.

    Parameters
    ----------
    force : array_like, shape (3,)
        Force on the spacecraft at `start`, opposite to the jet, body components, N.
    point : array_like, shape (3,)
        Point of application from the mass centre, body components, m.
    start : float
        Start, s.
    decay_time : float, optional
        Time in which the force falls to 37 %, s; by default the force is constant.

    Raises
    ------
    InputError
        When a value is not finite, the decay time is not positive, the spacecraft is pivoted, or its elements move the
        mass centre.
    """

    words: ClassVar[str] = "the leak"
    needs_place: ClassVar[bool] = False
    holds_point: ClassVar[bool] = True
    has_energy: ClassVar[bool] = False

    force: NDArray[np.float64] = quantity("N", converter=VECTOR, doc="force on the spacecraft at the start, body axes")
    point: NDArray[np.float64] = quantity(
        "m", converter=VECTOR, default=(0.0, 0.0, 0.0), doc="point of application from the mass centre, body axes"
    )
    start: float = quantity("s", converter=NUMBER, default=0.0, doc="start of the leak")
    decay_time: float | None = quantity(
        "s",
        converter=OPTIONAL_NUMBER,
        positive=True,
        optional=True,
        default=None,
        doc="time in which the force falls to 37 %",
    )

    def __post_init__(self) -> None:
        check_fields(self, of="leak")

    @property
    def time_dependent(self) -> bool:
        """True: the leak starts at a time and decays."""
        return True

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Start, s."""
        return (self.start,)

    def pack(self, body: RigidBody, *, translation: bool, off_center: bool) -> list[float]:
        """Return the packed parameters, in the order in which the kernels read them.

        Parameters
        ----------
        body : RigidBody
            Body on which the leak acts.
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
        torque = torque_on_free_body(body, "a leak", self.point, self.force)
        return filled(
            AT,
            force=self.force,
            torque=torque,
            start=self.start,
            decay=0.0 if self.decay_time is None else 1.0 / self.decay_time,
        )


@kernel
def leak_load(t, x, p, row, w):
    """Return torque (body) and force (inertial) of the leak; zero before its start."""
    since = t - p[row + AT.start]
    share = 0.0 * x[3]
    if since >= 0.0:
        share = share + np.exp(-since * p[row + AT.decay])
    t0, t1, t2 = three(p, row + AT.torque)
    b0, b1, b2 = three(p, row + AT.force)
    f0, f1, f2 = to_inertial(x[3], x[4], x[5], x[6], share * b0, share * b1, share * b2)
    return share * t0, share * t1, share * t2, f0, f1, f2


@kernel
def leak_energy(t, x, p, row, w):
    """Return zero: a leak has no potential energy."""
    return 0.0 * x[3]


Leak.kernels = leak_load, leak_energy
POTENTIAL = Leak
