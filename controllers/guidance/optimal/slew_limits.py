"""Limits on the torque, wheel momentum and rate of a slew, as linear forms."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import rotation_matrix
from ....plant.checks import each_positive, positive, unit_quaternion, vector
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ....plant.hub.inertia import inertia_matrix
from ...contracts.checks import read_only
from ..turn_limits import TurnLimits, ramped_turn

if TYPE_CHECKING:
    from ..allocation import WheelAllocation

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SlewLimits:
    """Limits on torque, wheel momentum and rate, each as a norm that must be at most 1.

    inertia (3, 3): J, kg m^2.
    torque (k, 3): rows g with |g . u| <= 1, 1/(N m).
    momentum (m, 3): rows p with |p . h + n| <= 1, with the momentum h of the wheels in body components, 1/(N m s);
    shape (0, 3) if there is no such limit.
    null (m,): n, the wheels' null-space momentum, which pseudo-inverse allocation does not change.
    total (3,): total momentum of spacecraft and wheels, inertial components, N m s.
    internal: whether wheels produce the torque, so that the total momentum determines the gyroscopic torque.
    rate: largest magnitude of the body rate, rad/s; infinite if there is no limit.
    inverse (3, 3): inverse of the inertia.
    """

    inertia: Array
    torque: Array
    momentum: Array
    null: Array
    total: Array
    internal: bool
    rate: float
    inverse: Array

    def turn(self, axis: Array) -> TurnLimits | None:
        """Return the limits of a rotation about a fixed body axis; None if they depend on the attitude.

        If wheels produce the torque, the limits depend on the attitude unless the total momentum is zero.
        """
        if self.internal and self.total.any():
            return None
        b = self.inertia @ axis
        c = np.zeros(3) if self.internal else np.cross(axis, b)
        c[np.abs(c) < 1e-14 * np.abs(b).max()] = 0.0
        rows = zip(self.momentum, np.abs(self.null), strict=True)
        rate = min([self.rate, *((1.0 - null) / max(abs(float(row @ b)), 1e-300) for row, null in rows)])
        forms = self.torque
        return TurnLimits(rate=rate, acceleration=inf, b=forms @ b, c=forms @ c, torque=np.ones(len(forms)))

    def time_scale(self, angle: float) -> float:
        """Return an estimate (order of magnitude) of the duration of a rotation through an angle, s."""
        slowest = 0.0
        for axis in np.eye(3):
            limits = self.turn(axis)
            if limits is None:
                reach = 1.0 / float(np.abs(self.torque @ self.inertia @ axis).max())
                slowest = max(slowest, 2.0 * sqrt(angle / reach))
            else:
                slowest = max(slowest, ramped_turn(limits, angle)[0])
        return slowest


def slew_limits(
    inertia: ArrayLike,
    *,
    start: ArrayLike,
    torque_limit: ArrayLike | None,
    wheels: WheelAllocation | None,
    momentum_capacity: ArrayLike | None,
    wheel_momentum: ArrayLike | None,
    rate_limit: float | None,
) -> SlewLimits:
    """Check and return the limits of a slew; arguments and errors as in `TimeOptimalSlew`."""
    J = inertia_matrix(inertia)
    if (torque_limit is None) == (wheels is None):
        raise InputError("slew: give either torque_limit (N m per body axis) or wheels (a WheelAllocation)")
    total, null = np.zeros(3), np.zeros(0)
    if wheels is None:
        if momentum_capacity is not None:
            raise InputError("slew: momentum_capacity requires wheels; give wheels too")
        if wheel_momentum is not None:
            raise InputError("slew: wheel_momentum requires wheels; give wheels too")
        assert torque_limit is not None  # noqa: S101 # checked above
        forms, momentum = np.diag(1.0 / each_positive("torque limit", torque_limit, unit="N m")), np.zeros((0, 3))
    else:
        half = wheels.envelope
        forms, momentum = half[: len(half) // 2], np.zeros((0, 3))  # the other half has opposite signs
        held = np.zeros(len(wheels.axes))
        if wheel_momentum is not None:
            held = vector("wheel momentum", wheel_momentum, len(wheels.axes), unit="N m s")
        total = rotation_matrix(unit_quaternion("slew start", start)) @ (wheels.axes.T @ held)
        if momentum_capacity is not None:
            if wheels.method != "pseudo-inverse":
                raise InputError(
                    'slew: the momentum of each wheel follows from the total only with method = "pseudo-inverse"; got '
                    f'"{wheels.method}", so omit momentum_capacity'
                )
            capacity = each_positive("momentum capacity", momentum_capacity, len(wheels.axes), unit="N m s")
            shares = np.linalg.pinv(wheels.axes.T)
            null = (held - shares @ (wheels.axes.T @ held)) / capacity
            worst = int(np.argmax(np.abs(held) / capacity))
            if abs(held[worst]) > capacity[worst]:
                raise InputError(
                    f"slew: wheel {worst + 1} begins with {held[worst]:.6g} N m s, beyond its momentum capacity of "
                    f"{capacity[worst]:.6g} N m s; unload it first, or give a larger capacity"
                )
            momentum = shares / capacity[:, None]
    return SlewLimits(
        inertia=read_only(J),
        inverse=read_only(np.linalg.inv(J)),
        torque=read_only(forms),
        momentum=read_only(momentum),
        null=read_only(null),
        total=read_only(total),
        internal=wheels is not None,
        rate=inf if rate_limit is None else positive("rate limit", rate_limit, "rad/s"),
    )
