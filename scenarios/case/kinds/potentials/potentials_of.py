"""Create the potentials of the spacecraft from `[[plant.potentials]]`."""

from collections.abc import Sequence

from .....plant.loads.potentials.any_potential import AnyPotential
from ...located import located
from ...schema.potential import PotentialTable
from .kinds import KINDS


def potentials_of(tables: Sequence[PotentialTable]) -> tuple[AnyPotential, ...]:
    """Return the potentials that the tables describe.

    Parameters
    ----------
    tables : sequence of tables
        Tables `[[plant.potentials]]`.

    Returns
    -------
    tuple of AnyPotential
        Potentials in the order of the tables.

    Raises
    ------
    InputError
        If a potential rejects a value; the message begins with the key path.
    """
    found: list[AnyPotential] = []
    for index, table in enumerate(tables):
        with located(f"plant.potentials.{index}"):
            found.append(KINDS.of(table).make(table))
    return tuple(found)
