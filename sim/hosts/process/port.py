"""Inputs and outputs of an external program: signals with size and unit."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from ....controllers import Block, Signal
from ....controllers.contracts.law_layout import SEEN
from ....controllers.loop.routes import APPLIED, COMMAND, COMMAND_SIZE, shown_by
from ....plant import InputError, Spacecraft
from ...results.block_quantities import UNITS


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
        Unit of the entries, "1" if dimensionless; both sides must use the same string.
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
        """Description of the signal: name, size and unit."""
        return f"{self.name} ({self.size} in {self.unit!r})"


def ports_of(signals: Mapping[str, Signal]) -> tuple[Port, ...]:
    """Return signals as ports. Raises InputError when a signal has no width."""
    for name, signal in signals.items():
        if not signal.width:
            raise InputError(
                f"the width of {name!r} is unknown, but an external program needs it; use Signal(width, unit)"
            )
    return tuple(Port(name, signal.width, unit=signal.unit or "1") for name, signal in signals.items())


def signals_of_craft(craft: Spacecraft) -> dict[str, Signal]:
    """Return, by name, the command and the signals that exist even if there are no blocks."""
    others = craft.layout.names[SEEN.rate :]
    units = {**dict(zip(others, craft.layout.units[SEEN.rate :], strict=True)), **UNITS, APPLIED: UNITS[COMMAND]}
    units |= craft.layout.rates
    widths = {**shown_by(craft), COMMAND: COMMAND_SIZE}
    return {name: Signal(width, units[name] or "1") for name, width in widths.items()}


def signals_of_blocks(blocks: Sequence[Block]) -> dict[str, Signal]:
    """Return, by name, the new signals that blocks write; their widths are declared by the blocks."""
    return {
        name: Signal(signal.width, signal.unit or "1")
        for block in blocks
        for name, signal in block.writes.items()
        if signal.width
    }
