# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A wheel on any axis: reaction or momentum wheel, viscous damper wheel, rotor.

    M: axial inertia Iw a a' on the hub, Iw a between omega and the wheel, Iw for the wheel
    p' = motor torque - viscous friction - Coulomb friction (smooth through zero)

p is then the whole axial momentum Iw (a . omega + sdot). Transverse inertia and mass of the wheel belong to the hub.

With nothing but viscous friction it is the damper wheel of Kasdin & Paley, Engineering Dynamics (2011): where their
body has the inertia It about the axis of the wheel, wheel included, the hub here has It - Iw.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, non_negative, positive, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..hub.parameters import ELEMENT, THROUGH_ELEMENTS
from ..kernels.fields import filled, three
from ..kernels.kernel import kernel
from ..loads.torque.torque_kernels import commanded_torque
from .assembly import add_force, add_mass, add_power, add_signal, asked_force, relative_rate
from .axis import unit_axis
from .signal import Signal
from .wheel_motor import AT, FOLLOWS, NO_MOTOR, THROTTLED, UNLIMITED, motor_torque, wheel_friction
from .wheel_sharing_kernel import shared_torque

if TYPE_CHECKING:
    from ..hub.rigid_body import RigidBody

__all__ = ["Wheel"]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Wheel:
    """A symmetric rotor about an axis fixed in the hub.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Its axis, body components; any length but zero.
    inertia : float
        Axial inertia Iw, kg m^2; not in the hub's inertia, unlike the transverse one. It must not be above the hub's
        own about that axis.
    friction : float
        Viscous friction, N m s/rad, of the rate relative to the hub.
    coulomb : float
        Coulomb friction, N m; it sets in over `coulomb_rate`.
    coulomb_rate : float
        The relative rate (rad/s) at which Coulomb friction has reached tanh 1 = 76 % of its size.
    motor_torque : float
        Constant torque asked of the motor, N m, on the wheel; its reaction is on the hub.
    command : array_like, shape (3,)
        Row of the distribution matrix: where the torque of the craft is internal, the motor adds the torque
        -command . demand, demand being the torque on the hub (body components) that the law asks for. See
        `wheel_array`.
    sharing : array_like, shape (n,)
        In place of `command` where the shares are not linear in the demand: the number of this wheel and the table of
        its array, which `wheel_array(..., allocation="min-max")` makes; empty: not used.
    torque_limit : float, optional
        The most the motor gives, N m; None: no limit.
    speed_limit : float, optional
        Relative rate (rad/s) beyond which the motor no longer drives the wheel outwards, over its last
        hundredth; None: no limit.
    relative_rate : float
        Relative rate at t = 0, rad/s.
    angle : float
        Angle at t = 0, rad; it matters to nothing.

    Raises
    ------
    InputError
        When the axis has no direction, the inertia or a limit is not positive, or a friction is negative; when a
        craft takes a wheel of more inertia than its hub has about that axis.

    Examples
    --------
    >>> from polhode import plant
    >>> hub = plant.RigidBody((1.0, 1.5, 0.94))
    >>> craft = plant.Spacecraft(hub, elements=[Wheel(axis=(0, 0, 1), inertia=0.06, friction=0.5, relative_rate=10)])
    >>> craft.spinning((0, 2, 0))[:3].round(12)  # N m s: the wheel's 0.6 are in it
    array([0. , 3. , 0.6])
    """

    numbers: ClassVar[Mapping[str, str]] = {
        "inertia": "kg m^2",
        "friction": "N m s",
        "coulomb": "N m",
        "coulomb_rate": "rad/s",
        "motor_torque": "N m",
        "torque_limit": "N m",
        "speed_limit": "rad/s",
    }

    axis: ArrayLike
    inertia: float
    friction: float = 0.0
    coulomb: float = 0.0
    coulomb_rate: float = 0.1
    motor_torque: float = 0.0
    command: ArrayLike = (0.0, 0.0, 0.0)
    sharing: ArrayLike = ()
    torque_limit: float | None = None
    speed_limit: float | None = None
    relative_rate: float = 0.0
    angle: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", unit_axis("wheel axis", self.axis))
        positive("wheel inertia", self.inertia, "kg m^2")
        non_negative("wheel friction", self.friction, "N m s/rad")
        non_negative("wheel Coulomb friction", self.coulomb, "N m")
        positive("wheel Coulomb rate", self.coulomb_rate, "rad/s")
        finite("wheel motor torque", self.motor_torque, "N m")
        object.__setattr__(self, "command", vector("wheel command", self.command))
        object.__setattr__(self, "sharing", np.array(self.sharing, dtype=np.float64))
        finite("wheel relative rate", self.relative_rate, "rad/s")
        finite("wheel angle", self.angle, "rad")
        if self.speed_limit is not None:
            positive("wheel speed limit", self.speed_limit, "rad/s")
        if self.torque_limit is not None:
            positive("wheel torque limit", self.torque_limit, "N m")

    def check(self, body: "RigidBody") -> None:
        """Raise when the wheel does not fit the hub.

        Parameters
        ----------
        body : RigidBody
            The hub.

        Raises
        ------
        InputError
            When the wheel has more inertia about its axis than the hub.
        """
        axis = np.asarray(self.axis)
        hub = float(axis @ body.central_inertia @ axis)
        if self.inertia > hub:
            raise InputError(
                f"the wheel has more inertia than the hub about the wheel's axis: {self.inertia:g} > {hub:g} kg m^2; "
                "check the units, or describe the larger part as the hub and the smaller as the wheel"
            )

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel of every wheel."""
        return wheel

    coordinates = ("wheel_angle",)
    """One: its angle."""

    units = ("rad",)
    """Radians."""

    spins = True
    """Its rate is that of a wheel."""

    driven = ("wheel_angle",)
    """By its motor, to whose demand it adds, within the motor's limits of torque and speed."""

    cyclic = True
    """No energy depends on its angle."""

    constant = True
    """Its share of the mass matrix is constant."""

    moves_mass = False
    """It is balanced, and its mass is the hub's."""

    mass = 0.0
    """Its mass is the hub's."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Angle and relative rate at t = 0."""
        return (self.angle,), (self.relative_rate,)

    @property
    def has_motor(self) -> bool:
        """Whether a torque is asked of a motor, by the law or all the time, or it has limits to tell of."""
        limited = self.torque_limit is not None or self.speed_limit is not None
        return bool(self.motor_torque) or limited or self.has_command

    @property
    def has_command(self) -> bool:
        """Whether a law can ask for it. A motor with a torque of its own may be meant to end at its speed limit."""
        return bool(np.any(self.command) or np.size(self.sharing))

    @property
    def holds_rate(self) -> bool:
        """Whether its motor can hold its rate against friction: it has one, and no constant torque of its own."""
        return self.has_motor and not self.motor_torque

    @property
    def signals(self) -> tuple[Signal, ...]:
        """The torque of its motor and what was asked of it, and whether it is at a limit; none without a motor."""
        if not self.has_motor:
            return ()
        a, b, c = (-float(number) for number in np.asarray(self.axis))
        told = [
            Signal(name="motor_torque", unit="N m", words="torque of the motor on its wheel", on_hub=(a, b, c)),
            Signal(name="motor_demand", unit="N m", words="torque asked of the motor, before its limits"),
        ]
        if self.torque_limit is not None:
            limit = f"was at its torque limit of {self.torque_limit:g} N m"
            words = "1 where the motor is at its torque limit, asked for as much or for more"
            told.append(Signal(name="at_torque_limit", unit="1", words=words, flag=True, limit=limit))
        if self.speed_limit is not None:
            told_of = self.has_command or not self.motor_torque
            limit = f"was at its speed limit of {self.speed_limit:g} rad/s" if told_of else ""
            words = "1 in the last hundredth before the wheel's speed limit, and beyond it"
            told.append(Signal(name="at_speed_limit", unit="1", words=words, flag=True, limit=limit))
        return tuple(told)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return its numbers in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Not used: a balanced rotor turns the same anywhere.

        Returns
        -------
        list of float
            As named in AT, then the table of its array if there is one.
        """
        limit = UNLIMITED if self.speed_limit is None else self.speed_limit
        most = UNLIMITED if self.torque_limit is None else self.torque_limit
        number, *table = np.asarray(self.sharing).tolist() or [FOLLOWS if self.has_motor else NO_MOTOR]
        row = filled(
            AT,
            inertia=self.inertia,
            axis=self.axis,
            friction=self.friction,
            coulomb=self.coulomb,
            coulomb_rate=self.coulomb_rate,
            motor_torque=self.motor_torque,
            speed_limit=limit,
            command=self.command,
            torque_limit=most,
            number=number,
        )
        return [*row, *table]


@kernel
def _demand(x, u, p, n):
    """What is asked of the motor all the time and by the law, N m."""
    asked = p[n + AT.motor_torque] + 0.0 * x[0]
    if p[THROUGH_ELEMENTS] != 0.0:
        d0, d1, d2 = commanded_torque(x, u, p)
        if p[n + AT.number] < 0.0:
            c0, c1, c2 = three(p, n + AT.command)
            asked = asked - (c0 * d0 + c1 * d1 + c2 * d2)
        else:
            asked = asked - shared_torque(p, n + AT.size, int(p[n + AT.number]), d0, d1, d2)
    return asked


@kernel
def wheel(phase, t, x, u, p, row, w):
    """The kernel of a wheel; see `polhode.plant.elements.element`."""
    k = int(p[row + ELEMENT.first])
    n = row + ELEMENT.size
    inertia, axis = p[n + AT.inertia], n + AT.axis
    if phase == 0:
        for i in range(3):
            for j in range(i + 1):
                add_mass(p, w, i, j, inertia * p[axis + i] * p[axis + j])
            add_mass(p, w, 3 + k, i, inertia * p[axis + i])
        add_mass(p, w, 3 + k, 3 + k, inertia)
    elif phase == 1:
        rate = relative_rate(p, w, k)
        force = wheel_friction(p, n, rate)
        if p[n + AT.number] != NO_MOTOR:  # without one there is no limit, and what is asked of the angle stays
            asked = asked_force(p, w, k)
            force = force + (motor_torque(p, n, _demand(x, u, p, n) + asked, rate) - asked)
        add_force(p, w, k, force)
        add_power(p, w, force * rate)
    elif phase == 3 and p[n + AT.number] != NO_MOTOR:
        rate = relative_rate(p, w, k)
        asked = _demand(x, u, p, n) + asked_force(p, w, k)
        add_signal(p, w, motor_torque(p, n, asked, rate))
        add_signal(p, w, asked)
        if p[n + AT.torque_limit] != UNLIMITED:
            add_signal(p, w, 1.0 if abs(asked) >= p[n + AT.torque_limit] * (1.0 - 1e-9) else 0.0)
        if p[n + AT.speed_limit] != UNLIMITED:
            add_signal(p, w, 1.0 if abs(rate) > p[n + AT.speed_limit] * (1.0 - THROTTLED) else 0.0)
