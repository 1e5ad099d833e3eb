"""Layout of the work table of implicit steps, and the table itself."""

import math
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.elements.branch import branch_kinds, branches
from ....plant.elements.cyclic import cyclic_flags
from ....plant.formulations.view import View
from ....plant.hub.parameters import NEAR
from ....plant.kernels.kernel import kernel
from .implicit_scheme import implicit_scheme, stage_frames
from .stepper import Stepper

META, SCHEME, WEIGHTS, FRAMES, UNIT, SPARE, HEAD = 0, 1, 2, 3, 4, 5, 8
"""Rows of the table: numbers described below; coefficients of the method; factors that convert each velocity to m/s,
negative for a purely rotational one; transformation of residuals to the frames of their stages, and factor of the
solution of each system (`stage_frames`); a state with normalised Euler parameters; three rows of workspace. From HEAD
on: residuals of the s stages in the frames of the stages, and changes of their velocities. Then two blocks, one for
steps and one for rows within steps, each with states, rates, velocities, momenta and forces of s stages, and the
momenta at the start of the step."""

SLOTS = 2
"""Number of step lengths with stored matrices: with a delay of the law, two lengths alternate."""

WITHIN = SLOTS
"""Separate slot for rows within steps, which must not change the initial guess of the steps."""

REACH, EASE, GUESSED, ITERATIONS, BUILDS, PLANE, CODE, USER_CODE, SLOT, MATRIX_STEP = range(10)
NEW = MATRIX_STEP + SLOTS + 1
META_SIZE = NEW + SLOTS + 1
"""Numbers in row META: largest distance in the spacecraft (m), 1 over the smallest principal inertia, step whose stage
velocities give the initial guess (0: none), number of stage evaluations, number of factorisations, distance between the
matrices of different systems in the workspace; in compiled code the addresses of the step and of the user-defined
loads; last used slot; for each slot the step of its matrices (0: none), and the number of iterations with new
matrices."""

STAGES, SYSTEMS, COEFFICIENTS = 0, 1, 2
"""Indices in row SCHEME: number of stages, number of systems, first coefficient; see `implicit_scheme`."""


@kernel(inline=True)
def start_of_block(s: int, within: bool) -> int:
    """Return the first row of the block for steps, or of the block for rows within steps."""
    return HEAD + 2 * s + (5 * s + 1 if within else 0)


@kernel(inline=True)
def system_at(s: int, system: int) -> int:
    """Return the first index of a system in row SCHEME: eigenvalue, left and right eigenvector."""
    return COEFFICIENTS + s * (s + 2) + (4 * s + 2) * system


def implicit_table(
    craft: Spacecraft, states: int, stepper: Stepper, view: View | None, *, space: int
) -> NDArray[np.float64]:
    """Return the work table for a spacecraft and a number of states; (1, 1) for explicit methods.

    space: length of the workspace; each system of the method has a separate workspace for its matrices (`planes_of`).
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
    """Return the number of workspaces that the steps of a table need."""
    return (SLOTS + 1) * int(table[SCHEME, SYSTEMS])


def ease_of(inertia: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 over the smallest principal moment, 1/(kg m^2), of one inertia (3, 3) or of several (n, 3, 3)."""
    return np.asarray(1.0 / np.linalg.eigvalsh(inertia)[..., 0], dtype=np.float64)


def _weigh(table: NDArray[np.float64], craft: Spacecraft) -> None:
    """Write the weights that make errors of different velocities comparable."""
    arms = branches(craft.elements)
    reach = max((branch.reach for branch in arms), default=0.0)  # no node positions, no accumulated round-off
    table[META, REACH] = reach
    table[META, EASE] = ease_of(craft.body.inertia)
    size = reach or 1.0
    measure = {"rad": size, "m": 1.0, "kg^0.5 m": 1.0 / math.sqrt(craft.mass or 1.0)}
    weights = [1.0, 1.0, 1.0, size, size, size]
    weights += [
        (-1.0 if cyclic else 1.0) * measure.get(unit, size)
        for cyclic, unit in zip(cyclic_flags(craft.elements), craft.layout.coordinate_units, strict=True)
    ]
    weights += [1.0, 1.0, 1.0]
    for branch in arms:
        kinds = zip(branch.state_units, branch_kinds(branch), strict=True)
        weights += [1.0 if unit == "kg m/s" else size for unit, kind in kinds if kind == "momentum"]
    table[WEIGHTS, : len(weights)] = weights


def _group(row: NDArray[np.float64], units: tuple[str, ...]) -> None:
    """Write the end index of each group of states with one unit at the index of its first state."""
    start = 0
    for _, alike in groupby(units):
        end = start + len(tuple(alike))
        row[start] = end
        start = end
