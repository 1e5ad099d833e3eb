"""Tachometers of wheels in a case."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ....controllers.sensors import Tachometer
from ...case.schema.fields import PositiveInteger, entries_of
from ...case.schema.sensor import SensorTable
from .kind import SensorKind, common_of

__all__ = ["KIND", "TachometerTable"]


def _several(value: object) -> Any:
    return (value,) if entries_of(value) is None else value


class TachometerTable(SensorTable):
    """Wheel tachometers: whole counts per sampling interval."""

    kind: Literal["tachometer"] = Field(description="which sensor")
    wheels: Annotated[tuple[str, ...], BeforeValidator(_several)] = Field(
        description="angles of the wheels by name, as `polhode linearize` lists them: wheel_angle"
    )
    counts_per_revolution: PositiveInteger = Field(description="marks that pass in a turn")


def _make(table: TachometerTable) -> Tachometer:
    return Tachometer(wheels=table.wheels, counts=table.counts_per_revolution, **common_of(table))


KIND = SensorKind(table=TachometerTable, make=_make)
