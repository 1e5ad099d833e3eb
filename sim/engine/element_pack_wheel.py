# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Wheels of several runs: their kernel as an element, demanded torques, and records of their signals.

The arithmetic follows `polhode.plant.elements.wheel` operation by operation. The torque that the command demands of
a motor changes only with the command, and its allocation contains branches. It is therefore computed run by run when
the command changes, and stored in a row, `demand`, with an entry for each coordinate of the spacecraft.
"""

from ...plant.elements.assembly import add_force, add_power, relative_rate
from ...plant.elements.wheel import wheel_mass
from ...plant.elements.wheel_motor import (
    AT,
    NO_MOTOR,
    THROTTLED,
    UNLIMITED,
    at_power_limit,
    electrical_power,
    in_dead_zone,
    motor_torque,
    wheel_friction,
)
from ...plant.elements.wheel_sharing_kernel import sharing_cell, torque_in_cell
from ...plant.hub.element_calls import FORCES, MASS
from ...plant.hub.parameters import ELEMENT, THROUGH_ELEMENTS
from ...plant.kernels.fields import three
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select, shared
from .extremes import INTEGRAL, LAST, LEAST, MOST, PEAK, SQUARES, TALLY_ROW
from .simd import element_of, put_element, spread


@kernel
def demand_of(b, lane, u, wheels, demand):
    """Write the torque that the command in u demands of each motor of a run to its lane of `demand`.

    wheels: start of the row of each wheel in the parameters.
    """
    p = b.p
    d0, d1, d2 = element_of(u, 0, lane), element_of(u, 1, lane), element_of(u, 2, lane)
    cell = 0  # from the start of the table of the array
    for m in range(wheels.size):
        row = wheels[m]
        n = row + ELEMENT.size
        demanded = 0.0
        if p[THROUGH_ELEMENTS] != 0.0 and p[n + AT.number] != NO_MOTOR:
            if p[n + AT.number] < 0.0:
                c0, c1, c2 = three(p, n + AT.command)
                demanded = c0 * d0 + c1 * d1 + c2 * d2
            else:
                table = n + AT.size
                if p[n + AT.follows] == 0.0:
                    cell = sharing_cell(p, table, d0, d1, d2) - table
                demanded = torque_in_cell(p, table + cell, int(p[n + AT.number]), d0, d1, d2)
        put_element(demand, int(p[row + ELEMENT.first]), lane, demanded)


@kernel(inline=True)
def _demanded(x, p, n, sum_of_demands):
    """Return the torque demanded of the motor with parameters at n; sum_of_demands: its command part."""
    demanded = p[n + AT.motor_torque] + 0.0 * x[0]
    if shared(p, THROUGH_ELEMENTS) != 0.0:
        demanded = demanded - sum_of_demands
    return demanded + 0.0


@kernel(lanes=True)
def pack_wheel(phase, t, x, u, p, row, w):
    """Kernel of a wheel in a pack; see `polhode.plant.elements.element`. u: the row `demand`."""
    k = int(shared(p, row + ELEMENT.first))
    n = row + ELEMENT.size
    if phase == MASS:
        wheel_mass(p, w, k, n)
    elif phase == FORCES:
        rate = relative_rate(p, w, k)
        force = wheel_friction(p, n, rate)
        if shared(p, n + AT.number) != NO_MOTOR:
            force = force + (motor_torque(p, n, _demanded(x, p, n, u[k]), rate) - 0.0)
        add_force(p, w, k, force)
        add_power(p, w, force * rate)


@kernel(inline=True)
def _count(accepted, h, row, value, tally):
    """Update the record of one signal with a step of length h, in the runs that accepted the step."""
    size = abs(value)
    square = size * size
    last = tally[row + LAST]
    squares = tally[row + SQUARES] + 0.5 * h * (last * last + square)
    integral = tally[row + INTEGRAL] + 0.5 * h * (last + value)
    tally[row + SQUARES] = select(accepted, squares, tally[row + SQUARES])
    tally[row + INTEGRAL] = select(accepted, integral, tally[row + INTEGRAL])
    tally[row + LAST] = select(accepted, value, last)
    tally[row + PEAK] = select(accepted, max(tally[row + PEAK], size), tally[row + PEAK])
    tally[row + LEAST] = select(accepted, min(tally[row + LEAST], value), tally[row + LEAST])
    tally[row + MOST] = select(accepted, max(tally[row + MOST], value), tally[row + MOST])


@kernel
def tally_wheels(accepted, h, x, p, demand, wheels, w, tally):
    """Update the records of the wheel signals with a step of length h that ended in x; w holds the velocities."""
    at = 0
    for m in range(wheels.size):
        row = wheels[m]
        k = int(shared(p, row + ELEMENT.first))
        n = row + ELEMENT.size
        if shared(p, n + AT.number) != NO_MOTOR:
            rate, demanded = relative_rate(p, w, k), _demanded(x, p, n, demand[k])
            torque = motor_torque(p, n, demanded, rate)
            _count(accepted, h, at, torque, tally)
            _count(accepted, h, at + TALLY_ROW, demanded, tally)
            at += 2 * TALLY_ROW
            if shared(p, n + AT.torque_limit) != UNLIMITED:
                there = abs(demanded) >= p[n + AT.torque_limit] * (1.0 - 1e-9)
                _count(accepted, h, at, select(there, spread(1.0), spread(0.0)), tally)
                at += TALLY_ROW
            if shared(p, n + AT.minimum_torque) != 0.0:
                _count(accepted, h, at, in_dead_zone(p, n, demanded), tally)
                at += TALLY_ROW
            if shared(p, n + AT.power_limit) != UNLIMITED:
                there = at_power_limit(p, n, demanded, rate)
                _count(accepted, h, at, select(there, spread(1.0), spread(0.0)), tally)
                at += TALLY_ROW
            if shared(p, n + AT.speed_limit) != UNLIMITED:
                beyond = abs(rate) > p[n + AT.speed_limit] * (1.0 - THROTTLED)
                _count(accepted, h, at, select(beyond, spread(1.0), spread(0.0)), tally)
                at += TALLY_ROW
            if shared(p, n + AT.efficiency) != UNLIMITED:
                power = electrical_power(p, n, torque, rate)
                _count(accepted, h, at, power, tally)
                at += TALLY_ROW
                if shared(p, n + AT.rated_power) != UNLIMITED:
                    above = power > p[n + AT.rated_power] * (1.0 + 1e-9)
                    _count(accepted, h, at, select(above, spread(1.0), spread(0.0)), tally)
                    at += TALLY_ROW
