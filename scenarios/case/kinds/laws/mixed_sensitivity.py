"""Law kind for a mixed-sensitivity design."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from .....controllers import LinearFeedback, mixed_sensitivity
from .....plant import LinearModel, Spacecraft
from ...schema.fields import AboveOne, Positive
from .kind import LawKind
from .linear_table import LinearTable


class MixedSensitivityTable(LinearTable):
    """H-infinity or H2 output feedback from the attitude alone; needs slycot."""

    kind: Literal["mixed-sensitivity"] = Field(description="which law")
    bandwidth_rad_s: Positive = Field(description="bandwidth, rad/s")
    norm: Literal["hinf", "h2"] = Field(default="hinf", description="norm to be minimised")
    peak: AboveOne = Field(default=2.0, description="largest admissible sensitivity")
    stiffness: Positive = Field(default=100.0, description="inverse of the smallest sensitivity, at low frequency")
    effort: Positive = Field(default=30.0, description="largest effort, in bandwidths squared")
    roll_off: Positive = Field(default=10.0, description="frequency above which the loop rolls off, in bandwidths")
    internal: Literal["estimated", "locked"] = Field(
        default="estimated", description="whether states of elements are in the plant, or the elements are locked"
    )


def _make(table: MixedSensitivityTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design output feedback by mixed sensitivity."""
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
        saturation=table.saturation,
    )
    return table.with_filters(law)


KIND = LawKind(table=MixedSensitivityTable, make=_make)
