"""A star tracker in a case."""

from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block
from ....controllers.sensors import StarTracker
from ...case.schema.fields import NonNegative, Positive, Quaternion
from ...case.schema.sensor import SensorTable
from .kind import SensorKind, common_of

__all__ = ["KIND", "StarTrackerTable"]


class StarTrackerTable(SensorTable):
    """A star tracker: noise across and about its boresight, errors of its field of view, delay, a rate limit."""

    kind: Literal["star-tracker"] = Field(description="which sensor")
    noise_arcsec: Positive = Field(description="temporal noise across the boresight, 1 sigma, arcsec")
    roll_noise_arcsec: Positive = Field(description="the same about the boresight, 5 to 20 times as much, arcsec")
    field_noise_arcsec: NonNegative = Field(
        default=0.0, description="error of the field of view across, 1 sigma, arcsec"
    )
    field_roll_noise_arcsec: NonNegative = Field(default=0.0, description="the same about the boresight, arcsec")
    field_time_s: Positive | None = Field(default=None, description="how long that stays, s: field of view over rate")
    rate_limit_deg_s: Positive | None = Field(default=None, description="largest rate at which it sees stars, deg/s")
    mounting: Quaternion = Field(
        default=(1.0, 0.0, 0.0, 0.0), description="Euler parameters of its axes in the body, z the boresight"
    )


def _make(table: StarTrackerTable) -> StarTracker:
    tracker = StarTracker.from_data_sheet(
        across_arcsec=table.noise_arcsec,
        roll_arcsec=table.roll_noise_arcsec,
        field_across_arcsec=table.field_noise_arcsec,
        field_roll_arcsec=table.field_roll_noise_arcsec,
        field_time_s=table.field_time_s,
        rate_limit_deg_s=table.rate_limit_deg_s,
        mounting=table.mounting,
        name=table.label,
    )
    return replace(tracker, delay=table.delay_s, **common_of(table))


def _block(sensor: Any, times: dict[str, float], *, shadows: bool) -> Block:
    return sensor.block(sample=times["sample"], offset=times["offset"], shadows=shadows)  # it has its delay itself


KIND = SensorKind(table=StarTrackerTable, make=_make, block=_block, shadows="attitude")
