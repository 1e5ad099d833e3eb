"""`[controller]`: which law closes the loop, and its tuning; each kind has its table in `scenarios/objects/laws/`."""

from functools import reduce
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ...objects.laws.kinds import KINDS
from .sampled import ActuatedTable

__all__ = ["ControllerTable"]

if TYPE_CHECKING:

    class ControllerTable(ActuatedTable):
        """The table of any kind."""

        kind: str
else:
    ControllerTable = Annotated[
        reduce(lambda some, more: some | more, [kind.table for kind in KINDS]), Field(discriminator="kind")
    ]
