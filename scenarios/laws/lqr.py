"""The linear-quadratic regulator of a case."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, LinearFeedback, lqr
from ...plant import LinearModel, Spacecraft
from ..schema.controller import LqrTable

__all__ = ["make_lqr"]


def make_lqr(table: LqrTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> DynamicFeedback | LinearFeedback:
    """Design the linear-quadratic regulator on the model about the reference.

    Parameters
    ----------
    table : LqrTable
        The tuning.
    craft : Spacecraft
        The plant.
    model : callable
        Returns the linear model about the reference.

    Returns
    -------
    LinearFeedback or DynamicFeedback
        The law.
    """
    return lqr(
        model(),
        attitude=table.attitude_weight,
        rate=table.rate_weight,
        effort=table.effort_weight,
        sample=table.sample_s,
        delay=table.delay_s,
    )
