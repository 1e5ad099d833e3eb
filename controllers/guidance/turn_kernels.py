# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of references that rotate about one axis fixed in the body.

With the axis a fixed in the body, e_ref = e0 o (cos(theta/2), a sin(theta/2)), omega_ref = a theta' and
alpha_ref = a theta''. The angle theta(t) thus defines the motion. Every q begins with e0 (4) and a (3).
"""

from typing import Any

import numpy as np

from ...plant.kernels.fields import fields, three
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import compose

TURN = fields(start=4, axis=3)
"""Head of q in all these kernels: initial attitude and axis."""

SLEW = fields(start=4, axis=3, begin=1, angle=1, duration=1, peak=1, ramp=1)
SPIN_UP = fields(start=4, axis=3, begin=1, rate=1, duration=1, smooth=1)


@kernel
def write_turn(q: Any, r: Any, c: Any, s: Any, rate: Any, acceleration: Any) -> None:
    """Write r from cos(theta/2), sin(theta/2), theta' and theta''."""
    a0, a1, a2 = three(q, TURN.axis)
    r[0], r[1], r[2], r[3] = compose(q[0], q[1], q[2], q[3], c, s * a0, s * a1, s * a2)
    for n in range(3):
        r[4 + n] = rate * q[TURN.axis + n]
        r[7 + n] = acceleration * q[TURN.axis + n]


@kernel
def slew_angle(tau: Any, q: Any) -> tuple[Any, Any, Any]:
    """Return angle, rate and acceleration of a slew at time tau after its start; a ramp of 0 means quintic.

    At a switching time, the acceleration after the switch is returned, because a sampled law holds its feed-forward
    until the next sample.
    """
    angle, duration, peak, ramp = q[SLEW.angle], q[SLEW.duration], q[SLEW.peak], q[SLEW.ramp]
    left = duration - tau
    theta = 0.0 * tau
    rate = 0.0 * tau
    second = 0.0 * tau
    if left.real <= 0.0:
        theta = theta + angle
    elif tau.real >= 0.0:
        if ramp == 0.0:
            x = tau / duration
            theta = angle * x * x * x * (10.0 + x * (6.0 * x - 15.0))
            rate = 30.0 * angle / duration * x * x * (1.0 - x) * (1.0 - x)
            second = 60.0 * angle / (duration * duration) * x * (1.0 - x) * (1.0 - 2.0 * x)
        elif left.real <= ramp:
            theta = angle - 0.5 * peak / ramp * left * left
            rate = peak / ramp * left
            second = second - peak / ramp
        elif tau.real < ramp:
            theta = 0.5 * peak / ramp * tau * tau
            rate = peak / ramp * tau
            second = second + peak / ramp
        else:
            theta = peak * (tau - 0.5 * ramp)
            rate = rate + peak
    return theta, rate, second


@kernel
def spin_up_angle(tau: Any, q: Any) -> tuple[Any, Any, Any]:
    """Return angle, rate and acceleration of a spin-up at time tau after its start."""
    final, duration = q[SPIN_UP.rate], q[SPIN_UP.duration]
    theta = 0.0 * tau
    rate = 0.0 * tau
    second = 0.0 * tau
    if tau.real >= duration:
        theta = final * (tau - 0.5 * duration)
        rate = rate + final
    elif tau.real >= 0.0:
        x = tau / duration
        if q[SPIN_UP.smooth] > 0.0:
            theta = final * duration * x * x * x * x * (2.5 + x * (x - 3.0))
            rate = final * x * x * x * (10.0 + x * (6.0 * x - 15.0))
            second = 30.0 * final / duration * x * x * (1.0 - x) * (1.0 - x)
        else:
            theta = 0.5 * final * duration * x * x
            rate = final * x
            second = second + final / duration
    return theta, rate, second


@kernel
def slew_kernel(t: Any, q: Any, r: Any) -> None:
    """Write the reference of a rest-to-rest slew into r; q as in SLEW."""
    theta, rate, second = slew_angle(t - q[SLEW.begin], q)
    write_turn(q, r, np.cos(0.5 * theta), np.sin(0.5 * theta), rate, second)


@kernel
def spin_up_kernel(t: Any, q: Any, r: Any) -> None:
    """Write the reference of a spin-up from rest into r; q as in SPIN_UP."""
    theta, rate, second = spin_up_angle(t - q[SPIN_UP.begin], q)
    write_turn(q, r, np.cos(0.5 * theta), np.sin(0.5 * theta), rate, second)


@kernel
def write_shaped(t: Any, q: Any, r: Any, head: Any) -> None:
    """Write the weighted mean of delayed motions into r; head: number of parameters of SLEW or SPIN_UP."""
    impulses = int(q[head])
    angle, speed, second = 0.0 * t, 0.0 * t, 0.0 * t
    for n in range(impulses):
        k = head + 1 + n
        tau = t - q[TURN.size] - q[k]  # both motions begin at q[TURN.size]
        if head == SLEW.size:
            turned, rate, change = slew_angle(tau, q)
        else:
            turned, rate, change = spin_up_angle(tau, q)
        angle = angle + q[k + impulses] * turned
        speed = speed + q[k + impulses] * rate
        second = second + q[k + impulses] * change
    write_turn(q, r, np.cos(0.5 * angle), np.sin(0.5 * angle), speed, second)


@kernel
def shaped_slew_kernel(t: Any, q: Any, r: Any) -> None:
    """Write the reference of a shaped slew into r; q: SLEW, number of impulses, times, amplitudes."""
    write_shaped(t, q, r, SLEW.size)


@kernel
def shaped_spin_up_kernel(t: Any, q: Any, r: Any) -> None:
    """Write the reference of a shaped spin-up into r; q: SPIN_UP, number of impulses, times, amplitudes."""
    write_shaped(t, q, r, SPIN_UP.size)
