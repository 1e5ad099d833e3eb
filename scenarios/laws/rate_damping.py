"""The rate damping of a case."""

from collections.abc import Callable

from ...controllers import RateDamping
from ...plant import LinearModel, Spacecraft
from ..schema.controller import RateDampingTable

__all__ = ["make_rate_damping"]


def make_rate_damping(table: RateDampingTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> RateDamping:
    """Make the rate damping law.

    Parameters
    ----------
    table : RateDampingTable
        The tuning.
    craft : Spacecraft
        The plant.
    model : callable
        Returns the linear model about the reference; not used.

    Returns
    -------
    RateDamping
        The law.
    """
    return RateDamping(
        gain=table.gain_N_m_s,
        sample=table.sample_s,
        delay=table.delay_s,
        field=table.field,
        field_rate=table.field_rate_rad_s,
        torques=craft.torques,
    )
