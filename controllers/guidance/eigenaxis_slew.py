"""Rest-to-rest slew about the eigenaxis, within limits on rate, acceleration and torque."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from math import atan2, degrees, inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import conjugate, quaternion_product
from ...plant.errors import InputError
from ...plant.kernels.fields import filled
from ...plant.quantity import (
    DERIVED_NUMBER,
    NUMBER,
    OPTIONAL_INERTIA,
    OPTIONAL_NUMBER,
    OPTIONAL_PER_AXIS,
    QUATERNION,
    check_fields,
    declared,
    one_of,
    quantity,
)
from ..contracts.checks import read_only
from ..contracts.kernel_reference import KernelReference
from .turn_kernels import SLEW, slew_kernel
from .turn_limits import (
    QUINTIC_ACCELERATION,
    QUINTIC_RATE,
    TurnLimits,
    ramped_turn,
    smooth_torque,
    smooth_turn,
    turning_torque,
)

Array = NDArray[np.float64]
RAMPED, SMOOTH = "bang-coast-bang", "smooth"


@declared
class EigenaxisSlew(KernelReference):
    """Rest-to-rest slew between two attitudes about the eigenaxis, fixed in body and inertial space.

    e_ref = start o (cos(theta/2), a sin(theta/2)), with the axis a and the total angle, at most 180 deg, of
    conj(start) o end. The reference is at rest at `start` before `begin`, and at `end` after `begin + duration`.

    "bang-coast-bang" is the fastest slew with a phase of constant acceleration, a phase of constant rate and a phase of
    the opposite acceleration; a short slew has no coast phase. "smooth" is the fastest slew whose angle is a quintic in
    time: the acceleration is continuous, the rate peaks at 15/8 angle/duration, and the acceleration at 10/sqrt(3)
    angle/duration^2. Both profiles respect all limits. Each component of the torque J a theta'' + a x J a theta'^2 is
    limited, including its gyroscopic part, so the fastest slew may have a peak rate below the rate limit. The torque
    includes neither the momentum of wheels nor torques of potentials. A spacecraft with zero total momentum, slewed by
    its own wheels, requires only J a theta'', which is within the limit.

    Parameters
    ----------
    start : array_like, shape (4,)
        Initial attitude, Euler parameters, scalar first; e and -e are the same attitude.
    end : array_like, shape (4,)
        Final attitude. At 180 deg both directions of rotation are equally short; within 1e-9 rad of 180 deg, the
        rotation is positive about the axis whose largest component is positive.
    begin : float
        Start time, s.
    rate_limit : float, optional
        Largest rate of the reference, rad/s; unlimited by default. A body that lags behind the reference and catches up
        exceeds this rate; a run reports for how long.
    acceleration_limit : float, optional
        Largest angular acceleration, rad/s^2. Give this, or inertia and torque limit, or all three.
    inertia : array_like, shape (3,) or (3, 3), optional
        Inertia J, kg m^2, required with a torque limit.
    torque_limit : array_like, shape () or (3,), optional
        Largest magnitude of each body component of the torque, N m. Reserve part of the actuators' torque for the
        feedback.
    profile : {"bang-coast-bang", "smooth"}
        Time profile of the angle.

    Raises
    ------
    InputError
        When start and end are the same attitude, a limit is not positive, or neither acceleration nor torque is
        limited.

    Examples
    --------
    >>> slew = EigenaxisSlew((1, 0, 0, 0), (0, 0, 0, 1), rate_limit=0.1, acceleration_limit=0.01)
    >>> slew.duration, slew.peak_rate  # pi / 0.1 + 0.1 / 0.01
    (41.41592653589793, 0.1)
    >>> slew.at(slew.duration / 2).round(6).tolist()
    [0.707107, 0.0, 0.0, 0.707107, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0]
    """

    manoeuvre: ClassVar[str] = "slew"

    start: Array = quantity(converter=QUATERNION, case=None, kw_only=False, doc="start attitude, Euler parameters")
    end: Array = quantity(converter=QUATERNION, case=None, kw_only=False, doc="final attitude, Euler parameters")
    begin: float = quantity("s", converter=NUMBER, default=0.0, case="=from_s", doc="start time")
    rate_limit: float = quantity(
        "rad/s", converter=DERIVED_NUMBER, positive=True, optional=True, default=None, case="deg/s or rad/s",
        doc="largest rate",
    )  # fmt: skip
    acceleration_limit: float | None = quantity(
        "rad/s^2", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None, case="deg/s^2 or rad/s^2",
        doc="largest acceleration",
    )  # fmt: skip
    inertia: Array | None = quantity(
        "kg m^2",
        converter=OPTIONAL_INERTIA,
        optional=True,
        default=None,
        case=None,
        doc="J about the mass centre",
    )
    torque_limit: Array | None = quantity(
        "N m", converter=OPTIONAL_PER_AXIS, positive=True, optional=True, default=None,
        doc="torque available to the slew, per body axis",
    )  # fmt: skip
    profile: str = quantity(
        converter=one_of(RAMPED, SMOOTH), default=RAMPED, doc="constant acceleration, or a quintic in time"
    )
    axis: Array = field(init=False)
    angle: float = field(init=False)
    duration: float = field(init=False)
    peak_rate: float = field(init=False)
    peak_acceleration: float = field(init=False)

    def __post_init__(self) -> None:
        check_fields(self, of="slew")
        axis, angle = _eigenaxis(self.start, self.end)
        if (self.inertia is None) != (self.torque_limit is None):
            raise InputError("slew: give inertia (kg m^2) and torque_limit (N m) together, or omit both")
        if self.acceleration_limit is None and self.torque_limit is None:
            raise InputError("slew: give acceleration_limit (rad/s^2), or inertia and torque_limit (N m), or all three")
        b, c, box = np.zeros(3), np.zeros(3), np.ones(3)
        if self.inertia is not None and self.torque_limit is not None:
            b, c = turning_torque(self.inertia, axis)
            box = self.torque_limit
        rate = inf if self.rate_limit is None else self.rate_limit  # pyright: ignore[reportUnnecessaryComparison] # before this line
        acceleration = inf if self.acceleration_limit is None else self.acceleration_limit
        limits = TurnLimits(rate=rate, acceleration=acceleration, b=b, c=c, torque=box)
        if self.profile == RAMPED:
            duration, peak, ramp = ramped_turn(limits, angle)
            acceleration = peak / ramp
        else:
            duration = smooth_turn(limits, angle)
            peak = QUINTIC_RATE * angle / duration
            acceleration = QUINTIC_ACCELERATION * angle / duration**2
        object.__setattr__(self, "rate_limit", rate)
        object.__setattr__(self, "axis", axis)
        object.__setattr__(self, "angle", angle)
        object.__setattr__(self, "duration", duration)
        object.__setattr__(self, "peak_rate", peak)
        object.__setattr__(self, "peak_acceleration", acceleration)

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: start, axis, begin, angle, duration, peak rate and ramp time (0: smooth)."""
        ramp = self.peak_rate / self.peak_acceleration if self.profile == RAMPED else 0.0
        given = {"begin": self.begin, "angle": self.angle, "duration": self.duration, "peak": self.peak_rate}
        return read_only(np.array(filled(SLEW, start=self.start, axis=self.axis, **given, ramp=ramp)))

    @property
    def steady(self) -> tuple[Array, Array]:
        """Final attitude and rate (zero, rad/s)."""
        return self.end, np.zeros(3)

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return slew_kernel

    def peak_torque(self, inertia: ArrayLike) -> Array:
        """Return the largest magnitude of each body component of the torque required by the slew.

        Parameters
        ----------
        inertia : array_like, shape (3,) or (3, 3)
            Inertia J of the spacecraft, kg m^2.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Maximum over the slew for a rigid spacecraft without other torques, N m.
        """
        b, c = turning_torque(inertia, self.axis)
        if self.profile == SMOOTH:
            return smooth_torque(b, c, self.angle) / self.duration**2
        return np.abs(b) * self.peak_acceleration + np.abs(c) * self.peak_rate**2


def _eigenaxis(start: Array, end: Array) -> tuple[Array, float]:
    """Return the axis (body components) and the angle of the shorter rotation."""
    error = quaternion_product(conjugate(start), end)
    size = float(np.linalg.norm(error[1:]))
    if size < 5e-10:
        raise InputError(
            f"slew start and end are the same attitude ({degrees(2.0 * size):.3g} deg apart), so there is no "
            "rotation; hold the attitude with FixedReference"
        )
    ambiguous = abs(error[0]) < 5e-10
    sign = error[1 + np.argmax(np.abs(error[1:]))] if ambiguous else error[0]
    error = error if sign >= 0.0 else -error
    return error[1:] / size, 2.0 * atan2(size, float(error[0]))
