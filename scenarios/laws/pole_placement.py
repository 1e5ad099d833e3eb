"""The state feedback by pole placement of a case."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, pole_placement
from ...plant import LinearModel, Spacecraft
from ..schema.linear_designs import PolePlacementTable
from .filters import saturation, with_filters

__all__ = ["make_pole_placement"]


def make_pole_placement(
    table: PolePlacementTable, craft: Spacecraft, model: Callable[[], LinearModel]
) -> DynamicFeedback:
    """Design state feedback for the given poles.

    Parameters
    ----------
    table : PolePlacementTable
        The tuning.
    craft : Spacecraft
        The plant; not used.
    model : callable
        Returns the linear model about the reference.

    Returns
    -------
    DynamicFeedback
        The law.
    """
    law = pole_placement(
        model(),
        poles=[complex(*pair) for pair in table.poles_1_s],
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=saturation(table),
    )
    return with_filters(law, table)
