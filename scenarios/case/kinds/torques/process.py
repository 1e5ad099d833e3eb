"""Torque kind for an external process."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, Field

from .....controllers import Block, Signal
from ...schema.block import names_of
from ...schema.process import ProcessKeys
from .external_torques import ExternalTorqueTable, external_torque
from .kind import TorqueKind

if TYPE_CHECKING:
    from .....plant import Spacecraft


class ProcessTorqueTable(ProcessKeys, ExternalTorqueTable):
    """Torque on body or elements from an external process, in any language, over the line protocol of polhode."""

    kind: Literal["process"] = Field(description="which torque")
    reads: Annotated[tuple[str, ...], BeforeValidator(names_of)] = Field(
        default=("attitude", "rate"),
        description="inputs at each sample, in this order: momentum, attitude, rate, applied, reference, any "
        "further state of the spacecraft, the rate of a coordinate (wheel_angle_rate)",
    )


def _block(table: ProcessTorqueTable, craft: "Spacecraft", signals: Mapping[str, Signal], name: str) -> Block:
    return external_torque(table.process, table, craft, signals, name, reads=table.reads)


KIND = TorqueKind(table=ProcessTorqueTable, block=_block)
