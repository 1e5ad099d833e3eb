"""The mixed-sensitivity law of a case."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, mixed_sensitivity
from ...plant import LinearModel, Spacecraft
from ..schema.linear_designs import MixedSensitivityTable
from .filters import saturation, with_filters

__all__ = ["make_mixed_sensitivity"]


def make_mixed_sensitivity(
    table: MixedSensitivityTable, craft: Spacecraft, model: Callable[[], LinearModel]
) -> DynamicFeedback:
    """Design output feedback by mixed sensitivity.

    Parameters
    ----------
    table : MixedSensitivityTable
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
    law = mixed_sensitivity(
        model(),
        bandwidth=table.bandwidth_rad_s,
        norm=table.norm,
        peak=table.peak,
        stiffness=table.stiffness,
        effort=table.effort,
        roll_off=table.roll_off,
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=saturation(table),
    )
    return with_filters(law, table)
