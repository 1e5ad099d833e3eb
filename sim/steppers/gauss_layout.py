"""Where everything stands in the table that implicit steps work on, and the table itself."""

import math
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ...plant.elements.branch import branch_kinds, branches
from ...plant.formulations.view import View
from ...plant.hub.parameters import NEAR
from .gauss_scheme import gauss_scheme

__all__ = ["implicit_table"]

META, SCHEME, WEIGHTS, UNIT, BLOCK = range(5)
"""Rows: numbers below; the method; what turns each velocity into m/s, negative where only itself is its measure; a
state with its Euler parameters normalised; then two blocks, for steps and for rows within them."""

REACH, EASE, MATRIX_STEP, GUESSED, ITERATIONS, BUILDS, NEW, CODE, USER_CODE = range(9)
"""In row META: how far the craft reaches (m), 1 over its least inertia, the step the matrix is for (0: none), the step
that left stage velocities to guess from (0: none), how often the stages were evaluated, how often the matrix was built,
how many iterations it took when it was new; in compiled code the addresses of the step and of the user's loads."""

STATES, RATES, VELOCITIES, MOMENTA, FORCES, START, BLOCK_ROWS = 0, 2, 4, 6, 8, 10, 11
"""Rows of a block: two stages each, and the momenta at the start of the step."""


def implicit_table(craft: Spacecraft, states: int, stages: int, view: View | None) -> NDArray[np.float64]:
    """Return the table for a craft and a state of so many numbers; of one row where no implicit step is taken."""
    if stages == 0:
        return np.zeros((1, 1))
    if view is not None:
        return _table_of_view(craft, states, stages, view)
    n = len(craft.layout.coordinates)
    total = NEAR + n + len(craft.layout.own_momenta_at)
    scheme = gauss_scheme(stages)
    table = np.zeros((BLOCK + 2 * BLOCK_ROWS, max(states, total, scheme.size)))
    table[SCHEME, : scheme.size] = scheme
    arms = branches(craft.elements)
    reach = max((branch.reach for branch in arms), default=0.0)  # without places of nodes nothing is lost to round-off
    table[META, REACH] = reach
    table[META, EASE] = 1.0 / float(np.linalg.eigvalsh(craft.body.inertia)[0])
    size = reach or 1.0
    measure = {"rad": size, "m": 1.0, "kg^0.5 m": 1.0 / math.sqrt(craft.mass or 1.0)}
    weights = [1.0, 1.0, 1.0, size, size, size]
    weights += [
        (-1.0 if element.cyclic else 1.0) * measure.get(unit, size)
        for element in craft.elements
        for unit in element.units
    ]
    weights += [1.0, 1.0, 1.0]
    for branch in arms:
        kinds = zip(branch.state_units, branch_kinds(branch), strict=True)
        weights += [1.0 if unit == "kg m/s" else size for unit, kind in kinds if kind == "momentum"]
    table[WEIGHTS, :total] = weights
    return table


def _table_of_view(craft: Spacecraft, states: int, stages: int, view: View) -> NDArray[np.float64]:
    """Return the table for a craft in the states of a formulation: in WEIGHTS the end of each group of one unit."""
    scheme = gauss_scheme(stages)
    table = np.zeros((BLOCK + BLOCK_ROWS * 2, max(states, scheme.size)))
    table[SCHEME, : scheme.size] = scheme
    units = (*craft.layout.units, *view.units)
    start = 0
    for _, alike in groupby(units):
        end = start + len(tuple(alike))
        table[WEIGHTS, start] = end
        start = end
    return table
