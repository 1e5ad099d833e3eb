"""The regulator with an estimator of a case."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, lqg
from ...plant import LinearModel, Spacecraft
from ..schema.linear_designs import LqgTable
from .filters import saturation, with_filters

__all__ = ["make_lqg"]


def make_lqg(table: LqgTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> DynamicFeedback:
    """Design the linear-quadratic regulator with a Kalman estimator.

    Parameters
    ----------
    table : LqgTable
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
    law = lqg(
        model(),
        attitude=table.attitude_weight,
        rate=table.rate_weight,
        effort=table.effort_weight,
        torque_noise=table.torque_noise_N_m_rtHz,
        attitude_noise=table.attitude_noise_rad,
        rate_noise=table.rate_noise_rad_s,
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=saturation(table),
    )
    return with_filters(law, table)
