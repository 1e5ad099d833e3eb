"""Affine fit of a matrix that depends on parameters in a box, with the nonlinear remainder.

    Y = Y_0 + sum_i delta_i L_i R_i + L Delta R,   |delta_i| <= 1 real,  |Delta| <= 1.

Each delta_i is a nonlinear rescaling of one parameter, chosen so that Y is affine in delta_i along that axis. A sum of
functions that each depend on one parameter therefore has no remainder. The remainder is measured at the corners of the
box, along every axis and at interior points, and Delta covers COVER times the measured value. A bound derived from the
fit relies on this measurement: it proves nothing about the matrix between the points. The remainder decreases with the
square of the box width.

Optionally, the principal directions of the remainder are additional terms epsilon_j B_j with |epsilon_j| <= 1, which
represent its structure; Delta then covers only the remainder.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .multipliers import UncertainBlock

Array = NDArray[np.float64]

LEVELS = (-1.0, -0.5, 0.0, 0.5, 1.0)
MOST_CORNERS = 6  # largest number of parameters for which every corner is evaluated
INSIDE = 16  # number of additional interior points
COVER = 1.25  # safety factor on the measured remainder
NOTHING = 1e-12  # relative to the largest entry: smaller entries are rounding
RANK = 1e-9
MINOR = 1e-3  # fraction of the remainder below which a principal direction is not modelled separately
BENT = 8.0  # weight of the nonlinear part relative to the slope when the parameter to bisect is chosen


class Box(NamedTuple):
    """Intervals of the parameters, from low to high, between -1 and 1."""

    low: tuple[float, ...]
    high: tuple[float, ...]

    def at(self, place: Sequence[float]) -> tuple[float, ...]:
        """Return the parameters at a point in box coordinates from -1 to 1; the ends are exact."""
        parts = zip(self.low, self.high, place, strict=True)
        return tuple(high if x == 1.0 else low + 0.5 * (1.0 + x) * (high - low) for low, high, x in parts)

    def halves(self, number: int) -> "tuple[Box, Box]":
        """Return the two boxes obtained by bisecting one parameter; number: index of the parameter."""
        middle = 0.5 * (self.low[number] + self.high[number])
        low, high = list(self.low), list(self.high)
        low[number] = high[number] = middle
        return Box(self.low, tuple(high)), Box(tuple(low), self.high)


class AffineFit(NamedTuple):
    """Parts of the fit: middle Y_0; left (n, r) and right (r, m) factors; blocks of delta and Delta.

    rest: remainder relative to the largest L_i R_i; influence (k,): change of Y due to each parameter; numbers: index
    of the parameter of each real block, -1 for a direction of the remainder.
    """

    middle: Array
    left: Array
    right: Array
    blocks: tuple[UncertainBlock, ...]
    rest: float
    influence: Array
    numbers: tuple[int, ...]


def affine_fit(matrix: Callable[[tuple[float, ...]], Array], box: Box, *, directions: int = 0) -> AffineFit:
    """Return the affine fit of a matrix over a box.

    matrix: maps parameters to Y (n, m), evenly scaled; directions: largest number of directions of the remainder to
    model as real numbers.
    """
    numbers = len(box.low)
    centre = matrix(box.at((0.0,) * numbers))
    places, values = [(0.0,) * numbers], [centre]
    straight = np.empty((numbers, *centre.shape))
    measure = np.empty((numbers, len(LEVELS)))
    bent = np.empty(numbers)
    for n in range(numbers):
        spots = [tuple(level if k == n else 0.0 for k in range(numbers)) for level in LEVELS]
        along = np.empty((len(LEVELS), *centre.shape))
        for k, spot in enumerate(spots):
            along[k] = matrix(box.at(spot))
        change, middle = 0.5 * (along[-1] - along[0]), 0.5 * (along[-1] + along[0])
        size = float((change * change).sum())
        parts = (along - middle).reshape(len(LEVELS), -1) @ change.ravel()
        measure[n] = np.clip(parts / size, -1.0, 1.0) if size > 0.0 else LEVELS
        measure[n, [0, -1]] = -1.0, 1.0
        straight[n] = change
        bent[n] = float(np.linalg.norm(along - middle - measure[n][:, None, None] * change, axis=(1, 2)).max())
        places += spots
        values += list(along)
    more = _points(numbers)
    places, values = [*places, *more], [*values, *(matrix(box.at(place)) for place in more)]
    at = np.array([[measure[n, LEVELS.index(x)] for n, x in enumerate(place)] for place in places])
    nothing = NOTHING * float(np.abs(values).max())
    left, right, blocks, moved = list[Array](), list[Array](), list[UncertainBlock](), list[int]()
    for n, change in enumerate(straight):
        U, sizes, V = np.linalg.svd(change, full_matrices=False)
        rank = int((sizes > max(RANK * sizes[0], nothing)).sum())
        straight[n] = (U[:, :rank] * sizes[:rank]) @ V[:rank]  # the truncated part counts as remainder
        if rank:
            root = np.sqrt(sizes[:rank])
            left.append(U[:, :rank] * root)
            right.append(root[:, None] * V[:rank])
            blocks.append(UncertainBlock("real", rank, rank))
            moved.append(n)
    off = np.array(values) - np.tensordot(at, straight, 1)
    middle = 0.5 * (off.max(axis=0) + off.min(axis=0))
    off -= middle
    rest = float(np.linalg.norm(off, axis=(1, 2)).max(initial=0.0))
    if rest <= nothing:
        rest = 0.0
        off[:] = 0.0
    for direction in _directions(off, nothing)[:directions]:
        along = np.tensordot(off, direction, 2)
        high, low = float(along.max()), float(along.min())
        columns, sizes, rows = np.linalg.svd(direction, full_matrices=False)
        rank = int((sizes > RANK * sizes[0]).sum())
        root = np.sqrt(0.5 * COVER * (high - low) * sizes[:rank])
        left.append(columns[:, :rank] * root)
        right.append(root[:, None] * rows[:rank])
        blocks.append(UncertainBlock("real", rank, rank))
        moved.append(-1)
        middle += 0.5 * (high + low) * direction
        off -= along[:, None, None] * direction
    if float(np.linalg.norm(off, axis=(1, 2)).max(initial=0.0)) > nothing:
        L, R = _cover(off)
        left.append(L)
        right.append(R)
        blocks.append(UncertainBlock("full", len(R), L.shape[1]))
    sizes = np.linalg.norm(straight, axis=(1, 2))
    return AffineFit(
        middle=middle,
        left=np.hstack([*left, np.zeros((len(centre), 0))]),
        right=np.vstack([*right, np.zeros((0, centre.shape[1]))]),
        blocks=tuple(blocks),
        rest=rest / max(float(sizes.max()), nothing),
        influence=sizes + BENT * bent,
        numbers=tuple(moved),
    )


def _directions(off: Array, nothing: float) -> list[Array]:
    """Return orthonormal matrices that span the remainders, the most important first, omitting minor ones."""
    _, sizes, V = np.linalg.svd(off.reshape(len(off), -1), full_matrices=False)
    count = int((sizes > max(MINOR * sizes[0], nothing)).sum())
    return [each.reshape(off.shape[1:]) for each in V[:count]]


def _points(numbers: int) -> list[tuple[float, ...]]:
    """Return corners and interior points of the box, in levels of each parameter."""
    if numbers == 1:
        return []
    rng = np.random.default_rng(numbers)
    few = numbers <= MOST_CORNERS
    corners = product((-1.0, 1.0), repeat=numbers) if few else rng.choice((-1.0, 1.0), size=(2**MOST_CORNERS, numbers))
    inside = rng.choice(LEVELS, size=(INSIDE, numbers))
    return [tuple(float(x) for x in row) for row in (*corners, *inside)]


def _cover(off: Array) -> tuple[Array, Array]:
    """Return L and R such that COVER times each given matrix equals L Delta R with |Delta| <= 1."""
    every, rows, _ = np.linalg.svd(np.hstack(list(off)), full_matrices=False)
    _, columns, across = np.linalg.svd(np.vstack(list(off)), full_matrices=False)
    U, V = every[:, rows > RANK * rows[0]], across[columns > RANK * columns[0]]
    inner = U.T @ off @ V.T
    high, wide = np.sqrt(np.abs(inner).max(axis=(0, 2))), np.sqrt(np.abs(inner).max(axis=(0, 1)))
    size = np.sqrt(COVER * float(np.linalg.norm(inner / high[:, None] / wide, ord=2, axis=(1, 2)).max()))
    return U * high * size, (size * wide)[:, None] * V
