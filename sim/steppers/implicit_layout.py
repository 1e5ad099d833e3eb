"""Layout of the work table of implicit steps, and the table itself."""

import math
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ...plant.elements.branch import branch_kinds, branches
from ...plant.formulations.view import View
from ...plant.hub.parameters import NEAR
from ...plant.kernels.kernel import kernel
from .implicit_scheme import implicit_scheme, stage_frames
from .stepper import Stepper

__all__ = ["implicit_table", "planes_of", "start_of_block", "system_at"]

META, SCHEME, WEIGHTS, FRAMES, UNIT, SPARE, HEAD = 0, 1, 2, 3, 4, 5, 8
"""Rows: numbers below; the method; what turns each velocity into m/s, negative where only itself is its measure; what
brings a residual to the frames of its stage, and of each system the factor of its solution (`stage_frames`); a state
with its Euler parameters normalised; three to spare; from HEAD on what is left of the equations of s stages in the
frames of each, and the changes of their velocities; then two blocks, for steps and for rows within them: states, rates,
velocities, momenta and forces of s stages each, and the momenta at the start of the step."""

SLOTS = 2
"""Lengths of steps whose matrices are kept: the delay of a law lets two take turns."""

WITHIN = SLOTS
"""The slot of rows within steps: of their own, so that they do not change what the steps begin from."""

REACH, EASE, GUESSED, ITERATIONS, BUILDS, PLANE, CODE, USER_CODE, SLOT, MATRIX_STEP = range(10)
NEW = MATRIX_STEP + SLOTS + 1
META_SIZE = NEW + SLOTS + 1
"""In row META: how far the craft reaches (m), 1 over its least inertia, the step that left stage velocities to guess
from (0: none), how often the stages were evaluated, how often matrices were built, how far apart those of different
systems stand in the work space; in compiled code the addresses of the step and of the user's loads; the slot used last;
of each slot the step that its matrices are for (0: none), and how many iterations it took when they were new."""

STAGES, SYSTEMS, COEFFICIENTS = 0, 1, 2
"""In row SCHEME, see `implicit_scheme`."""


@kernel(inline=True)
def start_of_block(s: int, within: bool) -> int:
    """The first row of the block for steps, or for rows within them."""
    return HEAD + 2 * s + (5 * s + 1 if within else 0)


@kernel(inline=True)
def system_at(s: int, system: int) -> int:
    """First index of a system in row SCHEME: its eigenvalue, left and right eigenvector."""
    return COEFFICIENTS + s * (s + 2) + (4 * s + 2) * system


def implicit_table(
    craft: Spacecraft, states: int, stepper: Stepper, view: View | None, *, space: int
) -> NDArray[np.float64]:
    """Return the table for a craft and a state of so many numbers; of one row where no implicit step is taken.

    space: the length of the work space. Each system of the method has one (`planes_of`), for matrices of its own.
    """
    if not stepper.implicit:
        return np.zeros((1, 1))
    scheme, s = implicit_scheme(stepper), stepper.stages
    total = NEAR + len(craft.layout.coordinates) + len(craft.layout.own_momenta_at)
    width = max(states, total, scheme.size, META_SIZE, 4 * s * (s + 1))
    table = np.zeros((start_of_block(s, True) + 5 * s + 1, width))
    table[SCHEME, : scheme.size] = scheme
    frames = stage_frames(scheme)
    table[FRAMES, : frames.size] = frames
    table[META, PLANE] = space
    if view is not None:
        _group(table[WEIGHTS], (*craft.layout.units, *view.units))
    else:
        _weigh(table, craft)
    return table


def planes_of(table: NDArray[np.float64]) -> int:
    """Return how many work spaces the steps of a table want."""
    return (SLOTS + 1) * int(table[SCHEME, SYSTEMS])


def _weigh(table: NDArray[np.float64], craft: Spacecraft) -> None:
    """Put in what makes errors of the velocities comparable."""
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
    table[WEIGHTS, : len(weights)] = weights


def _group(row: NDArray[np.float64], units: tuple[str, ...]) -> None:
    """Put in the end of each group of states of one unit, at its first."""
    start = 0
    for _, alike in groupby(units):
        end = start + len(tuple(alike))
        row[start] = end
        start = end
