"""A magnetometer in a case."""

from dataclasses import replace
from typing import Literal

from pydantic import Field

from ....controllers.sensors import Magnetometer
from ...case.schema.fields import NonNegative, Positive, Quaternion, Vector3
from ...case.schema.sensor import SensorTable
from .directed import STILL, direction_of
from .kind import SensorKind, common_of

__all__ = ["KIND", "MagnetometerTable"]


class MagnetometerTable(SensorTable):
    """Magnetometer in a known field, with noise, bias, quantisation and range."""

    kind: Literal["magnetometer"] = Field(description="which sensor")
    field_nT: Vector3 = Field(description="the field at t = 0, inertial axes, nT")
    field_rate_deg_s: Vector3 = Field(default=STILL, description="how it turns, inertial axes, deg/s")
    noise_nT: Positive = Field(description="of each axis, 1 sigma, nT")
    bias_nT: NonNegative = Field(default=0.0, description="of each axis, drawn once, 1 sigma, nT")
    step_nT: NonNegative = Field(default=0.0, description="of its words, nT")
    limit_uT: Positive | None = Field(default=None, description="measurement range, uT")
    mounting: Quaternion = Field(default=(1.0, 0.0, 0.0, 0.0), description="Euler parameters of its axes in the body")


def _make(table: MagnetometerTable) -> Magnetometer:
    sensor = Magnetometer.from_data_sheet(
        field=direction_of("field_nT", table.field_nT, table.field_rate_deg_s, unit=1e-9),
        noise_nT=table.noise_nT,
        bias_nT=table.bias_nT,
        step_nT=table.step_nT,
        limit_uT=table.limit_uT,
        mounting=table.mounting,
        name=table.label,
    )
    return replace(sensor, **common_of(table))


KIND = SensorKind(table=MagnetometerTable, make=_make)
