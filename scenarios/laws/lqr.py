"""The linear-quadratic regulator of a case."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, LinearFeedback, lqr
from ...plant import LinearModel, Spacecraft
from ..schema.linear_designs import LqrTable
from .filters import saturation, with_filters

__all__ = ["make_lqr"]


def make_lqr(table: LqrTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback | DynamicFeedback:
    """Design the linear-quadratic regulator on the model about the reference.

    Parameters
    ----------
    table : LqrTable
        The tuning.
    craft : Spacecraft
        The plant; not used.
    model : callable
        Returns the linear model about the reference.

    Returns
    -------
    LinearFeedback or DynamicFeedback
        The law.
    """
    law = lqr(
        model(),
        attitude=table.attitude_weight,
        rate=table.rate_weight,
        effort=table.effort_weight,
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=saturation(table),
    )
    return with_filters(law, table)
