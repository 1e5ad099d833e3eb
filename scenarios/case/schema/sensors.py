"""`[[sensors]]`: sensors of the spacecraft; the table of each kind is in `scenarios.case.kinds.sensors`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.sensors.kinds import KINDS
from .sensor import SensorTable

if TYPE_CHECKING:

    class AnySensorTable(SensorTable):
        """The table of any kind."""

        kind: str
else:
    AnySensorTable = Annotated[SensorTable, KINDS]
