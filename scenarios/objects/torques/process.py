"""External torque from another process, in a case."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, Field

from ....controllers import Block
from ....sim import Port
from ...case.schema.block import names_of
from ...case.schema.process import ProcessKeys
from .exerted import ExertedTable, exerted
from .kind import TorqueKind

if TYPE_CHECKING:
    from ....plant import Spacecraft

__all__ = ["KIND", "ProcessTorqueTable"]


class ProcessTorqueTable(ProcessKeys, ExertedTable):
    """Torque on body or elements from another process, in any language, over the line protocol of polhode."""

    kind: Literal["process"] = Field(description="which torque")
    reads: Annotated[tuple[str, ...], BeforeValidator(names_of)] = Field(
        default=("attitude", "rate"),
        description="what it is told at each sample, in this order: momentum, attitude, rate, applied, reference, any "
        "further state of the craft, the rate of a coordinate (wheel_angle_rate)",
    )


def _block(table: ProcessTorqueTable, craft: "Spacecraft", ports: Mapping[str, Port], name: str) -> Block:
    return exerted(table.process, table, craft, ports, name, reads=table.reads)


KIND = TorqueKind(table=ProcessTorqueTable, block=_block)
