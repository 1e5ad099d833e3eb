"""What an internal element is: the contract that a ring, a wheel, a pendulum or a user's own kind keeps.

An element is a frozen description with two parts: numbers (`pack`) and one kernel function

    element(phase, t, x, u, p, row, w)

which is called with phase

    0 MASS     add to M(s) and B(s), and to d: `add_mass`, `add_moment`, `add_moment_slope`
    1 FORCES   add to the generalised forces of its own coordinates 1/2 v'(dM/ds)v - dV/ds - D sdot + u (`add_force`),
               less (B v).(d2d/ds2 sdot)/m where d is not linear in s (`moment_curvature`), and to the power of what
               is not a potential (`add_power`)
    2 ENERGY   add its potential energy (`add_energy`)
    3 SIGNALS  tell what it did (`add_signal`), one number for each of its `signals`, in their order

`couple_particle`, `particle_force` and their like in `polhode.plant.elements.assembly` do all that for a point mass.

Its numbers begin at p[row + 4]; its first coordinate is number k = int(p[row + 2]), so s = x[7 + k] and
sdot = `relative_rate`. All is about the reference point of the hub (mass centre of the hub, or the pivot), in body
components. An element never sees another one, nor the free motion of the mass centre: that is the composition's
business (`polhode.plant.hub.composition`).

Where mass moves in the hub and nothing holds the craft, its motion is about the mass centre of the whole, which is
also the position of a translating craft: the hub then recoils from what moves in it. Gravity pulls on everything alike
and moves nothing in a free craft; a force on the hub alone (`Effort`) does.

An element may also have `numbers`, from those of its fields that are one number to their units: what a study may vary;
`spins`, true of a rotor about an axis of its own, whose rate counts as a wheel's; a method `check(body)`, which raises
when it does not fit the hub; and `signals`, a tuple of `Signal`: what it does besides moving, and the limits it can
come to. A run records them as it does the state, without knowing what they are. Several elements of one kind are told
apart by a number behind the first word of their coordinates: wheel_1_angle and so on.

And it may have `driven`, the names of those of its coordinates that take a generalised force from outside its own
equations: the torque of a motor on a hinge, the force of an actuator on a mass. It acts between hub and element, so the
momentum of the whole is left alone. What is asked of a coordinate stands in its force, and its power is counted, before
FORCES and SIGNALS are asked for: an element with a limit finds it by `asked_force` and takes off what it does not give.
One that takes none may say why in `undriven`.

`has_command` is true of an element with a motor that a law can command: it adds its share of the torque demanded of the
elements (`commanded_torque`, where p[THROUGH_ELEMENTS] is not zero). A craft with such elements and no stated
`torques` is driven by them. `holds_rate` is true of an element whose motor holds the rate of its driven coordinates
against friction in a steady motion, up to its limits: linear models are about it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Element"]

Array = NDArray[np.float64]


@runtime_checkable
class Element(Protocol):
    """An internal element of a spacecraft, as the plant sees it (see the module for its kernel)."""

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel `element(phase, t, x, u, p, row, w)`, the same for all elements of a kind."""
        ...

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of its coordinates."""
        ...

    @property
    def units(self) -> tuple[str, ...]:
        """Their units: "rad" or "m"."""
        ...

    @property
    def cyclic(self) -> bool:
        """Whether no energy depends on its coordinates, as the angle of a wheel: they are left out of linear models."""
        ...

    @property
    def constant(self) -> bool:
        """Whether its share of M does not depend on its coordinates."""
        ...

    @property
    def moves_mass(self) -> bool:
        """Whether it has, or moves, a first moment of mass about the reference point of the hub."""
        ...

    @property
    def mass(self) -> float:
        """Its mass, kg, that is not in the hub's; 0 where the hub's mass has it."""
        ...

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Its coordinates and their rates at t = 0, unless a run says otherwise."""
        ...

    def pack(self, offset: Array) -> list[float]:
        """Return its numbers, in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point (the pivot) to the mass centre of the hub, body components, m.

        Returns
        -------
        list of float
            What the kernel reads at p[row + 4] and on.
        """
        ...
