# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Torque of one wheel for a demanded torque, from the table of `wheel_sharing`."""

from ..kernels.kernel import kernel


@kernel
def sharing_cell(table, at, d0, d1, d2):
    """Return the index of the active cell's matrix C in the table, which begins at `at`."""
    wheels = int(table[at])
    count = int(table[at + 1])
    cells = at + 2 + 5 * count
    width = 3 + 3 * wheels
    cell = 0
    choices = 0
    best = 0
    most = 0.0
    for n in range(count):
        a = at + 2 + 5 * n
        size = abs((table[a] * d0 + table[a + 1] * d1 + table[a + 2] * d2).real)
        if size > most:
            most = size
            best = a
    if best > 0:  # otherwise the demand is zero
        cell = int(table[best + 3])
        choices = int(table[best + 4])
    first = cell
    most = 0.0
    for n in range(first, first + choices):
        a = cells + width * n
        size = abs((table[a] * d0 + table[a + 1] * d1 + table[a + 2] * d2).real)
        if size > most:
            most = size
            cell = n
    return cells + width * cell + 3


@kernel
def torque_in_cell(table, cell, number, d0, d1, d2):
    """Return the torque of wheel `number` on the hub along its axis; the cell's matrix C begins at `cell`."""
    a = cell + 3 * number
    return table[a] * d0 + table[a + 1] * d1 + table[a + 2] * d2


@kernel
def shared_torque(table, at, number, d0, d1, d2):
    """Return the torque of wheel `number` on the hub along its axis; the table begins at `at`."""
    return torque_in_cell(table, sharing_cell(table, at, d0, d1, d2), number, d0, d1, d2)
