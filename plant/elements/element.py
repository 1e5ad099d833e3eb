"""The protocol of internal elements: rings, wheels, pendulums and user-defined kinds.

An element is an immutable description of two parts: parameters (`pack`) and one kernel function

    element(phase, t, x, u, p, row, w)

whose phases are

    0 MASS     add to M(s), B(s) and d: `add_mass`, `add_moment`, `add_moment_slope`
    1 FORCES   add 1/2 v'(dM/ds)v - dV/ds - D sdot + u to the generalised forces of its coordinates (`add_force`),
               minus (B v).(d2d/ds2 sdot)/m if d is nonlinear in s (`moment_curvature`); add the power of its
               non-conservative forces (`add_power`)
    2 ENERGY   add its potential energy (`add_energy`)
    3 SIGNALS  append one number per entry of its `signals`, in their order (`add_signal`)

`couple_particle`, `particle_force` and others in `polhode.plant.elements.assembly` implement all this for a point mass.

Its parameters begin at p[row + 4]. Its first coordinate has the index k = int(p[row + 2]), so s = x[7 + k] and
sdot = `relative_rate`. All quantities refer to the reference point of the hub (its mass centre or the pivot), in body
components. An element depends neither on other elements nor on the free motion of the mass centre; the composition
(`polhode.plant.hub.composition`) adds those.

Where mass moves in a free hub, the rotation is about the total mass centre, and the hub recoils from the moving mass.
The total mass centre is also the position of a translating spacecraft. Uniform gravity accelerates all parts equally
and does not excite the elements of a free spacecraft; a force on the hub only (`UserForce`) does.

Optional members. The numbers that a class declares (`polhode.plant.quantity`), unless they are values at t = 0, may be
varied by a study or the host of an FMU. `tuned_over()`: the parameters that a damper is tuned over, each with the
values to try. `spins`: true for a rotor whose
rate counts as a wheel rate. `check(body)`: raises when the element does not fit the hub. `signals`: a tuple of
`Signal`, outputs other than its motion and the limits it can reach; a run records them like states. Several elements of
one kind are numbered after the first word of their coordinates: wheel_1_angle and so on.

`shapes(motion)`: what pictures show of it, with its motion over the rows of a run (`polhode.plant.elements.shape`). An
element without it is not drawn.

`driven`: names of the coordinates that accept a generalised force from outside the element's own equations, such as the
torque of a motor on a hinge or the force of an actuator on a mass. It acts between hub and element and leaves the total
momentum unchanged. The demanded force is stored and its power counted before FORCES and SIGNALS; an element with a
limit reads it with `asked_force` and subtracts the excess. `undriven`: the reason why an element accepts no force.

`has_command`: true for an element with a motor that a law can command. It adds its share of the torque commanded to the
elements (`commanded_torque`, if p[THROUGH_ELEMENTS] is not zero); such elements drive a spacecraft without stated
`torques`. `holds_rate`: true for an element whose motor holds the rate of its driven coordinates against friction in a
steady motion, within its limits; linear models assume this steady motion.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@runtime_checkable
class Element(Protocol):
    """Internal element of a spacecraft (see the module for its kernel and optional members)."""

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel `element(phase, t, x, u, p, row, w)`, shared by all elements of a kind."""
        ...

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of its coordinates."""
        ...

    @property
    def units(self) -> tuple[str, ...]:
        """Units of its coordinates: "rad" or "m"."""
        ...

    @property
    def cyclic(self) -> bool:
        """True if no energy depends on its coordinates (angle of a wheel); linear models then omit them."""
        ...

    @property
    def constant(self) -> bool:
        """True if its contribution to M is independent of its coordinates."""
        ...

    @property
    def moves_mass(self) -> bool:
        """True if it has, or moves, a first moment of mass about the reference point of the hub."""
        ...

    @property
    def mass(self) -> float:
        """Mass that the mass of the hub does not include, kg; 0 where the hub includes it."""
        ...

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Its coordinates and their rates at t = 0, unless a run overrides them."""
        ...

    def pack(self, offset: Array) -> list[float]:
        """Return its parameters in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point (the pivot) to the mass centre of the hub, body components, m.

        Returns
        -------
        list of float
            Numbers that the kernel reads from p[row + 4] on.
        """
        ...
