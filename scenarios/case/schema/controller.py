"""`[controller]`: which law closes the loop, and its tuning; each kind has its table in `scenarios/objects/laws/`."""

from typing import TYPE_CHECKING, Annotated

from ...objects.laws.kinds import KINDS
from .sampled import ActuatedTable

__all__ = ["ControllerTable"]

if TYPE_CHECKING:

    class ControllerTable(ActuatedTable):
        """Table of any kind of law."""

        kind: str
else:
    ControllerTable = Annotated[ActuatedTable, KINDS]
