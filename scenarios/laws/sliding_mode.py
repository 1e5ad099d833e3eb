"""The sliding mode law of a case."""

from collections.abc import Callable

from ...controllers import SlidingMode
from ...plant import LinearModel, Spacecraft
from ..schema.controller import SlidingModeTable

__all__ = ["make_sliding_mode"]


def make_sliding_mode(table: SlidingModeTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> SlidingMode:
    """Make the sliding mode law.

    Parameters
    ----------
    table : SlidingModeTable
        The tuning.
    craft : Spacecraft
        The plant.
    model : callable
        Returns the linear model about the reference; not used.

    Returns
    -------
    SlidingMode
        The law.
    """
    return SlidingMode(
        inertia=craft.locked_inertia(craft.at_rest()),
        slope=table.slope_1_s,
        reach=table.reach_N_m,
        boundary_layer=table.boundary_layer_rad_s,
        sample=table.sample_s,
        delay=table.delay_s,
        torques=craft.torques,
    )
