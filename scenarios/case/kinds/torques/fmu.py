"""Torque kind for an external FMU."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from .....controllers import Block, Signal
from ...schema.fields import wrong
from ...schema.fmu import FMUKeys
from .external_torques import FORCE, TORQUE, ExternalTorqueTable, external_torque
from .kind import TorqueKind

if TYPE_CHECKING:
    from .....plant import Spacecraft


class FMUTorqueTable(FMUKeys, ExternalTorqueTable):
    """Torque on body or elements from a functional mock-up unit (FMI 2 or 3, co-simulation) in its own process."""

    kind: Literal["fmu"] = Field(description="which torque")

    @model_validator(mode="after")
    def _one(self) -> "FMUTorqueTable":
        if self.coordinates and list(self.outputs) not in ([TORQUE], [FORCE]):
            raise wrong(
                f'outputs: must be {{ {TORQUE} = ["variable"] }} on angles, {{ {FORCE} = ["variable"] }} on '
                "displacements, "
                f"a variable for each of {', '.join(self.coordinates)}; got {', '.join(self.outputs)}"
            )
        if not self.coordinates and list(self.outputs) != [TORQUE]:
            raise wrong(f'outputs: must be {{ {TORQUE} = ["x", "y", "z"] }}, body axes; got {", ".join(self.outputs)}')
        return self


def _block(table: FMUTorqueTable, craft: "Spacecraft", signals: Mapping[str, Signal], name: str) -> Block:
    reads, writes = tuple(table.inputs) or ("rate",), next(iter(table.outputs))
    return external_torque(table.fmu, table, craft, signals, name, reads=reads, writes=writes)


KIND = TorqueKind(table=FMUTorqueTable, block=_block)
