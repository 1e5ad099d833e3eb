"""Geometry of the arms of a spacecraft in a vibration mode."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.flexible import Arm, arms_of
from ....plant.frozen import frozen_arrays

Array = NDArray[np.float64]

POINTS = 13  # points on each element


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Ribbon:
    """An arm as a ribbon along its centre line.

    rest, moved (n, 3): points of the centre line, m.
    across (n, 3): unit vectors across the ribbon, rotated with the section.
    nodes (elements + 1, 3): deformed positions of the nodes, m.
    """

    rest: Array
    moved: Array
    across: Array
    nodes: Array


def hub_motion(shape: Array, points: Array) -> Array:
    """Return the displacements of points of the hub.

    shape (degrees,): a mode; its first six components are translation and rotation of the hub.
    points (n, 3): from the hub's mass centre, m.
    -> (n, 3), displacements, m.
    """
    return shape[:3] + np.cross(shape[3:6], points)


def mode_ribbons(craft: Spacecraft, shape: Array) -> list[Ribbon]:
    """Return the arms deformed by a mode.

    Between nodes the centre line is the cubic of the element; section rotations are interpolated linearly.

    craft: spacecraft with flexible arms.
    shape (degrees,): displacements (m), rotations (rad) and strains in the order of the velocities, scaled for the
    figure. Returns one ribbon for each arm, in hub axes from the hub's mass centre.
    """
    found: list[Ribbon] = []
    at = 6
    for arm in arms_of(craft):
        root = np.asarray(arm.root, dtype=np.float64)
        places = [hub_motion(shape, root[None])[0]]
        turns, strains = [shape[3:6]], [shape[at]]
        for i in range(arm.elements):
            begin = at + 1 + 7 * i
            places.append(shape[begin : begin + 3])
            turns.append(shape[begin + 3 : begin + 6])
            strains.append(shape[begin + 6])
        at += 1 + 7 * arm.elements
        found.append(_ribbon(arm, np.array(places), turns=np.array(turns), strains=np.array(strains)))
    return found


def _ribbon(arm: Arm, places: Array, *, turns: Array, strains: Array) -> Ribbon:
    frame, root = arm.frame, np.asarray(arm.root, dtype=np.float64)
    along, wide = frame[:, 0], frame[:, 2]
    slopes = np.cross(turns, along) + strains[:, None] * along
    length = arm.element_length
    x = np.linspace(0.0, 1.0, POINTS)[:, None]
    n1, n3 = 1.0 - 3.0 * x**2 + 2.0 * x**3, 3.0 * x**2 - 2.0 * x**3
    n2, n4 = x - 2.0 * x**2 + x**3, x**3 - x**2
    rest: list[Array] = []
    shift: list[Array] = []
    turned: list[Array] = []
    for i in range(arm.elements):
        rest.append(root + (i + x) * length * along)
        ends = n1 * places[i] + n3 * places[i + 1]
        shift.append(ends + length * (n2 * slopes[i] + n4 * slopes[i + 1]))
        turned.append((1.0 - x) * turns[i] + x * turns[i + 1])
    line, moves, turn = np.concatenate(rest), np.concatenate(shift), np.concatenate(turned)
    across = wide + np.cross(turn, wide)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    stations = np.arange(arm.elements + 1)[:, None] * length * along
    return Ribbon(rest=line, moved=line + moves, across=across, nodes=root + stations + places)
