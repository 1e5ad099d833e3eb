"""`[[plant.potentials]]`: potential energies; the table of each kind is in `scenarios.case.kinds.potentials`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.potentials.kinds import KINDS
from .potential import PotentialTable

if TYPE_CHECKING:

    class AnyPotentialTable(PotentialTable):
        """The table of any kind."""

        kind: str
else:
    AnyPotentialTable = Annotated[PotentialTable, KINDS]
