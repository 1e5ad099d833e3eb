"""Metrics of the modes of the control system."""

from typing import TYPE_CHECKING

from .kind import DoesNotApplyError, MetricSettings, metric

if TYPE_CHECKING:
    from ....sim import Run


@metric("largest number of mode switches within a minute")
def mode_switches_per_minute(run: "Run", _: MetricSettings) -> float:
    from ....sim.results.mode_switching import switches_per_minute

    found = switches_per_minute(run)
    if found is None:
        raise DoesNotApplyError("the case has no [[modes]]")
    return float(found)
