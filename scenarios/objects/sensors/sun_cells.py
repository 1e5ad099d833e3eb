"""Coarse sun cells in a case."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from ....controllers.sensors import CoarseSunSensor
from ...case.schema.fields import Positive, Vector3, vectors_of
from ...case.schema.sensor import SensorTable
from .directed import STILL, direction_of
from .kind import SensorKind, common_of

__all__ = ["KIND", "SunCellsTable"]


class SunCellsTable(SensorTable):
    """Coarse sun cells: currents follow the cosine law, and three or more lit cells give the direction of the Sun."""

    kind: Literal["sun-cells"] = Field(description="which sensor")
    sun: Vector3 = Field(description="to the Sun at t = 0, inertial axes, any length but zero")
    sun_rate_deg_s: Vector3 = Field(default=STILL, description="how that turns, inertial axes, deg/s")
    normals: Annotated[tuple[tuple[float, float, float], ...], vectors_of] = Field(
        description="of the cells, body axes, three or more"
    )
    noise_percent: Positive = Field(description="of each current, of the full one, 1 sigma, %")
    half_angle_deg: Positive = Field(default=90.0, description="from its normal, up to which a cell is lit, deg")


def _make(table: SunCellsTable) -> CoarseSunSensor:
    cells = CoarseSunSensor.from_data_sheet(
        sun=direction_of("sun", table.sun, table.sun_rate_deg_s),
        normals=table.normals,
        noise_percent=table.noise_percent,
        half_angle_deg=table.half_angle_deg,
        name=table.label,
    )
    return replace(cells, **common_of(table))


KIND = SensorKind(table=SunCellsTable, make=_make)
