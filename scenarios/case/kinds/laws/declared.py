"""Derive law kinds from law classes; for kinds with a tuning or additional keys, see `declared_law`."""

from typing import Any

from .....controllers.laws.torque_law import TorqueLaw
from .....plant import Spacecraft
from .....plant.quantity import INERTIA, quantities
from ..declared_keys import summary_of
from .declared_law import declared_law
from .kind import LawKind
from .kinds import KINDS


def kind_of(word: str, law: type[TorqueLaw], *, module: str = __name__) -> LawKind:
    """Return the kind of a law class.

    word: value of the key `kind`, the same as in the law class; law: class of the law; module: name of the module that
    the table becomes part of. If the law declares an inertia, this is the inertia of the spacecraft with locked
    elements.
    """
    declared = quantities(law)
    keys = {name: each.case for name, each in declared.items() if each.case is not None and each.shape is not INERTIA}
    of_craft = {name: _inertia for name, each in declared.items() if each.shape is INERTIA}
    return declared_law(law, doc=summary_of(law), module=module, keys=keys, supplied=of_craft)


def _inertia(craft: Spacecraft) -> Any:
    return craft.locked_inertia(craft.at_rest())


def __getattr__(name: str) -> type[Any]:
    """Return the table of a kind by name, so that pickled cases find it."""
    return KINDS.table_named(name)
