"""Floors of the error norm of dop853, below which a block of the state needs no relative accuracy."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.elements.branch import SIZES, branches
from ....plant.elements.cyclic import cyclic_flags
from ....plant.formulations.view import View
from ....plant.frozen import read_only

SLOW = 1e-6
"""Rate (rad/s and m/s) below which a motion needs no relative accuracy."""

SHORT = 1e-3
"""Floor of lengths (m) and other coordinates that are not angles; the floor of angles is 1 rad."""


_known: WeakKeyDictionary[Spacecraft, NDArray[np.float64]] = WeakKeyDictionary()
"""Cached floors of spacecraft that are integrated without a formulation."""


def error_floors(craft: Spacecraft, view: View | None = None) -> NDArray[np.float64]:
    """Return the floors of the blocks in the error norm of `polhode.sim.engine.steppers.dop853`.

    view: formulation whose states are integrated, if any.
    -> (3 + 4 n,): floors of momentum, position and linear momentum, followed by n groups of four values. A group of
    coordinates of one element and one unit has: first index, end index, floor of the coordinates (0 if nothing depends
    on them), floor of their momenta. A block of an element's own states, or a group of formulation states with one
    unit, has: first index with negative sign, end index, floor, 0.
    """
    if view is not None:
        return _floors(craft, view)
    found = _known.get(craft)
    if found is None:
        found = _known[craft] = _floors(craft, None)
    return found


def mean_moment(moments: Iterable[Any]) -> Any:
    """Return the mean moment of inertia, kg m^2; moments: three numbers, or three rows (a column per run)."""
    return sum(moments) / 3.0


def hub_floors(craft: Spacecraft) -> list[float]:
    """Return the floors of momentum, position and linear momentum: those that depend on inertia and mass of the hub."""
    return [SLOW * mean_moment(np.diagonal(craft.body.inertia).tolist()), 1e-3, max(SLOW * craft.mass, 1e-300)]


def _floors(craft: Spacecraft, view: View | None) -> NDArray[np.float64]:
    floors = hub_floors(craft)
    if view is not None:
        floors += _of_view(view, craft.layout.size, mean_moment(np.diagonal(craft.body.inertia).tolist()))
    if not craft.elements:
        return read_only(np.array(floors))
    masses = np.diag(craft.initial_mass_matrix)[3:]
    first = 0
    for element in craft.elements:
        for (unit, cyclic), alike in groupby(zip(element.units, cyclic_flags((element,)), strict=True)):
            last = first + len(tuple(alike))
            coordinate = 0.0 if cyclic else 1.0 if unit in {"rad", "1"} else SHORT
            floors += [first, last, coordinate, SLOW * float(masses[first:last].min())]
            first = last
    at = craft.layout.own.start
    for branch in branches(craft.elements):
        half = len(branch.blocks) // 2  # positions first, then momenta
        for number, kind in enumerate(branch.blocks):
            measure = 1.0 if kind == "attitude" else SHORT
            floor = measure if number < half else SLOW * branch.mass / half
            floors += [-at, at + SIZES[kind], floor, 0.0]
            at += SIZES[kind]
    return read_only(np.array(floors))


def _of_view(view: View, at: int, inertia: float) -> list[float]:
    """Return the blocks of a formulation; the floor is 1 for numbers and angles."""
    measure = {"1": 1.0, "rad": 1.0, "N m s": SLOW * inertia}
    found: list[float] = []
    for unit, alike in groupby(view.units):
        end = at + len(tuple(alike))
        found += [-at, end, measure.get(unit, SLOW), 0.0]
        at = end
    return found
