"""Kinds of potential whose keys follow from the quantities that the potential declares."""

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
    """Return the kind of a potential.

    word: the word under `kind`; potential: its class; module: name of the module that its table becomes part of; base:
    table with keys and checks of its own.
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
    """Return a table, for pickled cases."""
    return KINDS.table_named(name)
