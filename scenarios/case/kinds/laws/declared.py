"""Kinds of law that follow from the law alone; see `declared_law` for those with a tuning or keys of their own."""

from typing import Any

from .....controllers.laws.torque_law import TorqueLaw
from .....plant import Spacecraft
from .....plant.quantity import INERTIA, quantities
from ..declared_keys import summary_of
from .declared_law import declared_law
from .kind import LawKind
from .kinds import KINDS


def kind_of(word: str, law: type[TorqueLaw], *, module: str = __name__) -> LawKind:
    """Return the kind of a law.

    word: the word under `kind`, which is that of the law; law: its class; module: name of the module that its table
    becomes part of. An inertia that the law declares is that of the craft with its elements held at rest.
    """
    declared = quantities(law)
    keys = {name: each.case for name, each in declared.items() if each.case is not None and each.shape is not INERTIA}
    of_craft = {name: _inertia for name, each in declared.items() if each.shape is INERTIA}
    return declared_law(law, doc=summary_of(law), module=module, keys=keys, supplied=of_craft)


def _inertia(craft: Spacecraft) -> Any:
    return craft.locked_inertia(craft.at_rest())


def __getattr__(name: str) -> type[Any]:
    """Return a table, for pickled cases."""
    return KINDS.table_named(name)
