"""A torque that something outside answers, sampled and held."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from ....controllers import Block
from ....plant.checks import choice
from ....sim import Port, process_block
from ....sim.exchange.process.answers import Answers
from ...case.schema.fields import NonNegative, Positive, Table, Text

__all__ = ["TORQUE", "ExertedTable", "exerted"]

TORQUE = "torque"
"""What the side outside calls it: three numbers, N m, in body axes."""


class ExertedTable(Table):
    """What torques from outside have in common that are asked for at samples."""

    begins: ClassVar[str] = "offset_s"

    name: Text | None = Field(default=None, description="what it is called among the results; its kind if left out")
    sample_s: Positive = Field(description="period, s; its answer acts until the next")
    offset_s: NonNegative = Field(default=0.0, description="time of its first sample, s; before, it is zero")
    delay_s: NonNegative = Field(default=0.0, description="from a sample to when its answer acts, s")


def exerted(
    answers: Answers, table: ExertedTable, ports: Mapping[str, Port], name: str, *, reads: Sequence[str]
) -> Block:
    """Return the block that exerts what is answered, in body axes, as a signal of the name."""
    told = [ports[choice("signal", each, tuple(ports))] for each in reads]
    block = process_block(
        answers, reads=told, writes=[Port(TORQUE, 3, unit="N m")], sample=table.sample_s, offset=table.offset_s,
        delay=table.delay_s, name=name, torque=TORQUE,
    )  # fmt: skip
    return block.renamed({TORQUE: name})
