"""Derive potential kinds from potential classes with declared quantities."""

from typing import Any

from .....plant.loads.potentials.any_potential import AnyPotential
from ...schema.potential import PotentialTable
from ..declared_keys import DeclaredKeys, summary_of
from .kind import PotentialKind
from .kinds import KINDS

PLACE = "It needs pivot_m or translation = true."


def kind_of(
    word: str, potential: type[AnyPotential], *, module: str = __name__, base: type[PotentialTable] = PotentialTable
) -> PotentialKind:
    """Return the kind of a potential class.

    word: value of the key `kind`; potential: class of the potential; module: name of the module that the table becomes
    part of; base: table with additional keys and checks.
    """
    keys = DeclaredKeys(potential)
    doc = f"{summary_of(potential)}\n\n{PLACE}" if potential.holds_point else ""
    table = keys.table(word, base, noun="potential", module=module, doc=doc)
    table.needs_place = potential.needs_place

    def make(table: Any) -> AnyPotential:
        with keys.located():
            return potential(**keys.values(table))

    return PotentialKind(table=table, make=make)


def __getattr__(name: str) -> type[Any]:
    """Return the table of a kind by name, so that pickled cases find it."""
    return KINDS.table_named(name)
