"""Block kind for an external process, and common keys of external blocks."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from .....controllers import Block, Clock, Signal
from .....plant.errors import InputError
from .....sim import ExternalBlock
from .....sim.hosts.process.answers import Answers
from ...schema.block import BlockTable
from ...schema.fields import PositiveInteger, Switch, Text
from ...schema.process import ProcessKeys
from .kind import BlockKind


class OutsideTable(BlockTable):
    """Common keys of external blocks: width and unit of the output."""

    size: PositiveInteger | None = Field(
        default=None,
        description="width of the output; by default that of the existing signal of that name, or of the input",
    )
    unit: Text | None = Field(default=None, description="unit of a new signal; 1 by default")
    pulsed: Switch = Field(
        default=False,
        description="whether the block switches a torque on and off, so that metrics of it need an output row in every "
        "period",
    )


class ProcessBlockTable(ProcessKeys, OutsideTable):
    """Sensor, filter or actuator in an external process, in any language, over the line protocol of polhode."""

    kind: Literal["process"] = Field(description="which block")

    def written(self, *, read: int, there: int | None) -> int:
        """Return the width of the block's output."""
        return self.size or there or read


def outside(answers: Answers, table: OutsideTable, common: Mapping[str, Any]) -> Block:
    """Return the block of an external program; common: see `BlockKind.make`, including `signals`."""
    signals: Mapping[str, Signal] = common["signals"]
    name = common["writes"]
    there = signals.get(name)
    if there is not None and table.unit not in (None, there.unit):
        raise InputError(f"unit = {table.unit!r}, but its output {name!r} is in {there.unit!r}; omit unit")
    reads = {each: signals[each] for each in common["reads"]}
    if there is None:
        size = table.written(read=common["width"], there=None)
        there = Signal(size, table.unit or "1")
    clock = Clock(common["sample"], offset=common["offset"], delay=common["delay"])
    return ExternalBlock(
        answers, reads=reads, writes={name: there}, clock=clock, name=common["name"], pulsed=table.pulsed
    )


def _make(table: ProcessBlockTable, common: Mapping[str, Any]) -> Block:
    return outside(table.process, table, common)


KIND = BlockKind(table=ProcessBlockTable, make=_make, by_unit=True)
