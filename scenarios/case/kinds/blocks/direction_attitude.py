"""Block of a case that converts a measured direction to an attitude."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from .....controllers import Block, blocks
from .....plant.errors import InputError
from ...schema.block import BlockTable
from ...schema.fields import Vector3, wrong
from ...schema.initial import AttitudeTable
from ..start import attitude_of
from .kind import BlockKind

__all__ = ["KIND", "DirectionAttitudeTable"]


class DirectionAttitudeTable(BlockTable, AttitudeTable):
    """Attitude equivalent to a measured direction, for a law that points a body axis along it."""

    kind: Literal["direction-attitude"] = Field(description="which block")
    axis: Vector3 = Field(description="body axis to point, any length but zero")

    def written(self, *, read: int, there: int | None) -> int:
        """Return the size of its output."""
        return 4

    @model_validator(mode="after")
    def _named(self) -> "DirectionAttitudeTable":
        if self.writes is None:
            raise wrong('give the output signal, such as writes = "sun_attitude"')
        return self


def _make(table: DirectionAttitudeTable, common: Mapping[str, Any]) -> Block:
    if len(table.reads) != 1 or common["width"] != 5:
        raise InputError(
            f"reads must be the message of one sensor of directions, of 5 numbers; got {', '.join(table.reads)} of "
            f"{common['width']}"
        )
    given = attitude_of(table.attitude, table.attitude_deg, "attitude")
    more = {key: value for key, value in common.items() if key not in ("width", "reads")}
    attitude = (1.0, 0.0, 0.0, 0.0) if given is None else given
    return blocks.direction_attitude(reads=table.reads[0], axis=table.axis, attitude=attitude, **more)


KIND = BlockKind(table=DirectionAttitudeTable, make=_make)
