"""Starting points of Newton's method for steady spins."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...hub.packing import mass_matrix
from .newton import Target
from .reduced import Reduced, held_wheels

Array = NDArray[np.float64]

CORRECTIONS = 30


def starts(system: Reduced, target: Target, *, axis: Array | None) -> Iterator[Array]:
    """Yield starts about every axis: at the initial coordinates, then with angles over the full circle.

    system: the spacecraft.
    target: required spin.
    axis (3,): the only direction to start from. None: the principal axes of the locked spacecraft, the major axis
        first; if wheels rotate, both senses of each, and the direction of the wheel momentum.
    -> (3 + k + n,): pi, s, p.
    """
    rates = _wheel_rates(system)
    for coordinates in _places(system):
        whole = mass_matrix(system.craft, system.parameters, coordinates)
        moments, axes = np.linalg.eigh(whole[:3, :3])
        directions = list(axes.T[::-1]) if axis is None else [axis]
        wheels = whole[:3, 3:] @ rates
        size = float(np.linalg.norm(wheels))
        if size > 0.0 and axis is None:
            directions.append(wheels / size)
            directions += [-direction for direction in directions]
        for direction in directions:
            speed = target.rate if target.rate is not None else (target.momentum or 0.0) / float(moments.max())
            yield system.start(speed * direction, coordinates, relative_rates=rates)


def count_starts(system: Reduced) -> int:
    """Return an upper bound on the number of starts about the principal axes, without computing them."""
    directions = 3 if len(system.kept) == system.n else 8  # if there are wheels: both signs, and the momentum axis
    return directions * sum(1 for _ in _places(system))


def _wheel_rates(system: Reduced) -> Array:
    """Return the relative rates at which friction and motors balance; if frictionless, the initial rates."""
    n = system.n
    wheels = np.setdiff1d(np.arange(n), system.kept)
    rates = system.craft.initial_rates.copy()
    rates[system.kept] = 0.0
    p = slice(3 + system.k, 3 + system.k + n)
    for _ in range(CORRECTIONS if len(wheels) else 0):
        z = system.start(np.array([1.0, 0.0, 0.0]), system.craft.initial_coordinates, relative_rates=rates)
        derivatives = system.slopes(z)
        damped = np.setdiff1d(wheels, held_wheels(system, derivatives))
        if not derivatives.rates[p][damped].any():
            break
        friction = np.linalg.solve(derivatives.b[3:, p].T, derivatives.a[p, p].T).T  # dp'/dsdot
        rates[damped] -= np.linalg.solve(friction[damped][:, damped], derivatives.rates[p][damped])
    return rates


def _places(system: Reduced) -> Iterator[Array]:
    """Yield starting coordinates: 8 positions for one angle, 4 x 4 for two; for more, one angle at a time."""
    here = system.craft.initial_coordinates
    units = system.craft.layout.coordinate_units
    angles = [int(n) for n in system.kept if units[n] == "rad"]
    count = len(angles)
    turns = 2.0 * np.pi * np.arange(8 if count == 1 else 4) / (8 if count == 1 else 4)
    moves = [(0.0,) * count]
    if count in {1, 2}:
        moves = list(product(turns, repeat=count))
    elif count:
        moves += [tuple(turn if n == m else 0.0 for n in range(count)) for m in range(count) for turn in turns[1:]]
    for move in moves:
        moved = here.copy()
        moved[angles] += np.array(move)
        yield moved
