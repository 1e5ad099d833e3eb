# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What the tips of the arms and the strain energy do between two rows, noted at every step.

Of each arm the least and the most, and the swing: half of highest less lowest across the arm within one period of the
slowest elastic mode. For that the period is cut into CELLS parts, whose least and most are kept in a ring.
"""

import math

from ...plant.flexible.equations import configuration, momenta_and_forces
from ...plant.flexible.layout import ARM_SIZE, ARMS, ELEMENTS, HEADER_SIZE, LENGTH
from ...plant.kernel import kernel

__all__ = ["ACROSS", "CELLS", "SPREAD", "next_cell", "note_spread", "take_spread"]

ACROSS, SPREAD = 3, 4
"""Of each arm: the tip along l, m and n of its root, and across the arm, sqrt(m^2 + n^2); behind all, the energy."""

CELLS = 16
"""Of each arm a cell holds the least along m and n, and the most."""


@kernel
def note_spread(x, p, nu, u, pose, vel, rho, axes, mom, frc, spare, y, low, high, cells, cell):
    """Widen low, high and one cell to hold the state as it stands."""
    nv = nu.size
    configuration(x[: x.size - nv], p, pose, rho, axes)
    row = 0
    base = HEADER_SIZE
    at = 0
    slot = cell % CELLS
    for _ in range(int(p[ARMS])):
        tip = row + int(p[base + ELEMENTS])
        square = 0.0
        for k in range(3):
            value = 0.0
            for i in range(3):
                value += (pose[tip, i] - pose[row, i]) * pose[row, 3 + 3 * k + i]
            if k == 0:
                value -= p[base + ELEMENTS] * p[base + LENGTH]
            else:
                square += value * value
                cells[slot, at + k - 1] = min(cells[slot, at + k - 1], value)
                cells[slot, at + k + 1] = max(cells[slot, at + k + 1], value)
            low[at + k] = min(low[at + k], value)
            high[at + k] = max(high[at + k], value)
        across = math.sqrt(square)
        low[at + ACROSS] = min(low[at + ACROSS], across)
        high[at + ACROSS] = max(high[at + ACROSS], across)
        at += SPREAD
        row = tip + 1
        base += ARM_SIZE
    # of the sweep only the energy of the deformation is used: it does not depend on the velocities
    _, potential = momenta_and_forces(nu, p, u, pose, vel, rho, axes, mom, frc, spare, y[:nv])
    low[at] = min(low[at], potential)
    high[at] = max(high[at], potential)


@kernel
def _note_swing(cells, swing):
    """Widen the swing of each arm to that of the cells."""
    for arm in range(swing.size):
        for k in range(2):
            least, most = math.inf, -math.inf
            for cell in range(CELLS):
                least = min(least, cells[cell, SPREAD * arm + k])
                most = max(most, cells[cell, SPREAD * arm + 2 + k])
            swing[arm] = max(swing[arm], 0.5 * (most - least))


@kernel
def next_cell(cells, swing, last, cell):
    """Note the swing of the period that ends, and clear the cells from the last one on to this."""
    _note_swing(cells, swing)
    for number in range(max(last + 1, cell - CELLS + 1), cell + 1):
        slot = number % CELLS
        for arm in range(swing.size):
            for k in range(2):
                cells[slot, SPREAD * arm + k], cells[slot, SPREAD * arm + 2 + k] = math.inf, -math.inf


@kernel
def take_spread(low, high, cells, swing, out_low, out_high, out_swing, row):
    """Put what was noted into a row, and begin anew."""
    _note_swing(cells, swing)
    for k in range(low.size):
        out_low[row, k], out_high[row, k] = low[k], high[k]
        low[k], high[k] = math.inf, -math.inf
    for arm in range(swing.size):
        out_swing[row, arm] = swing[arm]
        swing[arm] = 0.0
