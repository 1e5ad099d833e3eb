"""The PD or PID feedback of a case."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, pid
from ...plant import LinearModel, Spacecraft
from ..schema.linear_designs import PidTable
from .filters import saturation, with_filters

__all__ = ["make_pid"]


def make_pid(table: PidTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> DynamicFeedback:
    """Design PD or PID feedback per axis.

    Parameters
    ----------
    table : PidTable
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
    law = pid(
        model(),
        frequency=table.frequency_rad_s,
        damping_ratio=table.damping_ratio,
        integral_time=table.integral_time_s,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=saturation(table),
    )
    return with_filters(law, table)
