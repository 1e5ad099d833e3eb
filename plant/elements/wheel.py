# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Wheel on any axis: reaction wheel, momentum wheel, viscous damper wheel or rotor.

    M: axial inertia Iw a a' on the hub, Iw a between omega and the wheel, Iw for the wheel
    p' = motor torque - c sdot - [tc + (ts - tc) exp(-(sdot/ws)^2)] tanh(sdot/w0)

with the coefficients of viscous, Coulomb and static friction c, tc, ts and the Stribeck rate ws (Olsson, Astrom,
Canudas de Wit, Gafvert & Lischinsky, 1998). tanh replaces the sign: under a torque T below the static friction a
wheel at rest creeps instead of sticking, under Coulomb friction at w0 artanh(T/tc). A run reports wheels that creep.

The motor torque and the friction include the effect of a `WheelFault` while it acts.

p is the total axial momentum Iw (a . omega + sdot). The hub includes the transverse inertia and the mass of the wheel.

If the only friction is viscous, the model is the damper wheel of Kasdin & Paley, Engineering Dynamics (2011). Their
moment of inertia It about the wheel's axis includes the wheel; the hub's moment here is It - Iw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import unit_axis
from ..errors import InputError
from ..hub.parameters import AT_PORTS, DRIVEN, ELEMENT, N_PORTS, PORT, PULSE, PULSES, THROUGH_ELEMENTS, W_CELL
from ..kernels.fields import filled, three
from ..kernels.kernel import kernel
from ..loads.torque.torque_kernels import OF_WHEEL, commanded_torque
from ..quantity import AXIS, NUMBER, OPTIONAL_NUMBER, VECTOR, argument, check_fields, declared, quantity
from .assembly import add_force, add_mass, add_power, add_signal, demanded_force, relative_rate
from .axis import axis_frame
from .shape import ElementMotion, Shape
from .signal import Signal
from .wheel_motor import (
    AT,
    FOLLOWS,
    NO_MOTOR,
    THROTTLED,
    UNLIMITED,
    at_power_limit,
    electrical_power,
    in_dead_zone,
    motor_torque,
    wheel_friction,
)
from .wheel_sharing_kernel import shared_torque, sharing_cell, torque_in_cell

if TYPE_CHECKING:
    from ..hub.rigid_body import RigidBody

Array = NDArray[np.float64]


SHARP = 20.0
"""Least ratio of the Stribeck rate to the rate over which friction is smoothed."""


def _numbers(value: ArrayLike) -> Array:
    return np.array(value, dtype=np.float64)


def _assumed_axis(value: ArrayLike | None) -> Array | None:
    return None if value is None else unit_axis("assumed axis of a wheel", value)


