"""Every kind of potential that a case can ask for: the file that says what it is, one line each."""

from collections.abc import Sequence
from importlib import import_module

from ....plant.loads.potentials.any_potential import AnyPotential
from ...case.located import located
from ...case.schema.potential import PotentialTable
from .kind import PotentialKind

__all__ = ["KINDS", "potentials_of"]

FILES = (
    "gravity_gradient",
    "guided_spring",
    "spring",
    "uniform_gravity",
)

KINDS: tuple[PotentialKind, ...] = tuple(import_module(f".{name}", __package__).KIND for name in FILES)


def potentials_of(tables: Sequence[PotentialTable]) -> tuple[AnyPotential, ...]:
    """Return the potentials that the tables describe.

    Parameters
    ----------
    tables : sequence of tables
        `[[plant.potentials]]`.

    Returns
    -------
    tuple of AnyPotential
        In their order.

    Raises
    ------
    InputError
        When the plant refuses a value; the message begins with the key path.
    """
    found: list[AnyPotential] = []
    for index, table in enumerate(tables):
        with located(f"plant.potentials.{index}"):
            found.append(next(kind for kind in KINDS if kind.table is type(table)).make(table))
    return tuple(found)
