# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Friction of a wheel and saturation of its motor torque, for one run or for a batch."""

import numpy as np

from ..kernels.fields import fields
from ..kernels.kernel import kernel
from ..kernels.lanes import every, select

UNLIMITED = 1e300
THROTTLED = 0.01  # fraction of the speed limit over which the motor torque fades to zero
FOLLOWS, NO_MOTOR = -1.0, -2.0  # special values of `number`: the motor follows `command`; there is no motor

AT = fields(
    inertia=1,
    axis=3,
    friction=1,
    coulomb=1,
    coulomb_rate=1,
    stiction=1,
    stribeck_rate=1,
    motor_torque=1,
    speed_limit=1,
    command=3,
    torque_limit=1,
    minimum_torque=1,
    power_limit=1,
    standby_power=1,
    efficiency=1,
    regeneration=1,
    rated_power=1,
    number=1,
    follows=1,
)
"""Parameters of a wheel in its row; the allocation table of its array follows. stiction: excess of the static over the
Coulomb friction, N m, which fades over stribeck_rate. minimum_torque: 0 without a dead zone. efficiency: UNLIMITED
without a model of the electrical power; regeneration: negative if braking draws power like driving. follows: 1 if the
wheel of the previous row has the same allocation table."""


@kernel(inline=True)  # not lanes=True: the last bit of tanh differs between numpy and C
def wheel_friction(p, n, rate):
    """Return the friction torque on the wheel whose parameters begin at n, N m."""
    force = -p[n + AT.friction] * rate
    level = p[n + AT.coulomb] + 0.0 * rate  # complex in a complex step
    if not every(p[n + AT.stiction] == 0.0):
        ratio = rate / p[n + AT.stribeck_rate]
        level = level + p[n + AT.stiction] * np.exp(-(ratio * ratio))
    none = p[n + AT.coulomb] + p[n + AT.stiction] == 0.0
    if every(none):
        return force
    return select(none, force, force - level * np.tanh(rate / p[n + AT.coulomb_rate]))


@kernel(inline=True, lanes=True)
def at_power_limit(p, n, demanded, rate):
    """Return whether the demand, within the torque limit, needs all of the power."""
    return min(abs(demanded), p[n + AT.torque_limit]) * abs(rate) >= p[n + AT.power_limit] * (1.0 - 1e-9)


@kernel(inline=True, lanes=True)
def in_dead_zone(p, n, demanded):
    """Return 1.0 if the demand is not zero but too small for the motor, else 0.0."""
    size = abs(demanded)
    none = 0.0 * size
    return select(size < p[n + AT.minimum_torque], select(size > 0.0, 1.0 + none, none), none)


@kernel(inline=True, lanes=True)
def electrical_power(p, n, torque, rate):
    """Return the electrical power that the wheel draws, W; negative if it returns power to the supply."""
    mechanical, regeneration = torque * rate, p[n + AT.regeneration]
    drives = mechanical.real > 0.0
    drawn = select(drives, mechanical, -mechanical) / p[n + AT.efficiency]
    braking = select(regeneration < 0.0, drawn, regeneration * mechanical)
    return p[n + AT.standby_power] + select(drives, drawn, braking)


@kernel(lanes=True)
def motor_torque(p, n, demanded, rate):
    """Return the demanded torque within the limits of the motor, N m.

    The order is that of Basilisk: largest torque, least torque, power, speed.
    """
    limit, top = p[n + AT.torque_limit], p[n + AT.speed_limit]
    drive = demanded + 0.0 * rate
    drive = select(drive.real > limit, limit + 0.0 * rate, select(drive.real < -limit, -limit + 0.0 * rate, drive))
    least = p[n + AT.minimum_torque]
    if not every(least == 0.0):
        drive = select(max(drive.real, -drive.real) < least, 0.0 * drive, drive)
    most = p[n + AT.power_limit]
    if not every(most == UNLIMITED):
        speed = select(rate.real < 0.0, -rate, rate)
        bound = most / select(speed.real > 0.0, speed, 1.0 + 0.0 * speed)
        weaker = select(drive.real < 0.0, -bound, bound)
        drive = select(max(drive.real, -drive.real) * speed.real > most, weaker, drive)
    outwards = select(drive.real >= 0.0, rate, -rate)
    room = (top - outwards) / (THROTTLED * top)
    return select(room.real < 0.0, 0.0 * rate, select(room.real < 1.0, drive * room, drive))
