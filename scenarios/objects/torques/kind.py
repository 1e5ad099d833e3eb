"""Kind of external torque in a case: its table, and its scheduled torque or its block."""

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
    """One kind of `[[torques]]`, with either `pulse` or `block`.

    Parameters
    ----------
    table : type of Table
        Its keys; the word under `kind` is its name.
    pulse : callable or None
        pulse(table, craft) returns the scheduled torque.
    block : callable or None
        block(table, craft, ports, name) returns the block that exerts it, with that name; ports: size and unit of each
        output signal of the plant, by name.
    """

    table: type[Table]
    pulse: "Callable[[Any, Spacecraft], TorquePulse] | None" = None
    block: "Callable[[Any, Spacecraft, Mapping[str, Port], str], Block] | None" = None

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
