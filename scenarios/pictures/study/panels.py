"""Shared parts of campaign figures: a page of panels, and the test for requirement violations."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...case.schema import RequireTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


def page_of(count: int, title: str, *, width: float = 4.8) -> "tuple[Figure, list[Any]]":
    """Return a figure with two panels per row, and the panels."""
    from ....sim.results.page import new_page

    columns = min(count, 2)
    rows = -(-count // columns)
    figure = new_page((width * columns, 3.4 * rows + 0.6), dpi=110)
    places: Any = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for spare in places[count:]:
        spare.set_visible(False)
    figure.suptitle(title)
    return figure, places


def outside(column: Array, bounds: RequireTable | None) -> NDArray[np.bool_]:
    """Return which values violate a requirement; missing values count as violations."""
    low, high = (-np.inf, np.inf) if bounds is None else bounds.bounds
    return ~((column >= low) & (column <= high))
