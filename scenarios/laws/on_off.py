"""The on-off thrusters of a case."""

from collections.abc import Callable

import numpy as np

from ...controllers import OnOffThrusters
from ...plant import LinearModel, Spacecraft
from ..schema.controller import OnOffTable

__all__ = ["make_on_off"]


def make_on_off(table: OnOffTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> OnOffThrusters:
    """Make the on-off law.

    Parameters
    ----------
    table : OnOffTable
        The thrusters and their switching.
    craft : Spacecraft
        The plant.
    model : callable
        Returns the linear model about the reference; not used.

    Returns
    -------
    OnOffThrusters
        The law.
    """
    return OnOffThrusters(
        torque=table.torque_N_m,
        deadband=np.radians(table.deadband_deg),
        lead=table.lead_s,
        hysteresis=np.radians(table.hysteresis_deg),
        sample=table.sample_s,
        delay=table.delay_s,
        torques=craft.torques,
    )
