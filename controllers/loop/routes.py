"""Signal routing: the writer (block, plant or law) of each signal that the blocks and the law read."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ...plant import Spacecraft
from ...plant.checks import choice
from ...plant.errors import InputError
from ..contracts.block import Block
from ..contracts.law_layout import REFERENCE, SEEN
from .ticks import common_tick

ATTITUDE, RATE, APPLIED, COMMAND, REFERENCE_SIGNAL = "attitude", "rate", "applied", "command", "reference"
COMMAND_SIZE = 3
OF_PORT = {"wheels": "command_wheels", "external": "command_external"}
"""Name of the command signal for each of several named control torques (`Spacecraft.ports`)."""
SHOWN, LAW = -1, -2  # writers that are not blocks: the plant and the law


class Source(NamedTuple):
    """A signal with its name, width and writer: the index of a block, SHOWN (the plant) or LAW."""

    name: str
    width: int
    by: int


@dataclass(frozen=True, kw_only=True)
class Routes:
    """Signals that each block reads and writes, and the previous source of each written signal.

    The previous source is None for a new signal. `law_at` is the position of the law among the blocks, `law_reads`
    holds its measurements by name, and `commands` the signals that reach the plant, by the names of the law's outputs.
    """

    reads: tuple[tuple[Source, ...], ...]
    writes: tuple[tuple[Source, ...], ...]
    before: tuple[tuple[Source | None, ...], ...]
    law_at: int
    law_reads: Mapping[str, Source]
    commands: Mapping[str, Source]

    @property
    def command(self) -> Source:
        """The command signal that reaches the plant, for a law with one control torque."""
        return self.commands[COMMAND]


def commands_of(law: object) -> tuple[str, ...]:
    """Return the signals that a law writes: "command", or one per named torque; none if there is no law."""
    if law is None:
        return ()
    return tuple(OF_PORT[port] for port in getattr(law, "actuators", ())) or (COMMAND,)


def shown_widths(others: Sequence[str], rates: Iterable[str] = ()) -> dict[str, int]:
    """Return the signals that the plant provides to blocks, in order, with their widths.

    others: names of the plant's states other than momentum, attitude and rate; rates: names of the rates of internal
    coordinates, which come last: blocks may read these rates, but they are not part of a law's measurement.
    """
    first = {"momentum": 3, ATTITUDE: 4, RATE: 3}
    last = {APPLIED: COMMAND_SIZE, REFERENCE_SIGNAL: REFERENCE.size}
    return {**first, **dict.fromkeys(others, 1), **last, **dict.fromkeys(rates, 1)}


def shown_by(craft: Spacecraft) -> dict[str, int]:
    """Return the signals that a spacecraft provides to blocks, with their widths, as in `shown_widths`."""
    return shown_widths(craft.layout.names[SEEN.rate :], craft.layout.rates)


def routes(
    shown: Mapping[str, int],
    blocks: Sequence[Block],
    further: Sequence[str] = (),
    *,
    commands: Sequence[str] = (COMMAND,),
) -> Routes:
    """Return the routing of all signals of a loop.

    shown: from `shown_by` or `shown_widths`; further: additional signals read by the law; commands: the law's outputs.

    Raises InputError when a name is unknown, a width does not match, or no output of a block is read.
    """
    now = {name: Source(name, width, SHOWN) for name, width in shown.items()}
    names = tuple(shown)
    of_law = tuple(name for name in names[: names.index(REFERENCE_SIGNAL) + 1] if name != APPLIED)
    written_by_law = {name: Source(name, COMMAND_SIZE, LAW) for name in commands}
    law_at = next(
        (n for n, block in enumerate(blocks) if not {*commands}.isdisjoint((*block.reads, *block.writes))), len(blocks)
    )
    law_reads = dict(now)
    reads: list[tuple[Source, ...]] = []
    writes: list[tuple[Source, ...]] = []
    before: list[tuple[Source | None, ...]] = []
    for n, block in enumerate(blocks):
        if n == law_at:
            law_reads = _of_law(now, further)
            now |= written_by_law
        who = f"block {n + 1} ({block.name!r})"
        _check_names(block, who, now, commands)
        reads.append(tuple(now[name] for name in block.reads))
        used = {*commands, *(other for later in blocks[n + 1 :] for other in later.reads)}
        if n < law_at:
            used |= {*of_law, *further}
        written = {name: Source(name, _width(who, name, given, now), n) for name, given in block.widths.items()}
        _check_outputs(block, who, used, covered=of_law if n >= law_at else ())
        writes.append(tuple(written.values()))
        before.append(tuple(now.get(name) for name in written))
        now |= written
    if law_at == len(blocks):
        law_reads, now = _of_law(now, further), now | written_by_law
    return Routes(
        reads=tuple(reads),
        writes=tuple(writes),
        before=tuple(before),
        law_at=law_at,
        law_reads={name: law_reads[name] for name in (*of_law, *further)},
        commands={name: now[name] for name in commands},
    )


def _check_names(block: Block, who: str, now: Mapping[str, Source], commands: Sequence[str]) -> None:
    """Raise InputError if a block reads unknown signals or another law's commands, or reuses a name for its torque."""
    if block.torque in (*now, COMMAND, *OF_PORT.values()):
        raise InputError(f"{who} exerts {block.torque!r}, which already is a signal; give the torque a new name")
    for name in (*block.reads, *block.writes):
        if name in (COMMAND, *OF_PORT.values()) and name not in commands:
            if not commands:
                raise InputError(f"{who} processes {name!r}, the output of a law, but this run has no law")
            raise InputError(
                f"{who} processes {name!r}, but the law writes {' and '.join(map(repr, commands))} here; use "
                f"{'one of these' if len(commands) > 1 else 'it'}"
            )
    for name in block.reads:
        choice(f"signal that {who} reads:", name, tuple(now))


