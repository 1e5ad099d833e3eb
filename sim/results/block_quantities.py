"""Block outputs as quantities of a run: custom signals, and modified signals of the plant."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block
from ...controllers.contracts.law_layout import SEEN
from ...controllers.loop.external_torques import external_torque_unit
from ...controllers.loop.routes import COMMAND, COMMAND_SIZE, LAW, OF_PORT, Routes, Source, routes, shown_by
from ...plant import Spacecraft
from ...plant.errors import InputError

Array = NDArray[np.float64]

STAMP = ("valid", "time")
"""Last two entries of a sensor message: validity (1 or 0) and measurement time, s."""

_XYZ = ("x", "y", "z")
_COMMANDS = (COMMAND, *OF_PORT.values())
UNITS = {
    "momentum": "N m s",
    "attitude": "1",
    "rate": "rad/s",
    **dict.fromkeys(_COMMANDS, "N m"),
    "reference": "1, rad/s, rad/s^2",
}
"""Units of the plant signals other than further states, of the reference and of the command."""

_FRAMES = {"momentum": "body", "rate": "body", "attitude": "inertial", **dict.fromkeys(_COMMANDS, "torque basis")}
_REFERENCE = (
    *(f"e{n}" for n in range(4)),
    *(f"rate_{axis}" for axis in _XYZ),
    *(f"acceleration_{axis}" for axis in _XYZ),
)


@dataclass(frozen=True, kw_only=True)
class BlockQuantity:
    """A block output: its columns in the table of block outputs, its block and name, and its description.

    labels: meanings of the integer values 0, 1, ...; empty for plain numbers.
    """

    by: int
    signal: str
    columns: slice
    components: tuple[str, ...]
    unit: str
    frame: str
    words: str
    labels: tuple[str, ...] = ()

    def of(self, table: Array) -> Array:
        """Return the values of the signal from the recorded table, shape (n,) or (n, components)."""
        found = table[:, self.columns]
        return found if self.components else found[:, 0]


def block_quantities(
    craft: Spacecraft, blocks: Sequence[Block], *, commands: Sequence[str] = (COMMAND,), taken: Sequence[str] = ()
) -> dict[str, BlockQuantity]:
    """Return every block output of a run by name, in the order of the engine.

    A custom signal keeps its name, in letters, digits and underscores. The name of a plant signal denotes the true
    value. The value that the law reads is `<name>_for_law`, and the output of an earlier block
    `<name>_after_<block>`. The output of the law is `command_of_law`, and the command after a block is
    `command_after_<block>`; if there are several commands, the same applies to each.

    commands: outputs of the law; taken: names of existing quantities. Raises InputError when a custom signal has one of
    these names.
    """
    if not blocks:
        return {}
    others = craft.layout.names[SEEN.rate :]
    found = routes(shown_by(craft), blocks, commands=commands)
    units = {**dict(zip(others, craft.layout.units[SEEN.rate :], strict=True)), **UNITS, **craft.layout.rates}
    made: dict[str, BlockQuantity] = {}
    description = "command of the law, before the blocks that follow"
    written = [
        (Source(name, COMMAND_SIZE, LAW), f"{name}_of_law", "", description)
        for name in commands
        if any(name in block.writes for block in blocks)
    ]
    places = {(LAW, name): COMMAND_SIZE * n for n, name in enumerate(commands)}
    at = COMMAND_SIZE * len(commands)
    for n, block in enumerate(blocks):
        for source in found.writes[n]:
            places[n, source.name], at = at, at + source.width
            name, words = _named(source, block, found, own=source.name not in {*units})
            unit = external_torque_unit(craft, block) if source.name == block.torque else block.writes[source.name].unit
            unit = "" if block.timestamped == source.name else unit  # validity and time have different units
            written.append((source, name, unit, words))
    for source, given, unit, words in written:
        own = source.name not in units
        name = "".join(letter if letter.isalnum() else "_" for letter in given)
        unique, number = name, 2
        while unique in made:
            unique, number = f"{name}_{number}", number + 1
        if unique in taken:
            raise InputError(
                f"the signal {unique!r} of the block {blocks[source.by].name!r} has the name of an existing quantity "
                "of the run; give it a different name"
            )
        at = places[source.by, source.name]
        made[unique] = BlockQuantity(
            by=source.by,
            signal=source.name,
            columns=slice(at, at + source.width),
            components=_components(source, own=own, timestamped=own and blocks[source.by].timestamped == source.name),
            unit=unit if own else units[source.name],
            frame="" if own else _FRAMES.get(source.name, ""),
            words=words,
            labels=() if source.by < 0 else tuple(blocks[source.by].writes[source.name].labels),
        )
    return made


def _named(source: Source, block: Block, found: Routes, *, own: bool) -> tuple[str, str]:
    """Return the name and the description of a block output."""
    last = max(n for n, sources in enumerate(found.writes) if any(each.name == source.name for each in sources))
    if own and source.by == last:
        return source.name, f"written by {block.name}"
    if not own and source.name not in _COMMANDS and source.by == last:
        return f"{source.name}_for_law", f"{source.name} as read by the law, written by {block.name}"
    return f"{source.name}_after_{block.name}", f"{source.name} as written by {block.name}"


def _components(source: Source, *, own: bool, timestamped: bool) -> tuple[str, ...]:
    if source.width == 1:
        return ()
    if timestamped:
        n = source.width - len(STAMP)
        names = {3: _XYZ, 4: tuple(f"e{k}" for k in range(4))}.get(n, tuple(str(k) for k in range(1, n + 1)))
        return (*names, *STAMP)
    if source.name == "reference":
        return _REFERENCE
    if source.name == "attitude":
        return tuple(f"e{n}" for n in range(4))
    if source.width == 3:
        return ("1", "2", "3") if source.name in _COMMANDS else _XYZ
    return tuple(str(n) for n in range(1, source.width + 1)) if own else _XYZ
