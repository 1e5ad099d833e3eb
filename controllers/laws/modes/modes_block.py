"""Block that selects the active mode."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import choice
from ....plant.errors import DesignError, InputError
from ....plant.kernels.fields import filled
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.copy_block import copy_block
from ...contracts.kernel_call import KernelCall
from ...contracts.law_layout import REFERENCE
from ...contracts.signal import Signal
from ...loop.routes import ATTITUDE, RATE, REFERENCE_SIGNAL, shown_widths
from .condition import KNOWN, Condition
from .mode import Mode, Transition
from .modes_kernel import (
    ATTITUDE_ERROR,
    CONDITION,
    ELAPSED,
    HEAD,
    MODE,
    RATE_ERROR,
    SHOWN,
    SIGNAL,
    SIGNALS,
    STATE,
    TIME,
    TRANSITION,
    WRITTEN,
    modes_block_kernel,
)
from .modes_kernel import RATE as RATE_SIZE

KINDS = {
    "time": TIME,
    "elapsed": ELAPSED,
    "rate": RATE_SIZE,
    "rate_error": RATE_ERROR,
    "attitude_error": ATTITUDE_ERROR,
}
AXES = {"x": 0, "y": 1, "z": 2}
STAMPED = {"valid": 2, "time": 1}  # index from the end of a message


class _Signals:
    """Signals that the block reads, added when they are first used, and their indices."""

    def __init__(self, before: Sequence[Block], first: Sequence[str] = ()) -> None:
        self.widths = shown_widths(())
        self.timestamped: set[str] = set()
        self.units = {RATE: "rad/s"}
        for block in before:
            for name, signal in block.writes.items():
                self.widths[name] = signal.width or self.widths.get(name, 0)
                self.units[name] = signal.unit
            if block.timestamped:
                self.timestamped.add(block.timestamped)
        self.places: dict[str, int] = {}
        self.size = 0
        for name in first:
            self.place(name)

    def place(self, name: str) -> int:
        """Return the index of a signal; an unknown signal is taken as a scalar state of the plant."""
        if name not in self.places:
            self.places[name] = self.size
            self.size += self.widths.get(name, 1)
        return self.places[name]

    def unit(self, quantity: str) -> str:
        """Return the unit of a condition's quantity."""
        signal, _, part = quantity.rpartition(".")
        if signal in self.timestamped and part in STAMPED:
            return "s" if part == "time" else ""
        return KNOWN.get(quantity) or self.units.get(quantity) or self.units.get(signal, "")

    def part(self, name: str) -> tuple[int, int]:
        """Return the index and width of a signal or of one of its components."""
        width = self.widths.get(name, 1)
        signal, dot, which = name.rpartition(".")
        if name in self.widths or not dot or signal not in self.widths:
            if width not in (1, 3):
                few = f"{name}.valid" if name in self.timestamped else f"{name}.1"
                raise InputError(f"the signal {name!r} has {width} components; name the one to use, such as {few!r}")
            return self.place(name), width
        width = self.widths[signal]
        known = {str(n + 1): n for n in range(width)} | (AXES if width in (3, 5) else {})
        if signal in self.timestamped:
            known |= {word: width - back for word, back in STAMPED.items()}
        if which not in known:
            raise InputError(f"the signal {signal!r} has no component {which!r}; it has {', '.join(known)}")
        return self.place(signal) + known[which], 1

    def shown(self, mode: Mode, own: str) -> tuple[int, int]:
        """Return the index and width of the signal that a mode uses in place of a plant signal."""
        signal = mode.remap.get(own, own)
        width, given = self.widths.get(own, 1), self.widths.get(signal, 1)
        if width != 1 and signal not in self.widths:  # an unknown signal is taken as a scalar state of the plant
            choice(f"signal for {own} in mode {mode.name!r}:", signal, tuple(self.widths))
        messages = signal in self.timestamped and given - len(STAMPED) == width
        if given != width and not messages:
            raise InputError(
                f"mode {mode.name!r} uses {signal!r} as {own}: it has {given} components, but {own} has {width}"
            )
        return self.place(signal), width


