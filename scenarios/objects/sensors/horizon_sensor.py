"""A horizon sensor in a case."""

from dataclasses import replace
from typing import Literal

from pydantic import Field

from ....controllers.sensors import HorizonSensor
from ...case.schema.fields import NonNegative, Positive, Quaternion, Vector3
from ...case.schema.sensor import SensorTable
from .directed import STILL, direction_of
from .kind import SensorKind, common_of

__all__ = ["KIND", "HorizonSensorTable"]


class HorizonSensorTable(SensorTable):
    """Horizon sensor: direction to the centre of the Earth, with its field of view about its z axis."""

    kind: Literal["horizon-sensor"] = Field(description="which sensor")
    nadir: Vector3 = Field(description="to the centre of the Earth at t = 0, inertial axes, any length but zero")
    nadir_rate_deg_s: Vector3 = Field(
        default=STILL, description="how that turns, inertial axes, deg/s: once an orbit about its normal"
    )
    noise_deg: Positive = Field(description="about each axis, 1 sigma, deg")
    half_angle_deg: Positive = Field(description="from its axis to nadir, up to which it sees the Earth, deg")
    radiance_deg: NonNegative = Field(
        default=0.0, description="error by the radiance of the atmosphere, which stays a while, 1 sigma, deg"
    )
    radiance_time_s: Positive | None = Field(default=None, description="correlation time of that error, s")
    mounting: Quaternion = Field(default=(1.0, 0.0, 0.0, 0.0), description="Euler parameters of its axes in the body")


def _make(table: HorizonSensorTable) -> HorizonSensor:
    sensor = HorizonSensor.from_data_sheet(
        nadir=direction_of("nadir", table.nadir, table.nadir_rate_deg_s),
        noise_deg=table.noise_deg,
        half_angle_deg=table.half_angle_deg,
        radiance_deg=table.radiance_deg,
        radiance_time_s=table.radiance_time_s,
        mounting=table.mounting,
        name=table.label,
    )
    return replace(sensor, **common_of(table))


KIND = SensorKind(table=HorizonSensorTable, make=_make)
