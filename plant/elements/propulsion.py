"""Thrusters and their propellant tank; the equations are in `propulsion_kernel`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import choice, each_positive, finite, non_negative, positive, vector
from ..errors import InputError
from ..hub.inertia import inertia_matrix
from ..kernels.fields import filled
from .propulsion_kernel import AT, propulsion
from .shape import ElementMotion, Shape
from .signal import Signal

GRAVITY = 9.80665
"""Standard gravity in the definition of the specific impulse, m/s^2."""

SHAPES = {"uniform": 1.0, "sphere": 5.0 / 3.0}
"""Exponent of the mass in the inertia of the propellant, by the model of the tank."""


class Propulsion:
    """Thrusters on the hub and their tank: the net force moves the spacecraft, and propellant leaves it.

    The input of each thruster is its thrust in N: `TorquePulse(..., coordinate="thruster_1_impulse")`, a block with
    `Signal(role="torque", coordinates=...)`, or the on-off thrusters of a control law,
    `blocks.thruster_pulses(propulsion=...)`. For these, the torque of the thrusters about the mass centre of the hub is
    the control torque (`applies_torque=False`), and the element adds the rest: the net force, and, if there is a tank,
    the change of mass, mass centre and inertia, and the momentum of the propellant that leaves (jet damping). The
    thrust ends when the tank is empty. Linear models use the mass at the operating point as a constant.

    Parameters
    ----------
    positions : array_like, shape (m, 3)
        Position of each thruster from the mass centre of the hub, body components, m.
    directions : array_like, shape (m, 3)
        Direction of each force on the spacecraft, body components; any non-zero length.
    specific_impulse : float, optional
        Specific impulse, s; required with a tank.
    propellant : float
        Propellant at t = 0, kg, not included in the mass of the hub; 0 for a spacecraft of constant mass.
    tank : array_like, shape (3,)
        Centre of the propellant from the mass centre of the hub, body components, m.
    inertia : array_like, shape (3,) or (3, 3), optional
        Inertia of the propellant at t = 0 about its centre, kg m^2; by default zero.
    shape : str
        Inertia of the remaining propellant: "uniform" if proportional to its mass (it fills the tank at uniform
        density), "sphere" for a sphere of constant density.
    plume_factor : float or array_like, shape (m,)
        Fraction of the thrust, above 0 and at most 1, that remains when the plume hits the spacecraft.
    flow_momentum : bool
        Whether the momentum of the flow from tank to exit acts on the spacecraft (jet damping).
    applies_torque : bool
        Whether the thrusts exert their torque about the mass centre of the hub; False if a control torque includes it.

    Raises
    ------
    InputError
        When a shape is wrong, a direction is zero, a quantity is out of range, or a tank is given without the specific
        impulse.

    Examples
    --------
    >>> pair = Propulsion([(0, 0, -1)], [(0, 0, 1)], specific_impulse=220.0, propellant=5.0)
    >>> pair.levels
    ('thruster_1_impulse',)
    """

    coordinates = ()
    """None: the propellant has no motion of its own."""

    units = ()
    """None."""

    cyclic = False
    """False: there are no coordinates."""

    constant = False
    """False with a tank: the mass matrix depends on the propellant left."""

    initial: tuple[Sequence[float], Sequence[float]] = ((), ())
    """No coordinates."""

    def __init__(
        self,
        positions: ArrayLike,
        directions: ArrayLike,
        *,
        specific_impulse: float | None = None,
        propellant: float = 0.0,
        tank: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        shape: str = "uniform",
        plume_factor: ArrayLike = 1.0,
        flow_momentum: bool = True,
        applies_torque: bool = True,
    ) -> None:
        places, axes = _rows("positions", positions), _rows("directions", directions)
        if len(places) != len(axes):
            raise InputError(f"positions has {len(places)} rows, directions {len(axes)}; give one for each thruster")
        lengths = np.linalg.norm(axes, axis=1)
        if not (lengths > 0.0).all():
            raise InputError(f"directions of thruster {int(np.argmin(lengths)) + 1} must not be zero")
        self.positions, self.directions = places, axes / lengths[:, None]
        self.propellant = non_negative("propellant", propellant, "kg")
        self.specific_impulse = (
            None if specific_impulse is None else positive("specific impulse", specific_impulse, "s")
        )
        if self.propellant and self.specific_impulse is None:
            raise InputError(f"propellant of {propellant:g} kg needs the specific impulse of the thrusters, in s")
        if inertia is not None and not self.propellant:
            raise InputError("inertia applies to the propellant, whose mass is 0; give propellant=..., in kg")
        self.tank = vector("tank", tank, unit="m")
        self.inertia = np.zeros((3, 3)) if inertia is None else inertia_matrix(inertia)
        self.plume_factor = np.array(each_positive("plume factor", plume_factor, len(places)), dtype=np.float64)
        if (self.plume_factor > 1.0).any():
            raise InputError(f"plume factor must be above 0 and at most 1; got {self.plume_factor.max():g}")
        choice("shape of the propellant", shape, SHAPES)
        self.shape, self.flow_momentum = shape, bool(flow_momentum)
        self.applies_torque = bool(applies_torque)
        for array in (self.positions, self.directions, self.tank, self.inertia, self.plume_factor):
            array.setflags(write=False)

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function of thrusters and tank."""
        return propulsion

    @property
    def levels(self) -> tuple[str, ...]:
        """Names of the states: the impulse of each thruster."""
        return tuple(f"thruster_{n}_impulse" for n in range(1, len(self.positions) + 1))

    @property
    def level_units(self) -> tuple[tuple[str, str, str], ...]:
        """Unit of each state, then name and unit of the input that is its rate."""
        return (("N s", "force", "N"),) * len(self.positions)

    @property
    def moves_mass(self) -> bool:
        """True if there is a tank: the mass centre moves as the tank empties."""
        return self.propellant > 0.0

    @property
    def mass(self) -> float:
        """Mass of the propellant at t = 0, kg."""
        return self.propellant

    @property
    def flow(self) -> float:
        """Propellant per impulse, 1/(g0 Isp), s/m; 0 if no specific impulse is given."""
        return 0.0 if self.specific_impulse is None else 1.0 / (GRAVITY * self.specific_impulse)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Propellant left in the tank, and whether the tank is empty; none if there is no tank."""
        if not self.propellant:
            return ()
        return (
            Signal(name="propellant_left", unit="kg", words="propellant left in the tank"),
            Signal(name="tank_empty", unit="1", words="tank empty (1 or 0)", flag=True),
        )

    def left(self, impulses: ArrayLike) -> NDArray[np.float64]:
        """Return the propellant left after given impulses.

        Parameters
        ----------
        impulses : array_like, shape (..., m)
            Impulse of each thruster, N s.

        Returns
        -------
        numpy.ndarray, shape (...)
            Propellant, kg.
        """
        return self.propellant - self.flow * np.asarray(impulses, dtype=np.float64).sum(axis=-1)

    def check(self, body: Any) -> None:
        """Require a free hub.

        Parameters
        ----------
        body : RigidBody
            The hub.

        Raises
        ------
        InputError
            When the hub is pivoted.
        """
        if body.pivot is not None:
            raise InputError(
                "the force of the thrusters moves a free spacecraft; omit the pivot, or the Propulsion element"
            )

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return no shapes: thrusters are drawn by their firings.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            Empty.
        """
        del motion
        return ()

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT after the first two, then THRUSTER for each thruster.
        """
        J = self.inertia
        head = filled(
            AT, at=0.0, rates=0.0, thrusters=float(len(self.positions)), propellant=self.propellant, flow=self.flow,
            power=SHAPES[self.shape], momentum=float(self.flow_momentum),
            torque=float(self.applies_torque), tank=self.tank + offset, moments=np.diag(J),
            products=(J[0, 1], J[0, 2], J[1, 2]),
        )  # fmt: skip
        return [*head[2:], *np.hstack((self.positions + offset, self.plume_factor[:, None] * self.directions)).ravel()]


def _rows(name: str, given: ArrayLike) -> NDArray[np.float64]:
    rows = np.array(given, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3 or not len(rows):
        raise InputError(f"{name} must have three components for each of one or more thrusters; got shape {rows.shape}")
    for number in rows.ravel():
        finite(f"each of {name}", float(number), "m" if name == "positions" else "")
    return rows
