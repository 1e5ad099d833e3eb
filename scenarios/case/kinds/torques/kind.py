"""Kind of external torque in a case: its table, and its scheduled torque or its block."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...schema.fields import Table

if TYPE_CHECKING:
    from .....controllers import Block, Signal
    from .....plant import Spacecraft, TorquePulse
    from .....plant.loads.potentials.any_potential import AnyPotential


@dataclass(frozen=True, kw_only=True)
class TorqueKind:
    """One kind of `[[torques]]`, with one of `pulse`, `block` and `load`.

    Parameters
    ----------
    table : type of Table
        Its keys; the word under `kind` is its name.
    pulse : callable or None
        pulse(table, craft) returns the scheduled torque.
    block : callable or None
        block(table, craft, signals, name) returns the block that applies it, with that name; signals: each output
        signal of the plant, by name, with width and unit.
    load : callable or None
        load(table) returns the load of the plant that applies it.
    """

    table: type[Table]
    pulse: "Callable[[Any, Spacecraft], TorquePulse] | None" = None
    block: "Callable[[Any, Spacecraft, Mapping[str, Signal], str], Block] | None" = None
    load: "Callable[[Any], AnyPotential] | None" = None

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
