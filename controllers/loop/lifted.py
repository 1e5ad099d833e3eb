"""Lifted system of plant, delays and blocks, from the law's command to its measurement.

Between events the matrix exponential propagates the plant exactly. At an event, each block whose sample is due runs,
and each output whose delay ends takes effect, in the same order as in the engine. Propagation through one common
period, with every quantity a linear function of the initial states, gives the lifted system (Khargonekar, Poolla &
Tannenbaum 1985, IEEE Trans. AC 30, 1088). The states are the plant's, then past commands, newest first, and the memory
and pending outputs of each block. The period begins just before the law samples; blocks ahead of the law have already
sampled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.frozen import frozen_results
from ..contracts.block import Block
from ..contracts.block_form import BlockForm
from .multirate import Multirate
from .routes import COMMAND_SIZE, Routes
from .sampled_plant import hold

Array = NDArray[np.float64]
Law = tuple[Array, Array, Array, Array]
"""Matrices A, B, C, D of a law, from its measurement to its command."""

LONGEST = 10_000  # samples of the law: longest common period


class LiftedParts(NamedTuple):
    """s[k+1] = F s + G w + P d, measurement C s, for the law's command w (3) and a constant torque d (3)."""

    F: Array
    G: Array
    C: Array
    P: Array


class LiftedCut(NamedTuple):
    """s+ = F s + G w + N v, u = K s + D v, y = C s + H w over a period; w = u and v = y close the loop.

    w is the torque applied to the plant, u the law's command, v the law's input and y the measurement; each stacks its
    values at the samples of the period. D is block lower triangular and H strictly block lower triangular: the system
    is causal.
    """

    F: Array
    G: Array
    N: Array
    K: Array
    D: Array
    C: Array
    H: Array


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Opened:
    """The lifted system broken at each sample of the law: s+ = F s + G w, measurement = C s + H w.

    w (3 p): commands at the p samples of the law in the period; C (p, m, n), H (p, m, 3 p): one matrix for each of
    these samples; H is causal; P (n, 3): input matrix for a constant torque.
    """

    F: Array
    G: Array
    C: Array
    H: Array
    P: Array

    def monodromy(self, law: Law, factor: NDArray[Any]) -> NDArray[Any]:
        """Return the transition matrix of the closed loop over a period; factor (3,): factors on the commands.

        A complex factor shifts the phase of a command component equally at every sample.
        """
        a, b, c, d = law
        p, n = len(self.C), len(self.F)
        size = n + len(a)
        memory = np.eye(len(a), size, n)
        commands = np.zeros((COMMAND_SIZE * p, size), dtype=factor.dtype)
        for k in range(p):
            shown = self.H[k, :, : COMMAND_SIZE * k] @ commands[: COMMAND_SIZE * k]
            shown[:, :n] += self.C[k]
            commands[COMMAND_SIZE * k : COMMAND_SIZE * (k + 1)] = factor[:, None] * (c @ memory + d @ shown)
            memory = a @ memory + b @ shown
        after = self.G @ commands
        after[:, :n] += self.F
        return np.vstack((after, memory))

    def cut(self, law: Law) -> LiftedCut:
        """Return the loop with a law, its memory among the states, broken at commands and at measurements."""
        a, b, c, d = law
        p, n, m, measured = len(self.C), len(self.F), COMMAND_SIZE, self.C.shape[1]
        memory = np.eye(len(a), len(a) + measured * p)
        answers = np.zeros((m * p, len(a) + measured * p))
        for k in range(p):
            seen = np.eye(measured, len(a) + measured * p, len(a) + measured * k)
            answers[m * k : m * (k + 1)] = c @ memory + d @ seen
            memory = a @ memory + b @ seen
        size = n + len(a)
        F = np.zeros((size, size))
        F[:n, :n], F[n:, n:] = self.F, memory[:, : len(a)]
        G, N = np.zeros((size, m * p)), np.zeros((size, measured * p))
        G[:n], N[n:] = self.G, memory[:, len(a) :]
        K, C = np.zeros((m * p, size)), np.zeros((measured * p, size))
        K[:, n:], C[:, :n] = answers[:, : len(a)], self.C.reshape(measured * p, n)
        return LiftedCut(F, G, N, K, answers[:, len(a) :], C, self.H.reshape(measured * p, m * p))


