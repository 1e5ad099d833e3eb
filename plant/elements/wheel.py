# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A wheel on any axis: reaction or momentum wheel, viscous damper wheel, rotor.

    M: axial inertia Iw a a' on the hub, Iw a between omega and the wheel, Iw for the wheel
    p' = motor torque - viscous friction - Coulomb friction (smooth through zero)

p is then the whole axial momentum Iw (a . omega + sdot). Transverse inertia and mass of the wheel belong to the hub.

With nothing but viscous friction it is the damper wheel of Kasdin & Paley, Engineering Dynamics (2011): where their
body has the inertia It about the axis of the wheel, wheel included, the hub here has It - Iw.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, non_negative, positive, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..kernel import kernel
from ..parameters import THROUGH_ELEMENTS
from ..torque.kernels import commanded_torque
from .assembly import add_force, add_mass, add_power, relative_rate
from .axis import unit_axis
from .wheel_sharing_kernel import shared_torque

if TYPE_CHECKING:
    from ..rigid_body import RigidBody

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
        Row of the distribution matrix: with TorqueBasis(..., internal=True) the motor adds the torque
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

    @property
    def coordinates(self) -> tuple[str, ...]:
        """One: its angle."""
        return ("wheel_angle",)

    @property
    def units(self) -> tuple[str, ...]:
        """Radians."""
        return ("rad",)

    @property
    def cyclic(self) -> bool:
        """No energy depends on its angle."""
        return True

    @property
    def constant(self) -> bool:
        """Its share of the mass matrix is constant."""
        return True

    @property
    def moves_mass(self) -> bool:
        """It is balanced, and its mass is the hub's."""
        return False

    @property
    def mass(self) -> float:
        """Its mass is the hub's."""
        return 0.0

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Angle and relative rate at t = 0."""
        return (self.angle,), (self.relative_rate,)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return its numbers in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Not used: a balanced rotor turns the same anywhere.

        Returns
        -------
        list of float
            Iw, axis (3), viscous friction, Coulomb friction and rate, motor torque, speed limit, command (3), torque
            limit, then the number in its array and the array's table, or -1.
        """
        limit = 1e300 if self.speed_limit is None else self.speed_limit
        most = 1e300 if self.torque_limit is None else self.torque_limit
        friction = [self.friction, self.coulomb, self.coulomb_rate]
        motor = [self.motor_torque, limit, *np.asarray(self.command), most]
        shares = np.asarray(self.sharing).tolist() or [-1.0]
        return [self.inertia, *np.asarray(self.axis), *friction, *motor, *shares]


@kernel
def wheel(phase, t, x, u, p, row, w):
    """The kernel of a wheel; see `polhode.plant.elements.element`."""
    k = int(p[row + 2])
    n = row + 4
    inertia = p[n]
    if phase == 0:
        for i in range(3):
            for j in range(i + 1):
                add_mass(p, w, i, j, inertia * p[n + 1 + i] * p[n + 1 + j])
            add_mass(p, w, 3 + k, i, inertia * p[n + 1 + i])
        add_mass(p, w, 3 + k, 3 + k, inertia)
    elif phase == 1:
        rate = relative_rate(p, w, k)
        force = -p[n + 4] * rate
        if p[n + 5] != 0.0:
            force = force - p[n + 5] * np.tanh(rate / p[n + 6])
        drive = p[n + 7] + 0.0 * rate
        if p[THROUGH_ELEMENTS] != 0.0:
            d0, d1, d2 = commanded_torque(x, u, p)
            if p[n + 13] < 0.0:
                drive = drive - (p[n + 9] * d0 + p[n + 10] * d1 + p[n + 11] * d2)
            else:
                drive = drive - shared_torque(p, n + 14, int(p[n + 13]), d0, d1, d2)
        if drive.real > p[n + 12]:
            drive = p[n + 12] + 0.0 * rate
        elif drive.real < -p[n + 12]:
            drive = -p[n + 12] + 0.0 * rate
        outwards = rate if drive.real >= 0.0 else -rate
        room = (p[n + 8] - outwards) / (0.01 * p[n + 8])
        if room.real < 0.0:
            drive = 0.0 * rate
        elif room.real < 1.0:
            drive = drive * room
        force = force + drive
        add_force(p, w, k, force)
        add_power(p, w, force * rate)
