"""A star tracker in a case."""

from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block
from ....controllers.sensors import ExclusionZone, StarTracker
from ...case.located import located
from ...case.schema.fields import NonNegative, Positive, Quaternion, Table, Vector3
from ...case.schema.sensor import SensorTable
from .directed import DEG, STILL, direction_of
from .kind import SensorKind, common_of

__all__ = ["KIND", "StarTrackerTable"]


class ExclusionTable(Table):
    """Exclusion zone of a star tracker about a direction such as that of the Sun or the Earth."""

    direction: Vector3 = Field(description="at t = 0, inertial axes, any length but zero")
    rate_deg_s: Vector3 = Field(default=STILL, description="how it turns, inertial axes, deg/s")
    angle_deg: Positive = Field(
        description="smallest angle from the boresight, deg; for the Earth including its angular radius"
    )


class StarTrackerTable(SensorTable):
    """Star tracker: noise across and about the boresight, field-of-view errors, delay, rate limit, exclusion zones."""

    kind: Literal["star-tracker"] = Field(description="which sensor")
    noise_arcsec: Positive = Field(description="temporal noise across the boresight, 1 sigma, arcsec")
    roll_noise_arcsec: Positive = Field(description="the same about the boresight, 5 to 20 times as much, arcsec")
    field_noise_arcsec: NonNegative = Field(
        default=0.0, description="error of the field of view across, 1 sigma, arcsec"
    )
    field_roll_noise_arcsec: NonNegative = Field(default=0.0, description="the same about the boresight, arcsec")
    field_time_s: Positive | None = Field(
        default=None, description="correlation time of the field-of-view error, s: field of view over rate"
    )
    rate_limit_deg_s: Positive | None = Field(default=None, description="largest rate at which it sees stars, deg/s")
    exclusions: tuple[ExclusionTable, ...] = Field(default=(), description="what blinds it")
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
    zones: list[ExclusionZone] = []
    for index, each in enumerate(table.exclusions):
        with located(f"exclusions.{index}"):
            direction = direction_of("direction", each.direction, each.rate_deg_s)
            zones.append(ExclusionZone(direction, DEG * each.angle_deg))
    return replace(tracker, delay=table.delay_s, exclusions=zones, **common_of(table))


def _block(sensor: Any, times: dict[str, float], *, shadows: bool) -> Block:
    return sensor.block(sample=times["sample"], offset=times["offset"], shadows=shadows)  # it has its delay itself


KIND = SensorKind(table=StarTrackerTable, make=_make, block=_block, shadows="attitude")
