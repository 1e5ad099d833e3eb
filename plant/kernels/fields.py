"""Names for indices of an array: declared once, and used both to fill the array and to read it in a kernel."""

from collections import namedtuple
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .kernel import kernel

__all__ = ["fields", "filled", "matrix_times", "row_times", "three", "transposed_times"]


def fields(**sizes: int) -> Any:
    """Return the start of each field in a row of consecutive fields.

    **sizes: number of entries of each field, in the order of the row -> object whose attributes are the starts; `size`
    is the total number of entries. Compiled code treats the attributes of module-level objects as constants.

    Examples
    --------
    >>> AT = fields(mass=1, hinge=3, friction=1)
    >>> AT.hinge, AT.friction, AT.size
    (1, 4, 5)
    """
    places = accumulate(sizes.values(), initial=0)
    names = [*sizes, "size"]
    made: Any = namedtuple("Fields", names)  # pyright: ignore[reportUntypedNamedTuple] # names known at run time
    return made(*places)


def filled(places: Any, **values: ArrayLike) -> list[float]:
    """Return a row from the values of its fields, given by name.

    places: result of `fields`; **values: entries of every field -> row in the order of the fields. Raises TypeError if
    a field is missing or unknown, or its length differs from the declared length.

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
    """Return three entries of a row, starting at index n."""
    return row[n], row[n + 1], row[n + 2]


@kernel(inline=True, lanes=True)
def row_times(row: Any, n: int, a0: Any, a1: Any, a2: Any) -> Any:
    """Return the scalar product of a vector with three entries of a row, starting at index n."""
    return row[n] * a0 + row[n + 1] * a1 + row[n + 2] * a2


@kernel(inline=True, lanes=True)
def matrix_times(row: Any, n: int, a0: Any, a1: Any, a2: Any) -> Any:
    """Return the product of a 3 x 3 matrix and a vector; the rows of the matrix begin at index n."""
    return row_times(row, n, a0, a1, a2), row_times(row, n + 3, a0, a1, a2), row_times(row, n + 6, a0, a1, a2)


@kernel(inline=True, lanes=True)
def transposed_times(row: Any, n: int, a0: Any, a1: Any, a2: Any) -> Any:
    """Return the product of the transpose of a 3 x 3 matrix, stored row by row, with a vector."""
    return (
        row[n] * a0 + row[n + 3] * a1 + row[n + 6] * a2,
        row[n + 1] * a0 + row[n + 4] * a1 + row[n + 7] * a2,
        row[n + 2] * a0 + row[n + 5] * a1 + row[n + 8] * a2,
    )
