"""Block kind for an external FMU."""

from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import Field, model_validator

from .....controllers import Block
from ...schema.fields import wrong
from ...schema.fmu import FMUKeys
from .kind import BlockKind
from .process import OutsideTable, outside


class FMUBlockTable(FMUKeys, OutsideTable):
    """Sensor, filter or actuator in a functional mock-up unit (FMI 2 or 3, co-simulation) in its own process."""

    kind: Literal["fmu"] = Field(description="which block")

    @model_validator(mode="before")
    @classmethod
    def _signals(cls, given: Any) -> Any:
        """Set inputs and outputs of the block from the connections of the FMU."""
        if not isinstance(given, dict):
            return given
        table = cast("dict[str, Any]", given)
        inputs, outputs = table.get("inputs"), table.get("outputs")
        found = dict(table)
        if isinstance(inputs, dict) and inputs:
            found.setdefault("reads", list(cast("dict[str, Any]", inputs)))
        if isinstance(outputs, dict):
            names = list(cast("dict[str, Any]", outputs))
            if len(names) != 1:
                raise wrong(f"outputs: a block of a case writes one signal; got {len(names)}")
            found.setdefault("writes", names[0])
        return found

    def written(self, *, read: int, there: int | None) -> int:
        """Return the width of the block's output."""
        names = next(iter(self.outputs.values()))
        return self.size or there or (read if isinstance(names, str) else len(names))


def _make(table: FMUBlockTable, common: Mapping[str, Any]) -> Block:
    return outside(table.fmu, table, common)


KIND = BlockKind(table=FMUBlockTable, make=_make, by_unit=True)