@declared
class Wheel:
    """Reaction or momentum wheel: a symmetric rotor about an axis fixed in the hub.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Axis of rotation, body components; any non-zero length.
    inertia : float
        Axial inertia Iw, kg m^2, at most the hub's inertia about this axis. The inertia of the hub excludes Iw, but
        includes the transverse inertia of the wheel.
    friction : float
        Viscous friction coefficient, N m s; the torque is proportional to the rate relative to the hub.
    coulomb : float
        Coulomb friction, N m, smoothed over `coulomb_rate`.
    coulomb_rate : float
        Relative rate (rad/s) at which Coulomb friction reaches tanh 1 = 76 % of its full value. With static friction
        it is at most stribeck_rate / 20, so that the peak of the friction is at least 97 % of the static friction.
    static_friction : float, optional
        Static (breakaway) friction, N m, at least `coulomb`; needs `stribeck_rate`. None: no Stribeck effect.
    stribeck_rate : float, optional
        Relative rate (rad/s) over which the static friction falls to Coulomb friction, as exp(-(rate / this)^2).
    motor_torque : float
        Constant motor torque, N m, on the wheel; the reaction acts on the hub.
    command : array_like, shape (3,)
        Row of the distribution matrix. If the control torque of the spacecraft is internal, the motor adds the torque
        -command . demand, where demand is the commanded torque on the hub (body components). See `wheel_array`.
    sharing : array_like, shape (n,)
        Alternative to `command` if the wheel torques are nonlinear in the demand: the index of this wheel, then the
        allocation table of the array, both from `wheel_array(..., allocation="min-max")`. Empty: not used.
    assumed_axis : array_like, shape (3,), optional
        Axis for which `command` or `sharing` was computed, if it differs from the true axis. The array then does not
        exert exactly the commanded torque.
    torque_limit : float, optional
        Largest motor torque, N m. None: no limit.
    minimum_torque : float, optional
        Least torque of the motor, N m, at most `torque_limit`: a smaller demand, such as an unused command, gives zero
        torque. None: no dead zone. Linear models have the unity gain of larger demands.
    power_limit : float, optional
        Largest mechanical power of the motor, torque times rate, W, whether it drives or brakes. None: no limit.
    speed_limit : float, optional
        Relative rate (rad/s) at which the motor stops accelerating the wheel; the torque fades to zero over the last
        hundredth of this limit. None: no limit.
    motor_efficiency : float, optional
        Mechanical over electrical power of the motor where it drives, at most 1. With it, runs record the electrical
        power: `standby_power` + |torque x rate| / `motor_efficiency`. None: not recorded.
    standby_power : float
        Electrical power of the wheel without mechanical power, W; needs `motor_efficiency`.
    regeneration_efficiency : float, optional
        Electrical power returned over mechanical power where the motor brakes, at most 1; 0: braking takes none.
        None: braking draws power like driving.
    rated_power : float, optional
        Electrical power above which a run warns, W; it does not reduce the torque, as `power_limit` does.
    relative_rate : float
        Relative rate at t = 0, rad/s.
    angle : float
        Angle at t = 0, rad; no other quantity depends on it.

    Raises
    ------
    InputError
        When the axis has no direction, the inertia or a limit is not positive, or a friction coefficient is
        negative; when the static friction is below the Coulomb friction or lacks its rate; when electrical powers lack
        `motor_efficiency`; when the wheel has more inertia about its axis than the hub of its spacecraft.

    Examples
    --------
    >>> from polhode import plant
    >>> hub = plant.RigidBody((1.0, 1.5, 0.94))
    >>> craft = plant.Spacecraft(hub, elements=[Wheel(axis=(0, 0, 1), inertia=0.06, friction=0.5, relative_rate=10)])
    >>> craft.spinning((0, 2, 0))[:3].round(12)  # N m s: includes 0.6 of the wheel
    array([0. , 3. , 0.6])
    """

    axis: Array = quantity(converter=AXIS, doc="axis of rotation, body axes, any length but zero")
    inertia: float = quantity(
        "kg m^2",
        converter=NUMBER,
        positive=True,
        doc="axial inertia; the inertia of the hub excludes it",
    )
    friction: float = quantity("N m s", converter=NUMBER, non_negative=True, default=0.0, doc="viscous friction")
    coulomb: float = quantity("N m", converter=NUMBER, non_negative=True, default=0.0, doc="Coulomb friction")
    coulomb_rate: float = quantity(
        "rad/s", converter=NUMBER, positive=True, default=0.1, doc="rate over which Coulomb friction is smoothed"
    )
    static_friction: float | None = quantity(
        "N m", converter=OPTIONAL_NUMBER, non_negative=True, optional=True, default=None,
        doc="static (breakaway) friction, which falls to Coulomb friction over the Stribeck rate",
    )  # fmt: skip
    stribeck_rate: float | None = quantity(
        "rad/s", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="rate over which static friction falls to Coulomb friction",
    )  # fmt: skip
    motor_torque: float = quantity(
        "N m", converter=NUMBER, default=0.0, doc="constant torque of the motor on the wheel"
    )
    command: Array = quantity(
        converter=VECTOR, default=(0.0, 0.0, 0.0), case=None, doc="row of the distribution matrix"
    )
    sharing: Array = argument(converter=_numbers, default=())
    assumed_axis: Array | None = argument(converter=_assumed_axis, default=None)
    torque_limit: float | None = quantity(
        "N m", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None, doc="largest torque of the motor"
    )
    minimum_torque: float | None = quantity(
        "N m", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="least torque of the motor; a smaller demand gives zero torque",
    )  # fmt: skip
    power_limit: float | None = quantity(
        "W", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="largest mechanical power of the motor, driving or braking",
    )  # fmt: skip
    speed_limit: float | None = quantity(
        "rad/s", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="relative rate beyond which the motor no longer accelerates the wheel",
    )  # fmt: skip
    motor_efficiency: float | None = quantity(
        converter=OPTIONAL_NUMBER, positive=True, at_most=1.0, optional=True, default=None, hint="percent?",
        doc="mechanical over electrical power of the driving motor; with it, runs record the electrical power",
    )  # fmt: skip
    standby_power: float = quantity(
        "W", converter=NUMBER, non_negative=True, default=0.0,
        doc="electrical power of the wheel without mechanical power",
    )  # fmt: skip
    regeneration_efficiency: float | None = quantity(
        converter=OPTIONAL_NUMBER, non_negative=True, at_most=1.0, optional=True, default=None, hint="percent?",
        doc="electrical power returned over mechanical power of the braking motor; by default braking draws power",
    )  # fmt: skip
    rated_power: float | None = quantity(
        "W", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="electrical power above which a run warns",
    )  # fmt: skip
    relative_rate: float = quantity(
        "rad/s", converter=NUMBER, default=0.0, start=True, doc="rate relative to the hub at t = 0"
    )
    angle: float = quantity("rad", converter=NUMBER, default=0.0, start=True, case=None, doc="angle at t = 0")

    def __post_init__(self) -> None:
        check_fields(self, of="wheel")
        if (self.static_friction is None) != (self.stribeck_rate is None):
            missing = "static_friction (N m)" if self.static_friction is None else "stribeck_rate (rad/s)"
            raise InputError(
                f"friction of a wheel needs static_friction and stribeck_rate together; give {missing} too"
            )
        if self.static_friction is not None and self.static_friction < self.coulomb:
            raise InputError(
                f"static friction of wheel must be at least its Coulomb friction, {self.coulomb:g} N m; got "
                f"{self.static_friction:g} N m"
            )
        least, most = self.minimum_torque, self.torque_limit
        if least is not None and most is not None and least > most:
            raise InputError(
                f"minimum torque of wheel must be at most its torque limit, {most:g} N m, or the motor never acts; got "
                f"{least:g} N m"
            )

        powers = ("standby_power", "regeneration_efficiency", "rated_power")
        if self.motor_efficiency is None and (needing := [name for name in powers if getattr(self, name)]):
            raise InputError(f"{needing[0]} of a wheel needs motor_efficiency; give it too (1: no losses)")
        if self.rated_power is not None and self.rated_power <= self.standby_power:
            raise InputError(
                f"rated power of wheel must be above its standby power, {self.standby_power:g} W; got "
                f"{self.rated_power:g} W"
            )

    def check(self, body: RigidBody) -> None:
        """Raise InputError if the wheel has more inertia than the hub about the wheel's axis.

        Parameters
        ----------
        body : RigidBody
            The hub.

        Raises
        ------
        InputError
            When the wheel has more inertia about its axis than the hub.
        """
        axis = self.axis
        hub = float(axis @ body.central_inertia @ axis)
        if self.inertia > hub:
            raise InputError(
                f"the wheel has more inertia than the hub about the wheel's axis: {self.inertia:g} > {hub:g} kg m^2; "
                "check the units, or describe the larger part as the hub and the smaller as the wheel"
            )

    def start_warning(self, names: Sequence[str], coordinates: Sequence[float], *, rates: Sequence[float]) -> str:
        """Return a warning if a wheel with a constant torque starts beyond its speed limit.

        A run reports a wheel with a command, or without a torque, that is at its limit at any time.

        Parameters
        ----------
        names : sequence of str
            Name of the angle in the spacecraft.
        coordinates : sequence of float
            Not used.
        rates : sequence of float
            Relative rate at t = 0, rad/s.

        Returns
        -------
        str
            The warning, or "".
        """
        del coordinates
        limit = self.speed_limit
        if limit is None or abs(rates[0]) <= limit * (1.0 + 1e-9) or self.has_command or not self.motor_torque:
            return ""
        return (
            f"{names[0].removesuffix('_angle').replace('_', ' ')} starts at {rates[0]:g} rad/s, beyond its speed limit "
            f"of {limit:g} rad/s: its motor can only brake it; check relative_rate or speed_limit (rad/s)"
        )

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all wheels."""
        return wheel

    coordinates = ("wheel_angle",)
    """Name of the wheel angle."""

    units = ("rad",)
    """Unit of the angle."""

    spins = True
    """True: the rate of the coordinate is a wheel rate."""

    driven = ("wheel_angle",)
    """Name of the driven coordinate: a torque on it adds to the motor demand, within the torque and speed limits."""

    takes_faults = True
    """True: a `WheelFault` may act on the wheel."""

    cyclic = True
    """True: no energy depends on the angle."""

    constant = True
    """True: the contribution to the mass matrix is constant."""

    moves_mass = False
    """False: the wheel is balanced, and the hub includes its mass."""

    mass = 0.0
    """Zero: the hub includes the mass of the wheel."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Angle and relative rate at t = 0."""
        return (self.angle,), (self.relative_rate,)

    @property
    def stiction(self) -> float:
        """Excess of the static over the Coulomb friction, N m."""
        return 0.0 if self.static_friction is None else self.static_friction - self.coulomb

    @property
    def smoothing_rate(self) -> float:
        """Rate w0 over which Coulomb and static friction are smoothed, rad/s."""
        return self.coulomb_rate if self.stribeck_rate is None else min(self.coulomb_rate, self.stribeck_rate / SHARP)

    @property
    def dry_friction(self) -> float:
        """Largest friction that does not vanish with the rate, N m."""
        return self.coulomb + self.stiction

    @property
    def has_motor(self) -> bool:
        """True if the wheel has a motor: a commanded or constant torque, or a limit or power to report."""
        of_motor = (
            self.torque_limit, self.minimum_torque, self.power_limit, self.speed_limit, self.motor_efficiency
        )  # fmt: skip
        return bool(self.motor_torque) or self.has_command or any(each is not None for each in of_motor)

    @property
    def has_command(self) -> bool:
        """True if a law can command the motor: `command` or `sharing` is set."""
        return bool(np.any(self.command) or np.size(self.sharing))

    def surplus(self) -> Array:
        """Return the torque on the hub (true axis minus assumed axis) per unit demand, (3, 3).

        One column for a demand of 1 N m about each body axis; zero if no axis is assumed.
        """
        if self.assumed_axis is None:
            return np.zeros((3, 3))
        shares = self.command
        if self.sharing.size:
            number, table = int(self.sharing[0]), self.sharing[1:]
            shares = np.array([shared_torque(table, 0, number, *unit) for unit in np.eye(3).tolist()])
        return np.outer(self.axis - self.assumed_axis, shares)

    @property
    def without_dead_zone(self) -> Wheel:
        """The wheel without minimum torque, for linear models; a constant torque below the minimum is left out."""
        if self.minimum_torque is None:
            return self
        torque = 0.0 if abs(self.motor_torque) < self.minimum_torque else self.motor_torque
        return replace(self, minimum_torque=None, motor_torque=torque)

    @property
    def holds_rate(self) -> bool:
        """True if the motor can hold the rate against friction: the wheel has a motor without a constant torque."""
        return self.has_motor and not self.motor_torque

    @property
    def hub_inertia(self) -> tuple[float, ...]:
        """Terms Iw a a' of the hub inertia, kg m^2: entries 11, 21, 22, 31, 32, 33, rounded as in the kernel."""
        a = self.axis.tolist()
        return tuple(self.inertia * a[i] * a[k] for i in range(3) for k in range(i + 1))

    @property
    def torque_slope(self) -> float:
        """Bound on the slope of friction and uncommanded motor torque over the rate, N m s.

        Of friction, |d/dr exp(-r^2)| is at most sqrt(2/e) < 0.86. The motor throttles its torque near the speed limit,
        and divides its power by the rate beyond the ratio of power to torque.
        """
        slope = self.friction + (self.coulomb + self.stiction) / self.smoothing_rate
        if self.stribeck_rate is not None:
            slope += 0.86 * self.stiction / self.stribeck_rate
        torque = abs(self.motor_torque)
        if torque and self.speed_limit is not None:
            slope += torque / (THROTTLED * self.speed_limit)
        if torque and self.power_limit is not None:
            slope += torque**2 / self.power_limit
        return slope

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Output signals: motor torque and demand, limit flags, electrical power. Empty if there is no motor."""
        if not self.has_motor:
            return ()
        a, b, c = (-float(number) for number in self.axis)
        signals = [
            Signal(name="motor_torque", unit="N m", words="torque of the motor on its wheel", on_hub=(a, b, c)),
            Signal(name="motor_demand", unit="N m", words="torque demanded of the motor, before its limits"),
        ]
        if self.torque_limit is not None:
            limit = f"was at its torque limit of {self.torque_limit:g} N m"
            words = "1 where the demand reaches or exceeds the torque limit of the motor"
            signals.append(Signal(name="at_torque_limit", unit="1", words=words, flag=True, limit=limit))
        if self.minimum_torque is not None:
            words = "1 where the demand is not zero, but below the minimum torque of the motor, which then gives none"
            signals.append(Signal(name="in_dead_zone", unit="1", words=words, flag=True))
        if self.power_limit is not None:
            limit = f"was at its power limit of {self.power_limit:g} W"
            words = "1 where the demand reaches or exceeds the power limit of the motor"
            signals.append(Signal(name="at_power_limit", unit="1", words=words, flag=True, limit=limit))
        if self.speed_limit is not None:
            warns = self.has_command or not self.motor_torque
            limit = f"was at its speed limit of {self.speed_limit:g} rad/s" if warns else ""
            words = "1 in the last hundredth before the wheel's speed limit, and beyond it"
            signals.append(Signal(name="at_speed_limit", unit="1", words=words, flag=True, limit=limit))
        if self.motor_efficiency is not None:
            words = "electrical power drawn by the wheel; negative where it returns power"
            signals.append(Signal(name="electrical_power", unit="W", words=words, integrated=True))
        if self.rated_power is not None:
            limit = f"drew more than its rated power of {self.rated_power:g} W"
            words = "1 where the electrical power exceeds the rated power"
            signals.append(Signal(name="above_rated_power", unit="1", words=words, flag=True, limit=limit))
        return tuple(signals)

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the rotor as a disc whose position and radius the model does not define.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            The disc.
        """
        axis = self.axis
        return (
            Shape(
                kind="disc",
                placed=False,
                axis=axis.tolist(),
                across=axis_frame(axis)[0].tolist(),
                inertia=self.inertia,
                angle=motion.coordinates[:, 0],
            ),
        )

    def tuned_over(self) -> Mapping[str, Array]:
        """Return the parameters by which a damper wheel is tuned, with the values to try."""
        return {
            "friction": self.friction * np.geomspace(0.1, 10.0, 17),
            "inertia": self.inertia * np.geomspace(0.3, 1.5, 9),
        }

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Not used: the position of a balanced rotor does not matter.

        Returns
        -------
        list of float
            The fields of AT, then the allocation table of the array, if any.
        """
        limit = UNLIMITED if self.speed_limit is None else self.speed_limit
        most = UNLIMITED if self.torque_limit is None else self.torque_limit
        number, *table = self.sharing.tolist() or [FOLLOWS if self.has_motor else NO_MOTOR]
        row = filled(
            AT,
            inertia=self.inertia,
            axis=self.axis,
            friction=self.friction,
            coulomb=self.coulomb,
            coulomb_rate=self.smoothing_rate,
            stiction=self.stiction,
            stribeck_rate=1.0 if self.stribeck_rate is None else self.stribeck_rate,
            motor_torque=self.motor_torque,
            speed_limit=limit,
            command=self.command,
            torque_limit=most,
            minimum_torque=self.minimum_torque or 0.0,
            power_limit=UNLIMITED if self.power_limit is None else self.power_limit,
            standby_power=self.standby_power,
            efficiency=UNLIMITED if self.motor_efficiency is None else self.motor_efficiency,
            regeneration=-1.0 if self.regeneration_efficiency is None else self.regeneration_efficiency,
            rated_power=UNLIMITED if self.rated_power is None else self.rated_power,
            number=number,
            follows=0.0,
        )
        return [*row, *table]

    def pack_after(self, offset: NDArray[np.float64], previous: object) -> list[float]:
        """Return `pack`, with the mark of a wheel that finds the active cell of its table in the workspace.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            As for `pack`.
        previous : object
            Element of the previous row, or None.

        Returns
        -------
        list of float
            The fields of AT, then the allocation table of the array, if any.
        """
        numbers = self.pack(offset)
        if self.sharing.size and isinstance(previous, Wheel) and previous.kernel is self.kernel:
            same = np.array_equal(previous.sharing[1:], self.sharing[1:])
            numbers[len(numbers) - (self.sharing.size - 1) - AT.size + AT.follows] = float(same)
        return numbers


@kernel
def _demand(x, u, p, w, n):
    """Return the torque demanded of the motor, constant plus commanded, N m.

    The wheels of an array, in the rows one after the other, have the same active cell: the first searches for it.
    """
    demand = p[n + AT.motor_torque] + 0.0 * x[0]
    if p[THROUGH_ELEMENTS] != 0.0:
        d0, d1, d2 = commanded_torque(x, u, p)
        if p[n + AT.number] < 0.0:
            c0, c1, c2 = three(p, n + AT.command)
            demand = demand - (c0 * d0 + c1 * d1 + c2 * d2)
        else:
            at = n + AT.size
            if p[n + AT.follows] == 0.0:
                w[int(p[W_CELL])] = float(sharing_cell(p, at, d0, d1, d2) - at)
            demand = demand - torque_in_cell(p, at + int(w[int(p[W_CELL])].real), int(p[n + AT.number]), d0, d1, d2)
    return demand


@kernel
def _fault(u, p, k):
    """Return the remaining fraction of the motor torque, and the added friction.

    k: coordinate of the wheel -> fraction, viscous friction (N m s), Coulomb friction (N m).
    """
    share, viscous, coulomb = 1.0, 0.0, 0.0
    for port in range(1, int(p[N_PORTS])):
        row = AT_PORTS + PORT.size * port
        gate = PULSES + PULSE.size * (port - 1) + PULSE.gate
        if p[row + PORT.basis] == OF_WHEEL and int(p[row + PORT.axes]) == k and u[gate].real != 0.0:
            share = share * p[row + PORT.damping]
            viscous = viscous + p[row + PORT.damping + 1]
            coulomb = coulomb + p[row + PORT.damping + 2]
    return share, viscous, coulomb


@kernel
def _motor(u, p, n, k, demand, rate):
    """Return the motor torque within its limits and after faults, N m."""
    torque = motor_torque(p, n, demand, rate)
    if p[DRIVEN] != 0.0:
        share, _, _ = _fault(u, p, k)
        torque = share * torque
    return torque


@kernel
def wheel_mass(p, w, k, n):
    """Add the wheel with the coordinate k, whose parameters begin at n, to the mass matrix."""
    inertia, axis = p[n + AT.inertia], n + AT.axis
    for i in range(3):
        for j in range(i + 1):
            add_mass(p, w, i, j, inertia * p[axis + i] * p[axis + j])
        add_mass(p, w, 3 + k, i, inertia * p[axis + i])
    add_mass(p, w, 3 + k, 3 + k, inertia)


@kernel
def wheel_terms(phase, x, u, p, w, k, n):
    """Add the balanced wheel with the coordinate k, whose parameters begin at n, in a phase of its kernel."""
    if phase == 0:
        wheel_mass(p, w, k, n)
    elif phase == 1:
        rate = relative_rate(p, w, k)
        force = wheel_friction(p, n, rate)
        if p[DRIVEN] != 0.0:
            _, viscous, coulomb = _fault(u, p, k)
            force = force - viscous * rate
            if coulomb != 0.0:
                force = force - coulomb * np.tanh(rate / p[n + AT.coulomb_rate])
        if p[n + AT.number] != NO_MOTOR:  # if there is no motor, the demanded force acts without a limit
            applied = demanded_force(p, w, k)
            force = force + (_motor(u, p, n, k, _demand(x, u, p, w, n) + applied, rate) - applied)
        add_force(p, w, k, force)
        add_power(p, w, force * rate)
    elif phase == 3 and p[n + AT.number] != NO_MOTOR:
        rate = relative_rate(p, w, k)
        demand = _demand(x, u, p, w, n) + demanded_force(p, w, k)
        torque = _motor(u, p, n, k, demand, rate)
        add_signal(p, w, torque)
        add_signal(p, w, demand)
        if p[n + AT.torque_limit] != UNLIMITED:
            add_signal(p, w, 1.0 if abs(demand) >= p[n + AT.torque_limit] * (1.0 - 1e-9) else 0.0)
        if p[n + AT.minimum_torque] != 0.0:
            add_signal(p, w, in_dead_zone(p, n, demand))
        if p[n + AT.power_limit] != UNLIMITED:
            add_signal(p, w, 1.0 if at_power_limit(p, n, demand, rate) else 0.0)
        if p[n + AT.speed_limit] != UNLIMITED:
            add_signal(p, w, 1.0 if abs(rate) > p[n + AT.speed_limit] * (1.0 - THROTTLED) else 0.0)
        if p[n + AT.efficiency] != UNLIMITED:
            power = electrical_power(p, n, torque, rate)
            add_signal(p, w, power)
            if p[n + AT.rated_power] != UNLIMITED:
                add_signal(p, w, 1.0 if power.real > p[n + AT.rated_power] * (1.0 + 1e-9) else 0.0)


@kernel
def wheel(phase, t, x, u, p, row, w):
    """Kernel of a wheel; see `polhode.plant.elements.element`."""
    wheel_terms(phase, x, u, p, w, int(p[row + ELEMENT.first]), row + ELEMENT.size)