def repeats_of(sample: float, blocks: Sequence[Block], forms: Sequence[BlockForm], tick: Fraction) -> int:
    """Return the common period of the law and all blocks, in samples of the law.

    Raises DesignError when the period exceeds 10,000 samples.
    """
    law = round(sample / tick)
    turns = (1 + len(form.after) for form in forms)
    whole = (
        lcm(law, *(round(block.clock.period / tick) * many for block, many in zip(blocks, turns, strict=True))) // law
    )
    if whole > LONGEST:
        raise DesignError(
            f"law and blocks have a common sample only after {whole:,} samples of the law, over which the loop would "
            f"be analysed; use periods with a common multiple within {LONGEST:,} samples"
        )
    return whole


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Lifted:
    """Plant and blocks from which the lifted system is computed, in units of the mean inertia.

    A, B: x' = A x + B u; outside (n, 3): input matrix for an external torque on the body; shows: every signal of the
    plant as rows over x; sees (v, names): rows from the named signals to the law's measurement; scale: torque in N m
    per internal unit; forms: linear forms of the blocks; repeats: common period in samples of the law.
    """

    A: Array
    B: Array
    outside: Array
    shows: Mapping[str, Array]
    sees: Sequence[tuple[str, Array]]
    scale: float
    sample: float
    delay: float
    blocks: Sequence[Block]
    forms: Sequence[BlockForm]
    routes: Routes
    repeats: int
    _held: dict[float, tuple[Array, Array, Array]] = field(default_factory=dict[float, tuple[Array, Array, Array]])

    def opened(self, late: Sequence[float]) -> Opened:
        """Return the lifted system broken at the law; late (3,): additional delay of each command, s."""
        march = Multirate(self, late)
        march.through()
        n = march.states
        shown = np.array(march.shown)
        keep = alive(march.end[:, :n], shown[:, :, :n].reshape(-1, n), len(self.A))
        pushed, torque = slice(n, n + COMMAND_SIZE * self.repeats), slice(n + COMMAND_SIZE * self.repeats, None)
        return Opened(
            F=march.end[keep][:, keep],
            G=march.end[keep, pushed],
            C=shown[:, :, keep],
            H=shown[:, :, pushed],
            P=march.end[keep, torque],
        )

    def parts(self, late: Sequence[float]) -> LiftedParts:
        """Return the lifted system, which has no feedthrough.

        Valid only if the common period is one sample of the law.
        """
        found = self.opened(late)
        return LiftedParts(found.F, found.G, found.C[0], found.P)

    def moved(self, duration: float) -> tuple[Array, Array, Array]:
        """Return exp(A s) and the integrals of exp(A s') B and exp(A s') outside over s seconds, from a cache."""
        key = round(duration / self.sample, 13)
        if key not in self._held:
            flow, gain = hold(self.A, self.B, duration=duration)
            alike = np.array_equal(self.B, self.outside)
            self._held[key] = flow, gain, gain if alike else hold(self.A, self.outside, duration=duration)[1]
        return self._held[key]


def alive(F: Array, C: Array, first: int) -> NDArray[np.intp]:
    """Return the indices of the first states and of all states on which these or the outputs depend.

    The remaining states only add poles at z = 0.
    """
    acts = F != 0.0
    kept = (C != 0.0).any(axis=0)
    kept[:first] = True
    keep = np.ones(len(F), dtype=bool)
    while True:
        left = keep & (kept | acts[keep].any(axis=0))
        if (left == keep).all():
            return np.flatnonzero(keep)
        keep = left
