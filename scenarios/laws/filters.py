"""What the tables of all linear laws share: filters in series, and how a command beyond the limits is reduced."""

from typing import TypeVar

from ...controllers import DynamicFeedback, LinearFeedback, filtered, notch, roll_off
from ..schema.linear_designs import LinearTable, NotchTable

__all__ = ["saturation", "with_filters"]

L = TypeVar("L", LinearFeedback, DynamicFeedback, LinearFeedback | DynamicFeedback)


def saturation(table: LinearTable) -> str:
    """Return how the law takes the torque limits.

    Parameters
    ----------
    table : LinearTable
        The law's table.

    Returns
    -------
    str
        "direction" or "component".
    """
    return "direction" if table.keep_direction else "component"


def with_filters(law: L, table: LinearTable) -> L | DynamicFeedback:
    """Return the law with the filters of its table in series.

    Parameters
    ----------
    law : LinearFeedback or DynamicFeedback
        The law.
    table : LinearTable
        Its table.

    Returns
    -------
    LinearFeedback or DynamicFeedback
        The same law when there are none.
    """
    chain = [
        notch(each.frequency_rad_s, width=each.width, depth=each.depth)
        if isinstance(each, NotchTable)
        else roll_off(each.frequency_rad_s, order=each.order)
        for each in table.filters
    ]
    return filtered(law, *chain) if chain else law
