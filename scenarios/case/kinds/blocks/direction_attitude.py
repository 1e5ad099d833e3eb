"""Block kind that converts a measured direction to an attitude."""

from collections.abc import Mapping
from typing import Any

from pydantic import model_validator

from .....controllers import Block, blocks
from .....plant.errors import InputError
from ...schema.block import BlockTable
from ...schema.fields import wrong
from ...schema.initial import AttitudeTable
from ..declared_keys import DeclaredKeys
from ..start import pose
from .kind import BlockKind


class DirectionTable(BlockTable, AttitudeTable):
    """Common keys of blocks that write an attitude."""

    def written(self, *, read: int, there: int | None) -> int:
        """Return the width of the block's output."""
        return 4

    @model_validator(mode="after")
    def _named(self) -> "DirectionTable":
        if self.writes is None:
            raise wrong('set the output signal, such as writes = "sun_attitude"')
        return self


KEYS = DeclaredKeys(blocks.direction_attitude)


def _make(table: Any, common: Mapping[str, Any]) -> Block:
    if len(table.reads) != 1 or common["width"] != 5:
        raise InputError(
            f"reads must be the message of one direction sensor, of 5 numbers; got {', '.join(table.reads)} of "
            f"{common['width']}"
        )
    more = {key: value for key, value in common.items() if key not in ("width", "reads")}
    attitude, _ = pose(table, "attitude")
    with KEYS.located():
        return blocks.direction_attitude(reads=table.reads[0], attitude=attitude, **KEYS.values(table), **more)


KIND = BlockKind(
    table=KEYS.table(
        "direction-attitude", DirectionTable, noun="block", module=__name__,
        doc="Attitude equivalent to a measured direction, for a law that points a body axis along it.",
    ),
    make=_make,
)  # fmt: skip
