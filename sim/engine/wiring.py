"""Names of signals made into offsets: who reads what from where, and in which order everything runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law
from ...controllers.laws.law_layout import REFERENCE, SEEN
from ...plant import Spacecraft
from ...plant.checks import choice
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import filled
from .indices import BLOCK
from .ticks import common_tick

__all__ = ["COMMAND_SIZE", "Wiring", "shown_signals", "wired"]

APPLIED, COMMAND, REFERENCE_SIGNAL = "applied", "command", "reference"
COMMAND_SIZE = 3


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Wiring:
    """The tables of the blocks of a run; see `polhode.sim.engine.bundle` and `polhode.sim.engine.indices`.

    `law_at` is the place of the law among them, `law_wires` what it reads, `law_command` where its answer stands;
    `last` the block whose answer is what acts in the end (their number: the law), `command` where that stands; `starts`
    has of each signal written that was there before from where it starts, to where, and how many numbers.
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
    law_command: int = 0
    last: int = 0
    command: int = 0
    starts: tuple[tuple[int, int, int], ...] = ()


def shown_signals(craft: Spacecraft) -> dict[str, tuple[int, int]]:
    """Return place and width of what there is before any block: what the plant shows, and the reference."""
    shown = {name: (at, width) for name, at, width in zip(SEEN._fields, SEEN, (3, 4, 3), strict=False)}
    others = craft.layout.names[SEEN.rate :]
    shown |= {name: (SEEN.size + n, 1) for n, name in enumerate(others)}
    end = SEEN.size + len(others)
    return {**shown, APPLIED: (end, 3), REFERENCE_SIGNAL: (end + 3, REFERENCE.size)}


class _Wires:
    """Which signals go to which inputs: rows of where from, where to, how many."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int]] = []
        self.inputs = 0

    def read(self, names: Sequence[str], now: Mapping[str, tuple[int, int]]) -> tuple[int, int, int, int]:
        """Wire some signals as they are now to new inputs; first wire and how many, first input and how many."""
        first, start = len(self.rows), self.inputs
        for name in names:
            self.rows.append((now[name][0], self.inputs, now[name][1]))
            self.inputs += now[name][1]
        return first, len(self.rows) - first, start, self.inputs - start


def wired(craft: Spacecraft, law: Law | None, blocks: Sequence[Block]) -> Wiring:
    """Return the tables of some blocks round a law.

    Raises InputError when a name is not known, a width does not fit, something written is read by nobody, or periods
    have no tick in common.
    """
    if not blocks:
        return Wiring()
    if law is None:
        raise InputError("blocks stand round a law, and this run has none; give simulate(craft, law, blocks=[...])")
    tick = _tick(law, blocks)
    now = shown_signals(craft)
    of_law = tuple(name for name in now if name != APPLIED)
    law_command = sum(now[REFERENCE_SIGNAL])
    law_at = next((n for n, block in enumerate(blocks) if COMMAND in (*block.reads, *block.writes)), len(blocks))
    wires, table = _Wires(), np.zeros((len(blocks), BLOCK.size), np.int64)
    law_wires = (0, 0, 0, 0)
    starts: list[tuple[int, int, int]] = []
    free, held, q, z = law_command + COMMAND_SIZE, 0, 0, 0
    for n, block in enumerate(blocks):
        if n == law_at:
            law_wires = wires.read(of_law, now)
            now[COMMAND] = law_command, COMMAND_SIZE
        who = f"block {n + 1} ({block.name!r})"
        for name in block.reads:
            choice(f"signal that {who} reads:", name, tuple(now))
        first, start = wires.read(block.reads, now), free
        for name, given in block.writes.items():
            width = _width(who, name, given, now)
            read = name in (COMMAND, *(other for later in blocks[n + 1 :] for other in later.reads))
            if not read and (n >= law_at or name not in of_law):
                raise InputError(_unread(who, name, behind=n >= law_at and name in of_law))
            if name in now:
                starts.append((now[name][0], free, width))
            now[name] = free, width
            free += width
        rows = int(block.delay / block.sample) + 2
        table[n] = filled(
            BLOCK,
            code=0,
            caller=0,
            period=round(block.sample / tick),
            offset=round(block.offset / tick),
            taken=0,
            given=0,
            wires=first[:2],
            inputs=first[2:],
            outputs=(start, free - start),
            held=(held, rows),
            q=(q, q + block.parameters.size),
            z=(z, z + block.memory.size),
        )
        held, q, z = held + rows * (free - start), q + block.parameters.size, z + block.memory.size
    if law_at == len(blocks):
        law_wires = wires.read(of_law, now)
        now[COMMAND] = law_command, COMMAND_SIZE
    return Wiring(
        blocks=table,
        wires=np.array(wires.rows, np.int64),
        delays=np.array([block.delay for block in blocks]),
        signals=free,
        inputs=wires.inputs,
        held=held,
        tick=float(tick),
        law_at=law_at,
        law_wires=law_wires,
        law_command=law_command,
        last=max((n for n, block in enumerate(blocks) if COMMAND in block.writes), default=len(blocks)),
        command=now[COMMAND][0],
        starts=tuple(starts),
    )


def _tick(law: Law, blocks: Sequence[Block]) -> Fraction:
    times = {"the sample of the law": law.sample}
    for n, block in enumerate(blocks, 1):
        times[f"the sample of block {n} ({block.name!r})"] = block.sample
        times[f"the offset of block {n} ({block.name!r})"] = block.offset
    return common_tick(times)


def _width(who: str, name: str, given: int, now: Mapping[str, tuple[int, int]]) -> int:
    if name == APPLIED:
        raise InputError(f"{who} writes 'applied', the command in force, which only the plant shows; write 'command'")
    known = now[name][1] if name in now else COMMAND_SIZE if name == COMMAND else 0
    if not known and not given:
        raise InputError(
            f"{who} writes {name!r}, which nothing shows before it; of a new signal give the width, such as "
            f"writes={{{name!r}: 3}}, or take one of {', '.join(now)}"
        )
    if known and given not in (0, known):
        raise InputError(f"{who} writes {given} numbers for {name!r}, which has {known}")
    return known or given


def _unread(who: str, name: str, *, behind: bool) -> str:
    if behind:
        return (
            f"{who} writes {name!r} behind the law, which has read it already: the law runs before the first block "
            "that reads or writes 'command'. Put it before that one; where it needs a command, 'applied' is what is in "
            "force"
        )
    return f"{who} writes {name!r}, which nothing behind it reads; a later block must read it, or leave it out"
