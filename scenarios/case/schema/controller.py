"""Schema of `[controller]`: the law and its tuning; the table of each kind is in `case/kinds/laws`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.laws.kinds import KINDS
from .sampled import ActuatedTable

if TYPE_CHECKING:

    class ControllerTable(ActuatedTable):
        """Table of any law kind."""

        kind: str
else:
    ControllerTable = Annotated[ActuatedTable, KINDS]
