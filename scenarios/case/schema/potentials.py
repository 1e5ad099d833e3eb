"""Schema of `[[plant.potentials]]`; the table of each kind is in `scenarios.case.kinds.potentials`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.potentials.kinds import KINDS
from .potential import PotentialTable

if TYPE_CHECKING:

    class AnyPotentialTable(PotentialTable):
        """Table of any potential kind."""

        kind: str
else:
    AnyPotentialTable = Annotated[PotentialTable, KINDS]
