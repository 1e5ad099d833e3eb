"""Plant, delays and blocks between the law's command and what it is shown, made one linear system at the law's samples.

Between two instants at which anything happens the plant moves by its exponential, exactly; at an instant the blocks
that are due read, and answers whose time has come are handed on, in the order of the engine. Carried through one
period as rows over what stood in memory at its start, this is the lifted system (Khargonekar, Poolla & Tannenbaum
1985, IEEE Trans. AC 30, 1088). States are the plant's, then past commands, newest first, and of each block memory and
answers that still count. The period begins right before the law samples; the blocks in front of it have sampled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.frozen import frozen_results
from ..laws.block import Block
from ..laws.block_form import BlockForm
from .routes import APPLIED, COMMAND_SIZE, LAW, REFERENCE_SIGNAL, SHOWN, Routes, Source
from .sampled_plant import hold

__all__ = ["Lifted", "LiftedParts", "repeats_of"]

Array = NDArray[np.float64]
LawForm = Callable[[Array, Array], tuple[Array, Array]]
"""From its memory and what it is shown to its command and its next memory, all as rows."""

NEAR = 1e-9  # of a period: instants that differ by less are one
LONGEST = 10_000  # samples of the law


class LiftedParts(NamedTuple):
    """s[k+1] = F s + G w + P d, shown = C s: w (3) what the law commands, d (3) a constant torque on the plant."""

    F: Array
    G: Array
    C: Array
    P: Array


def repeats_of(sample: float, blocks: Sequence[Block], tick: Fraction) -> int:
    """Return after how many samples of the law everything on the clock begins again.

    Raises DesignError when that takes more than 10,000 samples.
    """
    law = round(sample / tick)
    whole = lcm(law, *(round(block.sample / tick) for block in blocks)) // law
    if whole > LONGEST:
        raise DesignError(
            f"law and blocks meet again only after {whole:,} samples of the law, and the loop is looked at over that "
            f"time; take periods with a common multiple within {LONGEST:,} samples"
        )
    return whole


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Lifted:
    """What `march` needs: the plant in units of the mean inertia, and the blocks round the law.

    A, B: x' = A x + B u; shows: rows over x of every signal that the plant shows; sees (v, names): rows that make what
    the law sees of the signals named; scale: torque in N m of one unit; forms: of the blocks; repeats: samples of the
    law until everything begins again.
    """

    A: Array
    B: Array
    shows: Mapping[str, Array]
    sees: Sequence[tuple[str, Array]]
    scale: float
    sample: float
    delay: float
    blocks: Sequence[Block]
    forms: Sequence[BlockForm]
    routes: Routes
    repeats: int
    _held: dict[float, tuple[Array, Array]] = field(default_factory=dict[float, tuple[Array, Array]])

    def parts(self, late: Sequence[float]) -> LiftedParts:
        """Return the lifted system, open at the law; late (3,): further delay of each component of its command, s."""
        F, C = _March(self, late, order=0, inputs=2 * COMMAND_SIZE).through(None)
        n = len(F)
        keep = _alive(F[:, :n], C[:, :n], len(self.A))
        G, P = F[keep, n : n + COMMAND_SIZE], F[keep, n + COMMAND_SIZE :]
        return LiftedParts(F[np.ix_(keep, keep)], G, C[:, keep], P)

    def monodromy(self, late: Sequence[float], law: LawForm, order: int) -> Array:
        """Return what the loop closed by a law makes of its states over the whole period; order: states of the law."""
        F, _ = _March(self, late, order=order, inputs=0).through(law)
        keep = _alive(F, np.zeros((0, len(F))), len(self.A))
        return F[np.ix_(keep, keep)]

    def moved(self, duration: float) -> tuple[Array, Array]:
        """Return exp(A s) and the integral of exp(A s') B, kept."""
        key = round(duration / self.sample, 13)
        if key not in self._held:
            self._held[key] = hold(self.A, self.B, duration=duration)
        return self._held[key]


def _alive(F: Array, C: Array, first: int) -> list[int]:
    """The first states and those others that act on anything: what acts on nothing is a pole at z = 0 and no more."""
    keep: list[int] = list(range(len(F)))
    while True:
        left = [n for n in keep if n < first or F[keep, n].any() or C[:, n].any()]
        if len(left) == len(keep):
            return keep
        keep = left


class _March:
    """One way through the period; every matrix is rows over [states at its start; inputs]."""

    def __init__(self, lifted: Lifted, late: Sequence[float], *, order: int, inputs: int) -> None:
        self.all = lifted
        self.delays = [lifted.delay + extra for extra in late]
        self.span = lifted.repeats * lifted.sample
        source = lifted.routes.command
        past = max(floor(delay / lifted.sample + NEAR) for delay in self.delays) + 2
        names: list[tuple[object, int]] = [("x", len(lifted.A)), *((("u", -j), 3) for j in range(1, past + 1))]
        self.behind = lifted.routes.law_at
        self.phases = [block.offset % block.sample for block in lifted.blocks]
        for n, (block, form) in enumerate(zip(lifted.blocks, lifted.forms, strict=True)):
            if block.sample - self.phases[n] < NEAR * block.sample:
                self.phases[n] = 0.0
            names.append((("z", n), form.order))
            newest = 0 if n < self.behind and self.phases[n] < NEAR * block.sample else -1
            oldest = self._rank(n, 0.0) - (1 if source.by == n else 0)
            names += [(("a", n, a), len(np.asarray(form.D))) for a in range(newest, oldest - 1, -1)]
        names.append(("law", order))
        self.names = names
        total = sum(size for _, size in names) + inputs
        self.now: dict[object, Array] = {}
        at = 0
        for key, size in names:
            self.now[key] = np.eye(size, total, at)
            at += size
        self.entering = np.eye(COMMAND_SIZE, total, at)
        self.torque = np.eye(COMMAND_SIZE, total, at + COMMAND_SIZE) if inputs else 0.0
        self.total = total

    def _rank(self, n: int, t: float, *, before: bool = False) -> int:
        """Which answer of block n counts at t, or right before."""
        block = self.all.blocks[n]
        return floor((t - self.phases[n] - block.delay) / block.sample + (-NEAR if before else NEAR))

    def _read(self, source: Source, t: float) -> Array:
        every = self.all
        if source.by == SHOWN and source.name == APPLIED:
            return self._acting(t, before=True) * every.scale
        if source.by == SHOWN and source.name == REFERENCE_SIGNAL:
            return np.zeros((source.width, self.total))
        if source.by == SHOWN:
            return every.shows[source.name] @ self.now["x"]
        if source.by == LAW:
            return self._commands(t, before=False) * every.scale
        return self._answer(source, t, before=False)

    def _answer(self, source: Source, t: float, *, before: bool) -> Array:
        first = 0
        for written in self.all.routes.writes[source.by]:
            if written == source:
                break
            first += written.width
        return self.now["a", source.by, self._rank(source.by, t, before=before)][first : first + source.width]

    def _commands(self, t: float, *, before: bool) -> Array:
        edge = -NEAR if before else NEAR
        rows = [self.now["u", floor((t - delay) / self.all.sample + edge)][i] for i, delay in enumerate(self.delays)]
        return np.array(rows)

    def _acting(self, t: float, *, before: bool = False) -> Array:
        """What acts from t on, or until t, in units of the mean inertia."""
        source = self.all.routes.command
        if source.by == LAW:
            return self._commands(t, before=before)
        return self._answer(source, t, before=before) / self.all.scale

    def _sample(self, n: int, t: float) -> None:
        """Let block n sample if it is due."""
        block, form = self.all.blocks[n], self.all.forms[n]
        rank = (t - self.phases[n]) / block.sample
        if rank < -0.5 or abs(rank - round(rank)) > NEAR:
            return
        y = np.vstack([self._read(source, t) for source in self.all.routes.reads[n]])
        z = self.now["z", n]
        self.now["a", n, round(rank)] = np.asarray(form.C) @ z + np.asarray(form.D) @ y
        self.now["z", n] = np.asarray(form.A) @ z + np.asarray(form.B) @ y

    def _shown(self, t: float) -> Array:
        reads = self.all.routes.law_reads
        return np.vstack([rows @ self._read(reads[name], t) for name, rows in self.all.sees])

    def _instants(self) -> list[float]:
        every = self.all
        found = [k * every.sample for k in range(every.repeats + 1)]
        lags = [(every.sample, 0.0, delay) for delay in self.delays] if every.routes.command.by == LAW else []
        for n, block in enumerate(every.blocks):
            lags += [(block.sample, self.phases[n], lag) for lag in {0.0, block.delay}]
        for period, phase, lag in lags:
            first = (phase + lag) % period
            count = floor((self.span - first) / period + NEAR) + 1
            found += [first + k * period for k in range(count)]
        ordered = sorted(found)
        return [t for t, before in zip(ordered, [-1.0, *ordered], strict=False) if t - before > NEAR * every.sample]

    def through(self, law: LawForm | None) -> tuple[Array, Array]:
        """Return the states at the end of the period, and what the law is shown at its start."""
        every = self.all
        shown = self._shown(0.0)
        instants = self._instants()
        for here, after in zip(instants, [*instants[1:], None], strict=True):
            if here > 0.0:
                for n in range(self.behind):
                    self._sample(n, here)
            if after is None:
                break
            k = here / every.sample
            if abs(k - round(k)) < NEAR:
                self._law(round(k), here, law)
            for n in range(self.behind, len(every.blocks)):
                self._sample(n, here)
            flow, gain = every.moved(after - here)
            self.now["x"] = flow @ self.now["x"] + gain @ (self._acting(here) + self.torque)
        end = [self.now[self._later(key)] for key, _ in self.names]
        return np.vstack(end), shown

    def _law(self, k: int, t: float, law: LawForm | None) -> None:
        if law is None:
            self.now["u", k] = self.entering
        else:
            self.now["u", k], self.now["law"] = law(self.now["law"], self._shown(t))

    def _later(self, key: object) -> object:
        """What a state of the start is called at the end."""
        match key:
            case ("u", int(c)):
                return "u", c + self.all.repeats
            case ("a", int(n), int(a)):
                return "a", n, a + round(self.span / self.all.blocks[n].sample)
            case _:
                return key
