"""Schema of `[[sensors]]`; the table of each sensor kind is in `scenarios.case.kinds.sensors`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.sensors.kinds import KINDS
from .sensor import SensorTable

if TYPE_CHECKING:

    class AnySensorTable(SensorTable):
        """Table of any sensor kind."""

        kind: str
else:
    AnySensorTable = Annotated[SensorTable, KINDS]
