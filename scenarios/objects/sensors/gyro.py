"""A rate gyro in a case."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from ....controllers.sensors import RateGyro
from ...case.schema.fields import NonNegative, Positive, Quaternion, vectors_of
from ...case.schema.sensor import SensorTable
from .kind import SensorKind, common_of

__all__ = ["KIND", "GyroTable"]


class GyroTable(SensorTable):
    """Three-axis rate gyro: angle and rate random walk, bias instability, scale factor, misalignment, counts, range."""

    kind: Literal["gyro"] = Field(description="which sensor")
    angle_random_walk_deg_sqrt_h: NonNegative = Field(description="N, deg/sqrt(h)")
    rate_random_walk_deg_h_sqrt_h: NonNegative = Field(default=0.0, description="K, deg/h/sqrt(h)")
    bias_deg_h: NonNegative = Field(default=0.0, description="1 sigma of the bias at switch-on, deg/h")
    bias_instability_deg_h: NonNegative = Field(
        default=0.0, description="B, deg/h: the flat part of the Allan deviation is 0.664 B"
    )
    correlation_time_s: Positive | None = Field(default=None, description="of the bias that stands for it, s")
    errors: Annotated[tuple[tuple[float, float, float], ...], vectors_of] = Field(
        default=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        description="scale errors on the diagonal, misalignments off it: 100 ppm is 1e-4",
    )
    step_arcsec: NonNegative = Field(default=0.0, description="angle of one count, arcsec; 0: none")
    rate_step_deg_h: NonNegative = Field(default=0.0, description="step of the rate word, deg/h; 0: none")
    limit_deg_s: Positive | None = Field(default=None, description="largest rate, deg/s")
    mounting: Quaternion = Field(default=(1.0, 0.0, 0.0, 0.0), description="Euler parameters of its axes in the body")


def _make(table: GyroTable) -> RateGyro:
    gyro = RateGyro.from_data_sheet(
        angle_random_walk_deg_sqrt_h=table.angle_random_walk_deg_sqrt_h,
        rate_random_walk_deg_h_sqrt_h=table.rate_random_walk_deg_h_sqrt_h,
        bias_deg_h=table.bias_deg_h,
        bias_instability_deg_h=table.bias_instability_deg_h,
        correlation_time_s=table.correlation_time_s,
        errors=table.errors,
        step_arcsec=table.step_arcsec,
        rate_step_deg_h=table.rate_step_deg_h,
        limit_deg_s=table.limit_deg_s,
        name=table.label,
    )
    return replace(gyro, mounting=table.mounting, **common_of(table))


KIND = SensorKind(table=GyroTable, make=_make, shadows="rate", gyro=True)