def modes_block(modes: Sequence[Mode], before: Sequence[Block]) -> Block:
    """Return the block that selects the active mode; arguments and errors as in `Modes.block`."""
    signals = _Signals(before, (ATTITUDE, RATE, REFERENCE_SIGNAL))
    names = list(dict.fromkeys(own for mode in modes for own in mode.remap))
    follows = any(mode.reference is not None for mode in modes)
    writes: dict[str, int] = dict.fromkeys(SIGNALS, 1)
    shown: list[float] = []
    for own in names:
        writes[own] = signals.shown(modes[0], own)[1]
        shown += filled(SHOWN, width=writes[own], place=WRITTEN.size + sum(list(writes.values())[len(SIGNALS) : -1]))
    sources = [[signals.shown(mode, own)[0] for own in names] for mode in modes]
    ways = [way for mode in modes for way in mode.transitions]
    transitions: list[float] = []
    conditions: list[float] = []
    for way in ways:
        first = len(conditions) // CONDITION.size
        transitions += filled(
            TRANSITION, to=[mode.name for mode in modes].index(way.to), first=first, many=len(way.when)
        )
        for each in way.when:
            conditions += _condition(each, signals)
    references: list[float] = []
    rows: list[float] = []
    calls: list[KernelCall] = []
    head = HEAD.size + MODE.size * len(modes)
    behind = head + len(transitions) + len(conditions) + len(shown) + len(modes) * len(names)
    taken = 0
    for mode in modes:
        start = behind + len(references)
        if mode.reference is not None:
            calls.append(KernelCall(HEAD.size + len(rows) + MODE.reference, "reference", mode.reference.kernel))
            references += np.asarray(mode.reference.parameters, dtype=np.float64).tolist()
        at = {own: signals.shown(mode, own)[0] for own in (ATTITUDE, RATE)}
        rows += filled(
            MODE, dwell=mode.dwell, first=taken, many=len(mode.transitions), reference=0.0,
            numbers=(start, behind + len(references)), entry=mode.reference_from == "entry", attitude=at[ATTITUDE],
            rate=at[RATE],
        )  # fmt: skip
        taken += len(mode.transitions)
    place = sum(writes.values())
    if follows:
        writes[REFERENCE_SIGNAL] = REFERENCE.size
    numbers = filled(
        HEAD, modes=len(modes), transitions=len(ways), conditions=len(conditions) // CONDITION.size, shown=len(names),
        reference=signals.places[REFERENCE_SIGNAL], follows=place if follows else -1,
    )  # fmt: skip
    memory = np.zeros(STATE.size + len(conditions) // CONDITION.size)
    memory[STATE.size :] = -1.0
    labels = {"mode": tuple(mode.name for mode in modes), "mode_cause": _causes(ways, signals)}
    units = {"mode_since": "s"}
    written = {name: Signal(width, units.get(name, ""), labels=labels.get(name, ())) for name, width in writes.items()}
    return Block(
        modes_block_kernel, reads=tuple(signals.places), writes=written, clock=Clock(modes[0].law.sample),
        parameters=[*numbers, *rows, *transitions, *conditions, *shown, *np.ravel(sources).tolist(), *references],
        memory=memory, name="modes", linear=_no_form,
        calls=calls,
    ).as_monitor()  # fmt: skip


def _causes(ways: Sequence[Transition], signals: _Signals) -> list[str]:
    """Return the causes of entry as text: "start", then the conditions of each transition."""
    return ["start", *(" and ".join(each.words(signals.unit(each.quantity)) for each in way.when) for way in ways)]


def held_block(mode: Mode, before: Sequence[Block], *, sample: float) -> Block:
    """Return the block that provides the measurements of one fixed mode; before: the preceding blocks."""
    signals = _Signals(before)
    parts = {own: signals.shown(mode, own) for own in mode.remap}
    writes = {own: width for own, (_, width) in parts.items()}
    D = np.zeros((sum(writes.values()), signals.size))
    row = 0
    for place, width in parts.values():
        D[row : row + width, place : place + width] = np.eye(width)
        row += width
    return Block(
        copy_block, reads=tuple(signals.places), writes=writes, clock=Clock(sample), linear=BlockForm(D=D),
        name=f"mode {mode.name}",
    )  # fmt: skip


def _condition(each: Condition, signals: _Signals) -> list[float]:
    kind = KINDS.get(each.quantity, SIGNAL)
    place, width = signals.part(each.quantity) if kind == SIGNAL else (0, 0)
    return filled(
        CONDITION, kind=kind, place=place, width=width, below=each.below, threshold=each.threshold,
        release=each.release, lasting=each.lasting,
    )  # fmt: skip


def _no_form(y0: NDArray[np.float64]) -> BlockForm:
    raise DesignError("modes have no common linear form; use the form of one mode: modes.alone(name, blocks)")