def _check_outputs(block: Block, who: str, used: Collection[str], *, covered: Collection[str]) -> None:
    """Raise InputError if no output of a block is read, or the law has read a signal before the block replaces it.

    used: signals that the law and later blocks read; covered: signals that the law has read before this block.
    """
    # an unread output is accepted if another output of the block is read
    useful = block.recorded or bool(block.torque) or any(name in used for name in block.writes)
    for name in block.writes:
        behind = name in covered and name not in used
        if behind or not useful:
            raise InputError(_unread(who, name, behind=behind))


def _of_law(now: Mapping[str, Source], further: Sequence[str]) -> dict[str, Source]:
    """Return the signals that the law reads. Raises InputError when a further signal does not exist."""
    for name in further:
        choice("signal that the law reads:", name, tuple(now))
    return dict(now)


def in_the_loop(shown: Mapping[str, int], blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks that affect the law or its command; shown: from `shown_widths`.

    Monitors (`Block.as_monitor`) and blocks that apply a torque (`Block.torque`) are omitted, as are blocks whose
    outputs are read only by these. Raises InputError for the same reasons as `routes`.
    """
    if not any(block.recorded or block.torque for block in blocks):
        return tuple(blocks)
    found = routes(shown, blocks)
    wanted = [source.by for source in (*found.law_reads.values(), found.command)]
    needed: set[int] = set()
    while wanted:
        by = wanted.pop()
        if by >= 0 and by not in needed:
            needed.add(by)
            wanted += [source.by for source in found.reads[by]]
    return tuple(block for n, block in enumerate(blocks) if n in needed)


def clock_tick(sample: float | None, blocks: Sequence[Block]) -> Fraction:
    """Return the longest tick, s, of which all periods and offsets are multiples.

    sample: period of the law, s; None if there is no law. Raises InputError when there is no common tick.
    """
    times = {} if sample is None else {"the sample of the law": sample}
    for n, block in enumerate(blocks, 1):
        times[f"the sample of block {n} ({block.name!r})"] = block.clock.period
        times[f"the offset of block {n} ({block.name!r})"] = block.clock.offset
    return common_tick(times)


def _width(who: str, name: str, given: int, now: Mapping[str, Source]) -> int:
    if name == APPLIED:
        raise InputError(f"{who} writes 'applied', the command in force, which only the plant writes; write 'command'")
    known = now[name].width if name in now else COMMAND_SIZE if name in (COMMAND, *OF_PORT.values()) else 0
    if not known and not given:
        raise InputError(
            f"{who} writes {name!r}, which does not exist before it; give the width of a new signal, such as "
            f"writes={{{name!r}: 3}}, or use one of {', '.join(now)}"
        )
    if known and given not in (0, known):
        raise InputError(f"{who} writes {given} components for {name!r}, which has {known}")
    return known or given


def _unread(who: str, name: str, *, behind: bool) -> str:
    if behind:
        return (
            f"{who} writes {name!r} behind the law, which has read it already: the law runs before the first block "
            "that reads or writes 'command'. Put it before that one; where it needs a command, 'applied' is what is in "
            "force"
        )
    return (
        f"{who} writes {name!r}, which nothing behind it reads; a later block must read it, or leave it out, or take "
        "block.as_monitor() to run it as a monitor"
    )
