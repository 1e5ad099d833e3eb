"""States of a linear model: deviations in minimal coordinates, grouped by kind."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..elements.cyclic import cyclic_flags
from . import own_chart

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft


@dataclass(frozen=True, eq=False)
class Group:
    """Group of linear-model states of one kind.

    words: description and unit of the rate of change of the states.
    rows: indices of the states.
    size: typical magnitude, for tolerances.
    met: magnitude at the operating point.
    """

    words: str
    rows: slice
    size: float
    met: float


def groups(craft: "Spacecraft", x: NDArray[np.float64]) -> tuple[Group, ...]:
    """Return the groups of deviations from a state, including ignorable coordinates.

    x (nx,): the state -> groups in the order of the states.
    """
    layout = craft.layout
    inertia = float(np.linalg.eigvalsh(craft.body.inertia).max())
    mass = craft.mass if craft.mass > 0.0 else inertia
    length = float(np.sqrt(inertia / mass))
    n = len(layout.coordinates)
    parts = [
        Group("attitude error (rad/s)", slice(0, 3), 1.0, 1.0),
        Group("momentum (N m)", slice(3, 6), inertia, float(np.linalg.norm(x[:3]))),
    ]
    if n:
        s, p = x[layout.internal], x[layout.internal_momentum]
        parts.append(Group("internal coordinates", slice(6, 6 + n), 1.0, float(np.linalg.norm(s)) + 1.0))
        own = craft.smallest_internal_mass
        parts.append(Group("internal momenta", slice(6 + n, 6 + 2 * n), own, float(np.linalg.norm(p))))
    if craft.translation:
        c, linear = x[layout.position], x[layout.linear_momentum]
        at = 6 + 2 * n
        parts.append(Group("position (m/s)", slice(at, at + 3), length, float(np.linalg.norm(c)) + length))
        parts.append(Group("linear momentum (N)", slice(at + 3, at + 6), mass * length, float(np.linalg.norm(linear))))
    own = own_chart.span(craft)
    if own:
        at = parts[-1].rows.stop
        size = float(np.linalg.norm(x[layout.own]))
        parts.append(Group("states of the arms", slice(at, at + own), 1.0, 1.0 + size))
    return tuple(parts)


def ignorable(craft: "Spacecraft") -> list[int]:
    """Return the indices of ignorable coordinates, on which no energy depends, among all deviations.

    An example is the angle of a wheel.
    """
    return [6 + n for n, flag in enumerate(cyclic_flags(craft.elements)) if flag]


def deviations(craft: "Spacecraft") -> tuple[tuple[str, ...], tuple[str, ...], list[int]]:
    """Return names, units and indices of the states of a linear model.

    -> names and units of the retained states; indices of these states among all deviations. Ignorable coordinates such
    as the angle of a wheel are omitted, since nothing depends on them.
    """
    layout = craft.layout
    own_names, own_units = own_chart.names_and_units(craft)
    shared = slice(7, layout.own.start)
    names = [f"attitude_error_{axis}" for axis in "xyz"] + list(layout.names[:3]) + [*layout.names[shared], *own_names]
    units = ["rad"] * 3 + list(layout.units[:3]) + [*layout.units[shared], *own_units]
    keep = [n for n in range(len(names)) if n not in ignorable(craft)]
    return tuple(names[n] for n in keep), tuple(units[n] for n in keep), keep
