"""A torque from outside that a unit of somebody else's exerts, in a case."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, model_validator

from ....controllers import Block
from ....sim import Port
from ...case.schema.fields import wrong
from ...case.schema.fmu import FMUKeys
from .exerted import TORQUE, ExertedTable, exerted
from .kind import TorqueKind

__all__ = ["KIND", "FMUTorqueTable"]


class FMUTorqueTable(FMUKeys, ExertedTable):
    """A torque in body axes from a functional mock-up unit (FMI 2 or 3, co-simulation) in its own process."""

    kind: Literal["fmu"] = Field(description="which torque")

    @model_validator(mode="after")
    def _one(self) -> "FMUTorqueTable":
        if list(self.outputs) != [TORQUE]:
            raise wrong(f'outputs: is {{ {TORQUE} = ["x", "y", "z"] }}, body axes; got {", ".join(self.outputs)}')
        return self


def _block(table: FMUTorqueTable, ports: Mapping[str, Port], name: str) -> Block:
    return exerted(table.fmu, table, ports, name, reads=tuple(table.inputs) or ("rate",))


KIND = TorqueKind(table=FMUTorqueTable, block=_block)
