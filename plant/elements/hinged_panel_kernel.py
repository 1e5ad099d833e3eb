# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a rigid panel on a hinge: a solar array with a drive, or a panel that deploys and latches.

A rigid body of mass m rotates by the angle q about the axis a through the hinge h:

    r = h + R(a, q) rho,   rho from the hinge at angle 0
    torque about the hinge: -k (q - q_r) - c (q' - q_r'),   q_r = rest + drive_rate t
    latch, while (q - q_l) s <= capture:   -J (q - q_l) / T^2 - 2 J q' / T

J is the moment of inertia of the panel about the hinge axis, s = -1 if the panel reaches the latch angle q_l from
below and 1 if from above (`latch_from`). On a fixed hub the latched panel is critically damped; on a hub that recoils,
the damping is larger, so that the panel crosses q_l at most once. The latch holds a torque of up to J capture / T^2
towards its open side, and releases the panel above that. On the closed side it holds at any angle, so that a panel
cannot pass it within one step. The total momentum is conserved.

On a fixed hub, a latched panel that passes q_l at the rate v0 > 0 overshoots by x = v0 t exp(-t/T). Hence a panel at
the overshoot x with the rate v has passed q_l at the rate (v + x/T) exp(x/(x + v T)).

The panel is integrated as six points of equal mass that reproduce its inertia, with the point-mass equations of
`assembly`.
"""

import numpy as np

from ..kernels.fields import fields
from ..kernels.kernel import kernel
from .assembly import add_energy, add_force, add_power, add_signal, relative_rate
from .turning_particle import turn_particle

POINTS = 6

AT = fields(
    mass=1, stiffness=1, damping=1, rest=1, drive=1, latched=1, latch=1, side=1, capture=1, holding=1, braking=1,
    hinge=3, axis=3, points=18, knots=1, table=1,
)  # fmt: skip
"""Parameters: mass of a point; hinge spring, damper and its reference angle and rate; whether there is a latch, its
angle, side, capture angle, stiffness and damping; hinge from the reference point; axis; points from the hinge at angle
0; number of knots of a drive, and the index of the first, relative to these parameters."""

KNOT = fields(time=1, angle=1, rate=1)
"""Parameters of a knot of a drive."""


@kernel
def _drive(t, p, n):
    """Return the angle at which the spring exerts no torque, and its rate; constant outside the knots."""
    knots = int(p[n + AT.knots])
    angle, rate = p[n + AT.rest] + p[n + AT.drive] * t, p[n + AT.drive]
    if knots > 0:
        table = n + int(p[n + AT.table])
        last = table + KNOT.size * (knots - 1)
        if t <= p[table + KNOT.time]:
            angle, rate = p[table + KNOT.angle], 0.0
        elif t >= p[last + KNOT.time]:
            angle, rate = p[last + KNOT.angle], 0.0
        else:
            low, high = 0, knots - 1
            while high - low > 1:
                middle = (low + high) // 2
                if p[table + KNOT.size * middle + KNOT.time] <= t:
                    low = middle
                else:
                    high = middle
            one, two = table + KNOT.size * low, table + KNOT.size * high
            h = p[two + KNOT.time] - p[one + KNOT.time]
            s = (t - p[one + KNOT.time]) / h
            step = p[two + KNOT.angle] - p[one + KNOT.angle]
            a, b = h * p[one + KNOT.rate], h * p[two + KNOT.rate]
            angle = p[one + KNOT.angle] + s * (a + s * (3.0 * step - 2.0 * a - b + s * (a + b - 2.0 * step)))
            rate = (a + s * (2.0 * (3.0 * step - 2.0 * a - b) + 3.0 * s * (a + b - 2.0 * step))) / h
    return angle, rate


@kernel
def hinge_energy(t, q, p, n):
    """Return the energy of spring and latch at the angle q; n: start of the fields of AT."""
    angle, _ = _drive(t, p, n)
    ahead = q - angle
    beyond = q - p[n + AT.latch]
    energy = 0.5 * p[n + AT.stiffness] * ahead * ahead
    if p[n + AT.latched] != 0.0 and (beyond * p[n + AT.side]).real <= p[n + AT.capture]:
        energy = energy + 0.5 * p[n + AT.holding] * (beyond * beyond - p[n + AT.capture] * p[n + AT.capture])
    return energy


@kernel
def hinge_torque(t, q, rate, p, n):
    """Return the torque of spring, damper and latch, and the power of drive, damper and latch."""
    angle, drive = _drive(t, p, n)
    beyond = q - p[n + AT.latch]
    torque = -p[n + AT.stiffness] * (q - angle)
    friction = -p[n + AT.damping] * (rate - drive)
    power = friction * rate + torque * drive  # the drive moves the end of the spring
    if p[n + AT.latched] != 0.0 and (beyond * p[n + AT.side]).real <= p[n + AT.capture]:
        torque = torque - p[n + AT.holding] * beyond
        friction = friction - p[n + AT.braking] * rate
        power = power - p[n + AT.braking] * rate * rate
    return friction + torque, power


@kernel
def latch_signals(q, rate, p, w, n):
    """Append the signals of a latch: its torque, and whether it holds."""
    beyond = q - p[n + AT.latch]
    flag = 1.0 if (beyond * p[n + AT.side]).real <= p[n + AT.capture] else 0.0
    add_signal(p, w, -flag * (p[n + AT.holding] * beyond + p[n + AT.braking] * rate))
    add_signal(p, w, flag)


@kernel
def hinged_panel(phase, t, x, u, p, row, w):
    """Kernel of a hinged panel; see `polhode.plant.elements.element`."""
    k = int(p[row + 2])
    n = row + 4
    q = x[7 + k]
    if phase == 2:
        add_energy(p, w, hinge_energy(t, q, p, n))
        return
    if phase == 3:
        if p[n + AT.latched] != 0.0:
            latch_signals(q, relative_rate(p, w, k), p, w, n)
        return
    cos, sin = np.cos(q), np.sin(q)
    rate = relative_rate(p, w, k)
    for i in range(POINTS):
        turn_particle(phase, p, w, k, p[n + AT.mass], cos, sin, rate, n + AT.axis, n + AT.hinge, n + AT.points + 3 * i)
    if phase == 1:
        torque, power = hinge_torque(t, q, rate, p, n)
        add_force(p, w, k, torque)
        add_power(p, w, power)
