"""Conversion of signal names to indices: inputs and outputs of blocks and law in the arrays of a run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law
from ...controllers.laws.limited import require_ports
from ...controllers.loop.external_torques import external_torque_unit
from ...controllers.loop.routes import (
    COMMAND_SIZE,
    LAW,
    SHOWN,
    Source,
    clock_tick,
    commands_of,
    routes,
    shown_by,
)
from ...plant import Spacecraft
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import filled
from .indices import BLOCK


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Wiring:
    """Tables of the blocks of a run; see `polhode.sim.engine.loop_arrays` and `indices`.

    `law_at`: position of the law among the blocks; `law_wires`: wires of the law; `law_further`: number of inputs of
    the law that the plant does not provide; `law_command`: index of the output of the law; `named`: control torques
    that the law commands; `commands`: index of the command to each of these; `torques`: indices of the torques exerted
    by blocks (for torques on coordinates, one index per component); `last`: index of the block whose output acts (the
    number of blocks means the law); `command`: index of this output; `starts`: for each block output that modifies an
    existing signal, its source, destination and width.
    """

    blocks: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, BLOCK.size), np.int64))
    wires: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    delays: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    signals: int = 0
    inputs: int = 0
    held: int = 0
    tick: float = 0.0
    law_at: int = 0
    law_wires: tuple[int, int, int, int] = (0, 0, 0, 0)
    law_further: int = 0
    law_command: int = 0
    last: int = 0
    command: int = 0
    named: tuple[str, ...] = ()
    commands: tuple[int, ...] = ()
    torques: tuple[int, ...] = ()
    starts: tuple[tuple[int, int, int], ...] = ()

    @property
    def recorded(self) -> int:
        """Total width of the outputs of the law and of all blocks."""
        return self.signals - self.law_command

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Lengths that determine the array shapes.

        In order: the numbers of blocks, signals, inputs and delayed outputs; the length of the longest output; the
        numbers of inputs of the law that the plant does not provide, of recorded outputs, and of control torques that
        the law names.
        """
        longest = max((row[BLOCK.outputs + 1] for row in self.blocks.tolist()), default=0)
        recorded, named = self.recorded, len(self.named)
        return len(self.blocks), self.signals, self.inputs, self.held, longest, self.law_further, recorded, named


class _Wires:
    """Wires from signals to inputs: rows of source, destination and width."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int]] = []
        self.inputs = 0

    def read(self, sources: Iterable[Source], places: dict[tuple[int, str], int]) -> tuple[int, int, int, int]:
        """Wire signals to new inputs; return first wire, number of wires, first input, number of inputs."""
        first, start = len(self.rows), self.inputs
        for source in sources:
            self.rows.append((places[source.by, source.name], self.inputs, source.width))
            self.inputs += source.width
        return first, len(self.rows) - first, start, self.inputs - start


_NOTHING = Wiring()


def wired(craft: Spacecraft, law: Law | None, blocks: Sequence[Block]) -> Wiring:
    """Return the tables of the blocks around a law.

    Raises InputError when a name is unknown, a width does not match, no output of a block is read, or the periods have
    no common tick.
    """
    further = () if law is None else tuple(getattr(law, "reads", ()))
    _check_partners(law, further, blocks)
    named = () if law is None else require_ports(law, craft)
    if not blocks:
        return _NOTHING
    tick = clock_tick(None if law is None else law.sample, blocks)
    shown = shown_by(craft)
    found = routes(shown, blocks, further, commands=commands_of(law))
    places, law_command, free = _places(shown, tuple(found.commands))
    wires, table = _Wires(), np.zeros((len(blocks), BLOCK.size), np.int64)
    starts: list[tuple[int, int, int]] = []
    held, q, z = 0, 0, 0
    for n, block in enumerate(blocks):
        first, start = wires.read(found.reads[n], places), free
        for source, before in zip(found.writes[n], found.before[n], strict=True):
            if before is not None:
                starts.append((places[before.by, before.name], free, source.width))
            places[n, source.name], free = free, free + source.width
        rows = int(block.clock.delay / block.clock.period) + 2
        table[n] = filled(
            BLOCK,
            code=0,
            caller=0,
            period=round(block.clock.period / tick),
            offset=round(block.clock.offset / tick),
            taken=0,
            given=0,
            wires=first[:2],
            inputs=first[2:],
            outputs=(start, free - start),
            held=(held, rows),
            q=(q, q + block.parameters.size),
            z=(z, z + block.memory.size),
            acts=block.torque != "",
        )
        held, q, z = held + rows * (free - start), q + block.parameters.size, z + block.memory.size
    law_wires = wires.read(found.law_reads.values(), places)
    torques = _torques(craft, blocks, places)
    commands = tuple(places[source.by, source.name] for source in found.commands.values())
    return Wiring(
        blocks=table,
        wires=np.array(wires.rows, np.int64),
        delays=np.array([block.clock.delay for block in blocks]),
        signals=free,
        inputs=wires.inputs,
        held=held,
        tick=float(tick),
        law_at=found.law_at,
        law_wires=law_wires,
        law_further=sum(found.law_reads[name].width for name in further),
        law_command=law_command,
        last=-1 if named or torques else len(blocks) if found.command.by == LAW else found.command.by,
        command=law_command if named or law is None else commands[0],
        named=named,
        commands=commands,
        torques=torques,
        starts=tuple(starts),
    )


def _torques(craft: Spacecraft, blocks: Sequence[Block], places: Mapping[tuple[int, str], int]) -> tuple[int, ...]:
    """Return the indices of the torques that blocks exert: one per coordinate, or one for a torque on the body."""
    exerting = [(places[n, block.torque], block) for n, block in enumerate(blocks) if block.torque]
    for _, block in exerting:
        external_torque_unit(craft, block)
    return tuple(place + k for place, block in exerting for k in range(len(block.coordinates) or 1))


def _check_partners(law: Law | None, further: Sequence[str], blocks: Sequence[Block]) -> None:
    """Raise InputError if a law reads signals of blocks that the run lacks, or blocks lack a law and a torque."""
    if further and not blocks:
        raise InputError(
            f"the law reads {further[0]!r}, which no block writes; add the block that writes it to simulate(blocks=...)"
        )
    if blocks and law is None and not any(block.torque for block in blocks):
        raise InputError(
            "blocks need a law, but this run has none; use simulate(craft, law, blocks=[...]), or a block that "
            "exerts a torque, Block(..., writes={'push': Signal(role='torque')})"
        )


def _places(shown: Mapping[str, int], commands: Sequence[str]) -> tuple[dict[tuple[int, str], int], int, int]:
    """Return the indices of each plant signal and command, the index of the first command, and the first free index."""
    places: dict[tuple[int, str], int] = {}
    free = 0
    for name, width in shown.items():
        places[SHOWN, name], free = free, free + width
    law_command = free
    for name in commands:
        places[LAW, name], free = free, free + COMMAND_SIZE
    return places, law_command, free
