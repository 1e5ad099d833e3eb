"""The protocol of internal elements: rings, wheels, pendulums and user-defined kinds.

An element is an immutable description with two parts: parameters (`pack`) and one kernel function

    element(phase, t, x, u, p, row, w)

whose phases are

    0 MASS     add to M(s), B(s) and d: `add_mass`, `add_moment`, `add_moment_slope`
    1 FORCES   add 1/2 v'(dM/ds)v - dV/ds - D sdot + u to the generalised forces of its coordinates (`add_force`),
               minus (B v).(d2d/ds2 sdot)/m if d is nonlinear in s (`moment_curvature`); add the power of its
               non-conservative forces (`add_power`)
    2 ENERGY   add its potential energy (`add_energy`)
    3 SIGNALS  append one value per entry of its `signals`, in their order (`add_signal`)

`couple_particle`, `particle_force` and others in `polhode.plant.elements.assembly` cover these phases for a point mass.

The parameters of the element begin at p[row + 4]. Its first coordinate has the index k = int(p[row + 2]), so s = x[7 +
k] and sdot = `relative_rate`. All quantities refer to the reference point of the hub (its mass centre or the pivot), in
body components. An element depends neither on other elements nor on the free motion of the mass centre; the composition
(`polhode.plant.hub.composition`) adds these effects.

If mass moves in a free hub, the spacecraft rotates about the total mass centre, and the hub recoils from the moving
mass. If the position is a state, it is the position of the total mass centre. Uniform gravity accelerates all parts
equally and does not excite the elements of a free spacecraft; a force on the hub only (`UserForce`) does.

Optional members. A study or the host of an FMU may vary the quantities that a class declares
(`polhode.plant.quantity`), except values at t = 0. `tuned_over()`: the parameters by which a damper is tuned, each with
the values to try. `spins`: true for a rotor whose rate counts as a wheel rate. `check(body)`: raises InputError if the
element does not match the hub. `check_start(names, coordinates, rates=)`: raises InputError if no run can start with
these values; `start_warning(names, coordinates, rates=)`: a sentence for the warnings of a run that starts with them,
or "".
`signals`: a tuple of `Signal`, for outputs besides the motion and for the limits that the element can reach; a run
records them like states. If a kind occurs several times, a number is inserted after the first word of the coordinates:
wheel_1_angle and so on.

`shapes(motion)`: the shapes that plots and animations show, with their motion over the rows of a run
(`polhode.plant.elements.shape`). An element without this method is not drawn. `figure_name`: name of the kind in
figures, if it differs from the first word of the coordinates.

`driven`: names of the coordinates that accept a generalised force from outside the element's own equations, such as the
torque of a motor on a hinge or the force of an actuator on a mass. This force acts between hub and element and leaves
the total momentum unchanged. The demanded force is stored and its power added before FORCES and SIGNALS; an element
with a limit reads the demand with `demanded_force` and subtracts the excess. `undriven`: the reason why an element
accepts no force. `rate_commanded`: names of the driven coordinates whose element contains a rate loop; their input is a
commanded rate, not a force, and the element converts it to the force of its motor.

`levels`: names of integrals that are states of the element, such as the impulse of a thruster, which linear models hold
constant. `level_units`: for each level, its unit, then the name and unit of its rate; pulses and blocks may use this
rate as an input, unless its name is empty. The first two parameters of the element are then the index of its first
level in x and of the first rate in the workspace: FORCES reads the demanded rates there, and replaces those that the
element cannot reach.

`reads_magnetic_field`: true for an element with levels that needs the magnetic field of the environment; its third
parameter is then the start in p of the parameters of `polhode.plant.environment.EnvironmentLoads`. `not_linear`: the
reason why a spacecraft with the element has no linear model.

`breakpoints`: times, s, at which a derivative of the forces jumps; steps of a run end there.

`work_size`: length of a workspace of the element; its start in w is then the first parameter.

`cyclic_coordinates`: for an element that is not itself `cyclic`, names of the coordinates on which no energy depends.

`has_command`: true for an element with a motor that a law can command. If p[THROUGH_ELEMENTS] is not zero, the element
adds its share of the torque commanded to the elements (`commanded_torque`). Such elements drive a spacecraft for which
`torques` is not given. `holds_rate`: true for an element whose motor, within its limits, holds the rate of its driven
coordinates against friction in a steady motion; linear models assume this steady motion.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def levels_of(element: object) -> tuple[str, ...]:
    """Return the names of the levels of an element; empty if it has none."""
    return getattr(element, "levels", ())


def work_size_of(element: object) -> int:
    """Return the length of the workspace of an element."""
    return getattr(element, "work_size", 0)


def level_units_of(element: object) -> tuple[tuple[str, str, str], ...]:
    """Return for each level its unit, and name and unit of the input that is its rate."""
    return getattr(element, "level_units", ())


@runtime_checkable
class Element(Protocol):
    """Internal element of a spacecraft (see the module docstring for its kernel and optional members)."""

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function `element(phase, t, x, u, p, row, w)`, shared by all elements of a kind."""
        ...

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        ...

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates, such as "rad" or "m"."""
        ...

    @property
    def cyclic(self) -> bool:
        """True if no energy depends on the coordinates (angle of a wheel); linear models then omit them."""
        ...

    @property
    def constant(self) -> bool:
        """True if the contribution to M is independent of the coordinates."""
        ...

    @property
    def moves_mass(self) -> bool:
        """True if the element has, or moves, a first moment of mass about the reference point of the hub."""
        ...

    @property
    def mass(self) -> float:
        """Mass not included in the mass of the hub, kg; 0 if the hub includes all of it."""
        ...

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Coordinates and their rates at t = 0, unless a run overrides them."""
        ...

    def pack(self, offset: Array) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point (the pivot) to the mass centre of the hub, body components, m.

        Returns
        -------
        list of float
            Parameters that the kernel reads starting at p[row + 4].
        """
        ...


def coordinate_slices(elements: Sequence[Element]) -> Iterator[tuple[Element, slice]]:
    """Yield each element with the slice of its coordinates among all coordinates of the spacecraft."""
    first = 0
    for element in elements:
        yield element, slice(first, first + len(element.coordinates))
        first += len(element.coordinates)


def level_slices(elements: Sequence[Element], first: int) -> Iterator[tuple[Any, slice]]:
    """Yield each element that has levels with the slice of its levels in the state; they begin at `first`."""
    for element in elements:
        count = len(levels_of(element))
        if count:
            yield element, slice(first, first + count)
        first += count
