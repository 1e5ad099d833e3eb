"""What a kind of torque is to a case: its table, and the scheduled torque or the block made from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...case.schema.fields import Table

if TYPE_CHECKING:
    from ....controllers import Block
    from ....plant import Spacecraft, TorquePulse
    from ....sim import Port

__all__ = ["TorqueKind"]


@dataclass(frozen=True, kw_only=True)
class TorqueKind:
    """One kind of `[[torques]]`: of `pulse` and `block` it has one.

    Parameters
    ----------
    table : type of Table
        Its keys; the word under `kind` is its name.
    pulse : callable or None
        pulse(table, craft) returns the torque that acts by the clock.
    block : callable or None
        block(table, craft, ports, name) returns the block that exerts it, under the name; ports: from the name of each
        signal that the plant shows to its size and unit.
    """

    table: type[Table]
    pulse: "Callable[[Any, Spacecraft], TorquePulse] | None" = None
    block: "Callable[[Any, Spacecraft, Mapping[str, Port], str], Block] | None" = None

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
