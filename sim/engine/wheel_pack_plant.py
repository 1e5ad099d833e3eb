# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Plant of a hub with wheels for several simultaneous runs: rates of change, and signal records.

The mass matrix is constant, and the control torque is in body axes. The arithmetic is that of the general plant
(`polhode.plant.hub.dynamics`, `polhode.plant.elements.wheel`), operation by operation, so that each run is bitwise
identical to its single run. The torque demanded of a motor changes only with the command. It is stored in a separate
row, `demand`, which is computed run by run when the command changes.
"""

from ...plant.elements.wheel_motor import AT, NO_MOTOR, THROTTLED, UNLIMITED, motor_torque, wheel_friction
from ...plant.elements.wheel_sharing_kernel import shared_torque
from ...plant.hub.dynamics import rotation_rates
from ...plant.hub.parameters import (
    AT_ELEMENTS,
    CONSTANT,
    ELEMENT,
    INTERNAL,
    LEDGER,
    N_ELEMENTS,
    N_INTERNAL,
    N_STATES,
    THROUGH_ELEMENTS,
)
from ...plant.kernels.fields import three
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select, shared
from ...plant.kernels.rotation import to_inertial
from .extremes import INTEGRAL, LAST, LEAST, MOST, PEAK, TALLY_ROW
from .simd import element_of, put_element, spread


@kernel(inline=True)
def _velocity(i, m, at, x, p):
    """Return component i of the vector of omega and wheel rates."""
    row = at + i * m
    total = p[row] * x[0] + p[row + 1] * x[1] + p[row + 2] * x[2]
    for k in range(3, m):
        total = total + p[row + k] * x[INTERNAL + m - 6 + k]
    return total


@kernel
def pack_velocities(x, p, v):
    """Write omega and the wheel rates to v."""
    at, m = int(shared(p, CONSTANT)), 3 + int(shared(p, N_INTERNAL))
    for i in range(m):
        v[i] = _velocity(i, m, at, x, p)


@kernel
def hub_rate(x, p):
    """Return omega, rad/s."""
    at, m = int(shared(p, CONSTANT)), 3 + int(shared(p, N_INTERNAL))
    return _velocity(0, m, at, x, p), _velocity(1, m, at, x, p), _velocity(2, m, at, x, p)


@kernel
def demand_of(b, lane, u, demand):
    """Write the torque that the command in u demands of each motor of a run to its lane of `demand`."""
    p = b.p
    d0, d1, d2 = element_of(u, 0, lane), element_of(u, 1, lane), element_of(u, 2, lane)
    row = int(p[AT_ELEMENTS])
    for k in range(int(p[N_ELEMENTS])):
        n = row + ELEMENT.size
        asked = 0.0
        if p[THROUGH_ELEMENTS] != 0.0 and p[n + AT.number] != NO_MOTOR:
            if p[n + AT.number] < 0.0:
                c0, c1, c2 = three(p, n + AT.command)
                asked = c0 * d0 + c1 * d1 + c2 * d2
            else:
                asked = shared_torque(p, n + AT.size, int(p[n + AT.number]), d0, d1, d2)
        put_element(demand, k, lane, asked)
        row += int(p[row + ELEMENT.length])


@kernel(inline=True)
def _asked(x, p, n, demand, k):
    """Return the torque demanded of the motor of wheel k, whose parameters begin at n."""
    asked = p[n + AT.motor_torque] + 0.0 * x[0]
    if shared(p, THROUGH_ELEMENTS) != 0.0:
        asked = asked - demand[k]
    return asked + 0.0


@kernel
def pack_derivative(x, u, p, demand, v, dx):
    """Write dx/dt to dx, and omega and the wheel rates to v."""
    pack_velocities(x, p, v)
    w0, w1, w2 = v[0], v[1], v[2]
    a0, a1, a2 = u[0], u[1], u[2]
    if shared(p, THROUGH_ELEMENTS) != 0.0:
        a0, a1, a2 = 0.0 * a0, 0.0 * a1, 0.0 * a2
    t0, t1, t2 = a0 + 0.0, a1 + 0.0, a2 + 0.0
    dx[0], dx[1], dx[2], dx[3], dx[4], dx[5], dx[6] = rotation_rates(
        x[0], x[1], x[2], x[3], x[4], x[5], x[6], w0, w1, w2, t0, t1, t2
    )
    power = a0 * w0 + a1 * w1 + a2 * w2
    work = spread(0.0)
    wheels, row = int(shared(p, N_INTERNAL)), int(shared(p, AT_ELEMENTS))
    for k in range(wheels):
        n = row + ELEMENT.size
        rate = v[3 + k]
        force = wheel_friction(p, n, rate)
        if shared(p, n + AT.number) != NO_MOTOR:
            force = force + (motor_torque(p, n, _asked(x, p, n, demand, k), rate) - 0.0)
        dx[INTERNAL + k] = rate
        dx[INTERNAL + wheels + k] = 0.0 + force
        work = work + force * rate
        row += int(shared(p, row + ELEMENT.length))
    if shared(p, LEDGER) != 0.0:
        last = int(shared(p, N_STATES))
        dx[last - 4] = power + work
        dx[last - 3], dx[last - 2], dx[last - 1] = to_inertial(x[3], x[4], x[5], x[6], t0, t1, t2)


@kernel(inline=True)
def _count(h, row, value, tally):
    """Update the record of one signal with a step of length h."""
    size = abs(value)
    square = size * size
    tally[row + INTEGRAL] = tally[row + INTEGRAL] + 0.5 * h * (tally[row + LAST] + square)
    tally[row + LAST] = square
    tally[row + PEAK] = max(tally[row + PEAK], size)
    tally[row + LEAST] = min(tally[row + LEAST], value)
    tally[row + MOST] = max(tally[row + MOST], value)


@kernel
def tally_pack(h, x, p, demand, v, tally):
    """Update the records of the wheel signals with a step of length h that ended in x; v: workspace."""
    pack_velocities(x, p, v)
    row, at = int(shared(p, AT_ELEMENTS)), 0
    for k in range(int(shared(p, N_INTERNAL))):
        n = row + ELEMENT.size
        if shared(p, n + AT.number) != NO_MOTOR:
            rate, asked = v[3 + k], _asked(x, p, n, demand, k)
            _count(h, at, motor_torque(p, n, asked, rate), tally)
            _count(h, at + TALLY_ROW, asked, tally)
            at += 2 * TALLY_ROW
            if shared(p, n + AT.torque_limit) != UNLIMITED:
                there = abs(asked) >= p[n + AT.torque_limit] * (1.0 - 1e-9)
                _count(h, at, select(there, spread(1.0), spread(0.0)), tally)
                at += TALLY_ROW
            if shared(p, n + AT.speed_limit) != UNLIMITED:
                beyond = abs(rate) > p[n + AT.speed_limit] * (1.0 - THROTTLED)
                _count(h, at, select(beyond, spread(1.0), spread(0.0)), tally)
                at += TALLY_ROW
        row += int(shared(p, row + ELEMENT.length))
