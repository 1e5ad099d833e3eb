# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Velocities and kinetic energy in rows of states if the mass matrix of hub and elements is constant."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ...plant.hub.constant_mass import velocities_of
from ...plant.hub.parameters import CONSTANT, INTERNAL
from ...plant.kernels.kernel import kernel
from ..codegen.library import has_library
from .address_table import table_of
from .addresses import entry_function
from .loop_arrays import Row, Table

Array = NDArray[np.float64]


class VelocityRows(NamedTuple):
    """Arrays for the velocities in rows of states."""

    inverse: Table
    """Inverse of the mass matrix, (3 + k, 3 + k)."""
    x: Table
    """States; numbers after the internal momenta are not read."""
    v: Table
    """Velocities, one row per component."""
    energy: Row
    """Kinetic energy of rotation and elements in each row, J."""


@kernel
def velocity_rows(b):
    """Write velocities and kinetic energy of all rows; the velocities are summed in the order of `solve_velocities`."""
    inverse, v = b.inverse, b.v
    m = inverse.shape[0]
    for row in range(b.x.shape[0]):
        x = b.x[row]
        twice = 0.0
        for i in range(m):
            total = inverse[i, 0] * x[0] + inverse[i, 1] * x[1] + inverse[i, 2] * x[2]
            for k in range(3, m):
                total = total + inverse[i, k] * x[INTERNAL + m - 6 + k]
            v[i, row] = total
            momentum = x[i] if i < 3 else x[INTERNAL + m - 6 + i]
            twice = twice + momentum * total
        b.energy[row] = 0.5 * twice


def velocities_of_rows(craft: Spacecraft, states: Array) -> tuple[Array, Array] | None:
    """Return velocities and kinetic energy of a spacecraft with elements in each state.

    states (n, nx): state vectors, with or without the ledger -> body rate and internal rates (n, 3 + k), and kinetic
    energy of rotation and elements (n,), J; None if the mass matrix is not constant.
    """
    p, m = craft.pack(), 3 + len(craft.layout.coordinates)
    at = int(p[CONSTANT])
    if not at:
        return None
    if has_library():
        inverse = p[at : at + m * m].reshape(m, m)
        rows = VelocityRows(inverse, np.ascontiguousarray(states), np.empty((m, len(states))), np.empty(len(states)))
        entries = table_of((), rows)
        entry_function("velocity_entry")(entries.ctypes.data)
        return rows.v.T, rows.energy
    v = velocities_of(craft, states)
    assert v is not None  # noqa: S101 # the mass matrix is constant
    internal = states[:, craft.layout.internal_momentum]
    twice = np.zeros(len(states))
    for momentum, rate in zip((*states[:, :3].T, *internal.T), v.T, strict=True):
        twice += momentum * rate
    return v, 0.5 * twice
