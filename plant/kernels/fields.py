"""Names for places in an array: said once, and used both where the array is filled and where a kernel reads it."""

from collections import namedtuple
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .kernel import kernel

__all__ = ["fields", "filled", "matrix_times", "row_times", "three", "transposed_times"]


def fields(**sizes: int) -> Any:
    """Return where each field of so many numbers begins, fields standing one after the other.

    **sizes: how many numbers each has, in their order. Its attributes are the places, `size` how many numbers there are
    in all. At module level compiled code sees constants in it.

    Examples
    --------
    >>> AT = fields(mass=1, hinge=3, friction=1)
    >>> AT.hinge, AT.friction, AT.size
    (1, 4, 5)
    """
    places = accumulate(sizes.values(), initial=0)
    names = [*sizes, "size"]
    made: Any = namedtuple("Fields", names)  # pyright: ignore[reportUntypedNamedTuple] # its names are known when called
    return made(*places)


def filled(places: Any, **values: ArrayLike) -> list[float]:
    """Return the numbers of a row, each field given by its name.

    places: what `fields` returned; **values: the numbers of every field -> in the order of the fields. Raises TypeError
    when a field is missing, not known, or not as long as it was said to be.

    Examples
    --------
    >>> filled(fields(mass=1, hinge=3), hinge=(0, 0, 1), mass=5)
    [5.0, 0.0, 0.0, 1.0]
    """
    rows = {name: np.asarray(value, dtype=np.float64).ravel().tolist() for name, value in values.items()}
    lengths = {name: after - first for name, (first, after) in zip(places._fields, pairwise(places), strict=False)}
    given = {name: len(row) for name, row in rows.items()}
    if given != lengths:
        raise TypeError(f"a row takes {lengths}; got {given}")
    return [number for name in lengths for number in rows[name]]


@kernel(inline=True, lanes=True)
def three(row: Any, n: int) -> Any:
    """Three numbers of a row, from place n on."""
    return row[n], row[n + 1], row[n + 2]


@kernel(inline=True, lanes=True)
def row_times(row: Any, n: int, a0: Any, a1: Any, a2: Any) -> Any:
    """Three numbers of a row, from place n on, times a vector: of a matrix kept row by row, n + 3 i is its row i."""
    return row[n] * a0 + row[n + 1] * a1 + row[n + 2] * a2


@kernel(inline=True, lanes=True)
def matrix_times(row: Any, n: int, a0: Any, a1: Any, a2: Any) -> Any:
    """A 3 x 3 matrix that is kept row by row from place n on, times a vector."""
    return row_times(row, n, a0, a1, a2), row_times(row, n + 3, a0, a1, a2), row_times(row, n + 6, a0, a1, a2)


@kernel(inline=True, lanes=True)
def transposed_times(row: Any, n: int, a0: Any, a1: Any, a2: Any) -> Any:
    """The transpose of such a matrix times a vector."""
    return (
        row[n] * a0 + row[n + 3] * a1 + row[n + 6] * a2,
        row[n + 1] * a0 + row[n + 4] * a1 + row[n + 7] * a2,
        row[n + 2] * a0 + row[n + 5] * a1 + row[n + 8] * a2,
    )
