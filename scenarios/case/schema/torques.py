"""Schema of `[[torques]]`; the table of each torque kind is in `scenarios.case.kinds.torques`.

A table without a kind is a scheduled torque.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar

from ..kinds.torques.kinds import KINDS
from .fields import Table

if TYPE_CHECKING:

    class TorqueTable(Table):
        """Table of any kind of external torque."""

        kind: str
        begins: ClassVar[str]
else:
    TorqueTable = Annotated[Table, KINDS]
