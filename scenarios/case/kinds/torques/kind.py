"""Definition of a torque kind: its table, and the function that creates the pulse, block or load."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...schema.fields import Table
from ..case_kind import CaseKind

if TYPE_CHECKING:
    from .....controllers import Block, Signal
    from .....plant import Spacecraft, TorquePulse
    from .....plant.loads.potentials.any_potential import AnyPotential


@dataclass(frozen=True, kw_only=True)
class TorqueKind(CaseKind):
    """One kind of `[[torques]]`, with exactly one of `pulse`, `block` and `load`.

    Parameters
    ----------
    table : type of Table
        Model with the keys of the table, including its `kind`.
    pulse : callable or None
        pulse(table, craft) returns the scheduled torque.
    block : callable or None
        block(table, craft, signals, name) returns the block that applies the torque; signals: width and unit of each
        plant output, by name; name: name of the block.
    load : callable or None
        load(table) returns the plant load that applies the torque.
    """

    table: type[Table]
    pulse: "Callable[[Any, Spacecraft], TorquePulse] | None" = None
    block: "Callable[[Any, Spacecraft, Mapping[str, Signal], str], Block] | None" = None
    load: "Callable[[Any], AnyPotential] | None" = None
