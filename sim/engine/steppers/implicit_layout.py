"""Layout of the work table of implicit steps, and the table itself."""

import math
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.elements.branch import branch_kinds, branches
from ....plant.formulations.view import View
from ....plant.hub.parameters import NEAR
from ....plant.kernels.kernel import kernel
from .implicit_scheme import implicit_scheme, stage_frames
from .stepper import Stepper

META, SCHEME, WEIGHTS, FRAMES, UNIT, SPARE, HEAD = 0, 1, 2, 3, 4, 5, 8
"""Rows: numbers below; the method; the factor that converts each velocity to m/s, negative for a purely rotational one;
the transformation of a residual to the frames of its stage, and for each system the factor of its solution
(`stage_frames`); a state with normalised Euler parameters; three rows of work space; from HEAD on the residuals of s
stages in the frames of each, and the changes of their velocities; then two blocks, for steps and for rows within them:
states, rates, velocities, momenta and forces of s stages each, and the momenta at the start of the step."""

SLOTS = 2
"""Number of step lengths whose matrices are kept: with a delay of the law two lengths alternate."""

WITHIN = SLOTS
"""The slot of rows within steps: separate, so that they do not change the initial guess of the steps."""

REACH, EASE, GUESSED, ITERATIONS, BUILDS, PLANE, CODE, USER_CODE, SLOT, MATRIX_STEP = range(10)
NEW = MATRIX_STEP + SLOTS + 1
META_SIZE = NEW + SLOTS + 1
"""In row META: largest distance in the craft (m), 1 over its smallest inertia, the step whose stage velocities give the
initial guess (0: none), number of stage evaluations, number of factorisations, distance between the matrices of
different systems in the work space; in compiled code the addresses of the step and of the user-defined loads; the slot
used last; for each slot the step of its matrices (0: none), and the number of iterations when they were new."""

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
    """Return the table for a craft and a state of some size; with one row if no implicit step is taken.

    space: size of the work space. Each system of the method has one (`planes_of`), for its own matrices.
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
    """Return the number of work spaces that the steps of a table need."""
    return (SLOTS + 1) * int(table[SCHEME, SYSTEMS])


def _weigh(table: NDArray[np.float64], craft: Spacecraft) -> None:
    """Write the weights that make errors of the velocities comparable."""
    arms = branches(craft.elements)
    reach = max((branch.reach for branch in arms), default=0.0)  # without node positions no round-off accumulates
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
    """Write the index behind each group of states with one unit at the first state of the group."""
    start = 0
    for _, alike in groupby(units):
        end = start + len(tuple(alike))
        row[start] = end
        start = end
