"""Inputs and outputs of a process: signals with their size and unit."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from ....controllers import Block
from ....controllers.laws.law_layout import SEEN
from ....controllers.loop.routes import APPLIED, COMMAND, COMMAND_SIZE, shown_by
from ....plant import Spacecraft
from ...results.block_quantities import UNITS

__all__ = ["Port", "ports_of_blocks", "ports_of_craft"]


@dataclass(frozen=True)
class Port:
    """A signal: name, size and unit.

    Parameters
    ----------
    name : str
        Name of the signal in blocks and laws.
    size : int
        Number of entries.
    unit : str
        Unit of the entries, "1" if dimensionless; both sides must use the same text.
    """

    name: str
    size: int
    unit: str = field(kw_only=True)

    def to_dict(self) -> dict[str, object]:
        """Return the signal as an entry of a message.

        Returns
        -------
        dict
            name, size, unit.
        """
        return asdict(self)

    @property
    def words(self) -> str:
        """It in words."""
        return f"{self.name} ({self.size} in {self.unit!r})"


def ports_of_craft(craft: Spacecraft) -> dict[str, Port]:
    """Return the signals that there are before any block, and the command, by name."""
    others = craft.layout.names[SEEN.rate :]
    units = {**dict(zip(others, craft.layout.units[SEEN.rate :], strict=True)), **UNITS, APPLIED: UNITS[COMMAND]}
    units |= craft.layout.rates
    widths = {**shown_by(craft), COMMAND: COMMAND_SIZE}
    return {name: Port(name, size, unit=units[name] or "1") for name, size in widths.items()}


def ports_of_blocks(blocks: Sequence[Block]) -> dict[str, Port]:
    """Return the signals that blocks write under names of their own, whose sizes they tell."""
    return {
        name: Port(name, size, unit=block.units[name] or "1")
        for block in blocks
        for name, size in block.writes.items()
        if size
    }
