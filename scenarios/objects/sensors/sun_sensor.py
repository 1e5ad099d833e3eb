"""A fine sun sensor in a case."""

from dataclasses import replace
from typing import Literal

from pydantic import Field

from ....controllers.sensors import FineSunSensor
from ...case.schema.fields import NonNegative, Positive, Quaternion, Vector3
from ...case.schema.sensor import SensorTable
from .directed import STILL, direction_of
from .kind import SensorKind, common_of

__all__ = ["KIND", "SunSensorTable"]


class SunSensorTable(SensorTable):
    """Two-axis fine sun sensor with its field of view about its z axis."""

    kind: Literal["sun-sensor"] = Field(description="which sensor")
    sun: Vector3 = Field(description="to the Sun at t = 0, inertial axes, any length but zero")
    sun_rate_deg_s: Vector3 = Field(default=STILL, description="how that turns, inertial axes, deg/s")
    noise_deg: Positive = Field(description="about each axis, 1 sigma, deg")
    bias_deg: NonNegative = Field(default=0.0, description="of each axis, drawn once, 1 sigma, deg")
    half_angle_deg: Positive = Field(description="half of its field of view, deg")
    mounting: Quaternion = Field(default=(1.0, 0.0, 0.0, 0.0), description="Euler parameters of its axes in the body")


def _make(table: SunSensorTable) -> FineSunSensor:
    sensor = FineSunSensor.from_data_sheet(
        sun=direction_of("sun", table.sun, table.sun_rate_deg_s),
        noise_deg=table.noise_deg,
        bias_deg=table.bias_deg,
        half_angle_deg=table.half_angle_deg,
        mounting=table.mounting,
        name=table.label,
    )
    return replace(sensor, **common_of(table))


KIND = SensorKind(table=SunSensorTable, make=_make)
