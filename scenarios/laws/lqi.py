"""The regulator with integral action of a case."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, lqi
from ...plant import LinearModel, Spacecraft
from ..schema.linear_designs import LqiTable
from .filters import saturation, with_filters

__all__ = ["make_lqi"]


def make_lqi(table: LqiTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> DynamicFeedback:
    """Design the linear-quadratic regulator with integral action.

    Parameters
    ----------
    table : LqiTable
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
    law = lqi(
        model(),
        attitude=table.attitude_weight,
        rate=table.rate_weight,
        effort=table.effort_weight,
        integral=table.integral_weight,
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=saturation(table),
    )
    return with_filters(law, table)
