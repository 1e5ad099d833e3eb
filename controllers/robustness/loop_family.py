"""Loops that differ by some numbers, as one loop with something uncertain in it.

A rigid craft at rest answers to torque with J^-1 and nothing else: sampled or not, the loop of every such craft is that
of one of them with its commands times a matrix E = J_0 J^-1, and E^-1 is straight in J. Whether loops are of this kind
is seen in their responses. Others are taken by their matrices, [s+; u] = X [s; w], as these depend on the numbers; what
the law measures is counted among their states, so that it does not depend on them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from ..loop.sampled_loop import SampledLoop
from .arcs import Transfer
from .late import Folded, folded, samples_late
from .multipliers import UncertainBlock
from .shapes import Shape
from .straight_fit import Box, StraightFit, straight_fit

__all__ = ["LoopFamily", "Numbers", "UncertainLoop"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Numbers = tuple[float, ...]

ALIKE = 1e-9  # of the response: loops that differ by more are not one another's with a gain
ANGLES = (0.001, 0.01, 0.05, 0.2, 0.6, 1.2, 2.0, 2.8)  # rad per sample, where responses are compared
OWN = 1e-6  # of a row: with less that is its own it is no state beside the others
SMALL = 1e-6  # of the largest weight of a state
NOTHING = 1e-6  # of the largest bound of a row: with less it counts as so much


class UncertainLoop(NamedTuple):
    """The loops of a box: [s+; u; v] = P [s; w; d] with d = Delta v, w the torque that arrives and u what is commanded.

    P (n + 3 + v, n + 3 + d); blocks: of Delta; states: n; rest: of `StraightFit`; influence (k,): of each number.
    """

    P: Array
    blocks: tuple[UncertainBlock, ...]
    states: int
    rest: float
    influence: Array

    @property
    def stable(self) -> bool:
        """Whether the loop without anything uncertain is."""
        n = self.states
        closed = self.P[:n, :n] + self.P[:n, n : n + 3] @ self.P[n : n + 3, :n]
        return bool(np.abs(np.linalg.eigvals(closed)).max() < 1.0)

    def closed(self, shape: Shape, size: float, top: float) -> tuple[Transfer, tuple[UncertainBlock, ...]]:
        """Return the closed loop as what is uncertain of plant and torque sees it, and the blocks of that.

        shape, size: how the torque changes, and how much; top: angle per sample up to which it is to hold, rad.
        """
        n = self.states
        factor, changed = shape.factor(size, top)
        torque = np.eye(3)[:, list(shape.inputs)]
        A, u, v = self.P[:n], self.P[n : n + 3], self.P[n + 3 :]
        K, Ku = u[:, :n], u[:, n + 3 :]  # u = K s + Ku d: no torque is commanded the moment that it arrives
        arrives = np.eye(3) + (factor.start - 1.0) * (torque @ torque.T)
        G, R = A[:, n : n + 3], v[:, n : n + 3]
        through = np.block(
            [
                [v[:, n + 3 :] + R @ arrives @ Ku, factor.slope * (R @ torque)],
                [torque.T @ Ku, factor.bend * np.eye(torque.shape[1])],
            ]
        )
        sees = np.vstack((v[:, :n] + R @ arrives @ K, torque.T @ K))
        enters = np.hstack((A[:, n + 3 :] + G @ arrives @ Ku, factor.slope * (G @ torque)))
        whole = A[:, :n] + G @ arrives @ K
        parts = (np.asarray(each, dtype=np.complex128) for each in (whole, enters, sees, through))
        return Transfer(*parts), (*self.blocks, *changed)

    def beside(self, sizes: Array, inputs: Sequence[int]) -> "UncertainLoop":
        """Return the same with any complex matrix between some torques that arrive and those commanded.

        sizes (3, 3): bounds of its entries; inputs: the torques that arrive.
        """
        some = sizes[:, list(inputs)]
        out, into = np.sqrt(some.max(axis=1)), np.sqrt(some.max(axis=0))
        if not out.any():
            return self
        out, into = np.maximum(out, NOTHING * out.max()), np.maximum(into, NOTHING * into.max())
        norm = float(np.sqrt(np.linalg.norm(some / out[:, None] / into, 2)))
        n, (rows, columns) = self.states, self.P.shape
        P = np.zeros((rows + len(into), columns + 3))
        P[:rows, :columns] = self.P
        P[n : n + 3, columns:] = norm * np.diag(out)
        P[rows:, n : n + 3] = norm * into[:, None] * np.eye(3)[list(inputs)]
        return self._replace(P=P, blocks=(*self.blocks, UncertainBlock("full", len(into), 3)))


@dataclass(eq=False)
class LoopFamily:
    """Loops by numbers from -1 to 1.

    loop_at: the loop of some numbers; numbers: how many. Raises DesignError where the loops are not alike.
    """

    loop_at: Callable[[Numbers], SampledLoop]
    numbers: int
    _known: dict[Numbers, Array] = field(default_factory=dict[Numbers, Array])

    @property
    def crafts(self) -> int:
        """How many have been looked at."""
        return len(self._known)

    def over(self, box: Box) -> UncertainLoop:
        """Return the loops of a box as one."""
        if not self.is_gain:
            return self._whole(straight_fit(self._weighed, box))
        found, inverse = straight_fit(self._matrix, box), straight_fit(self._inverse, box)
        F, G, K = self._parts
        n = len(F)
        if found.rest < inverse.rest:
            middle, left, right = found.middle, found.left, found.right
            back = np.zeros((len(right), left.shape[1]))
        else:
            found = inverse  # 1 / (E_0 + L d R): d sees R (1 / E), and comes back through it
            middle = np.linalg.inv(inverse.middle)
            left, right = -middle @ inverse.left, inverse.right @ middle
            back = inverse.right @ left
        P = np.block(
            [
                [F, G @ middle, G @ left],
                [K, np.zeros((3, 3 + left.shape[1]))],
                [np.zeros((len(right), n)), right, back],
            ]
        )
        return UncertainLoop(P, found.blocks, n, found.rest, found.influence)

    def _whole(self, found: StraightFit) -> UncertainLoop:
        weight = self._weights
        through = np.zeros((len(found.right), found.left.shape[1]))
        P = np.block(
            [[found.middle * weight[:, None] / weight, found.left * weight[:, None]], [found.right / weight, through]]
        )
        return UncertainLoop(P, found.blocks, len(weight) - 3, found.rest, found.influence)

    @cached_property
    def is_gain(self) -> bool:
        """Whether every loop is that in the middle times a gain, as far as some corners tell."""
        return all(self._gain(x) is not None for x in self._ends)

    @cached_property
    def folded(self) -> Folded:
        """What the fraction of a sample does to late torque, beside its phase."""
        return folded(self._loop(x) for x in ((0.0,) * self.numbers, *self._ends))

    def samples_late(self, delay: float) -> float:
        """How many samples late torque is at most, if its commands are by up to so many seconds."""
        return max(samples_late(self._loop(x), delay) for x in ((0.0,) * self.numbers, *self._ends))

    @cached_property
    def _ends(self) -> tuple[Numbers, ...]:
        """Some corners."""
        ends = [(-1.0,) * self.numbers, (1.0,) * self.numbers]
        ends += [
            tuple(side if k == n else -side for k in range(self.numbers))
            for n in range(self.numbers)
            for side in (1.0, -1.0)
        ]
        return tuple(dict.fromkeys(ends))

    @cached_property
    def _reference(self) -> SampledLoop:
        return self.loop_at((0.0,) * self.numbers)

    @cached_property
    def _parts(self) -> tuple[Array, Array, Array]:
        F, G, K = self._reference.matrices()
        return F, G, -K

    @cached_property
    def _response(self) -> Complex:
        return self._reference.broken((0, 1, 2)).response(ANGLES)

    def _loop(self, x: Numbers) -> SampledLoop:
        found = self.loop_at(x).in_units_of(self._reference.scale)
        if found.repeats > 1:
            found.matrices()  # which says why it has none
        return found

    @one_thread
    def _gain(self, x: Numbers) -> Array | None:
        """E (3, 3) at some numbers; None where the loop is not that in the middle times a gain."""
        middle = self._response
        rows, wanted = (
            np.concatenate((each.real, each.imag)).reshape(-1, 3)
            for each in (middle, self._loop(x).broken((0, 1, 2)).response(ANGLES))
        )
        sizes = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
        E = np.asarray(np.linalg.lstsq(rows / sizes, wanted / sizes, rcond=None)[0], dtype=np.float64)
        off = float((np.abs(rows @ E - wanted) / sizes).max())
        return E if off < ALIKE * max(1.0, float(np.abs(E).max())) else None

    def _matrix(self, x: Numbers) -> Array:
        if x not in self._known:
            E = self._gain(x)
            if E is None:
                raise DesignError(
                    "the loops of some crafts are one another's with a gain and those of others are not; give the "
                    "dispersions narrower bounds"
                )
            self._known[x] = E
        return self._known[x]

    def _inverse(self, x: Numbers) -> Array:
        return np.asarray(np.linalg.inv(self._matrix(x)), dtype=np.float64)

    def _weighed(self, x: Numbers) -> Array:
        """X (n + 3, n + 3) at some numbers, every signal in units of what a random torque makes of it."""
        if x not in self._known:
            X, middle = self._plain(x), self._plain((0.0,) * self.numbers)
            if X.shape != middle.shape:
                raise DesignError(
                    f"the loop has {len(X) - 3} states for some crafts and {len(middle) - 3} for that in the middle, "
                    "so no one model has all of them; leave out what changes that, such as a delay"
                )
            self._known[x] = X / self._weights[:, None] * self._weights
        return self._known[x]

    @one_thread
    def _plain(self, x: Numbers) -> Array:
        loop = self._loop(x)
        F, G, K = loop.matrices()
        T = np.eye(len(F))
        n = loop.C.shape[1]
        T[:n, :n] = np.vstack((loop.C, np.eye(n)))[self._rows]
        back = np.linalg.inv(T)
        return np.block([[T @ F @ back, T @ G], [-K @ back, np.zeros((3, 3))]])

    @cached_property
    def _rows(self) -> list[int]:
        """Which of what is measured, and of the plant's states, are states together."""
        C = self._reference.C
        n = C.shape[1]
        kept, basis = list[int](), np.zeros((0, n))
        for k, row in enumerate(np.vstack((C, np.eye(n)))):
            size = float(np.linalg.norm(row))
            own = row - basis.T @ (basis @ row)
            if len(kept) < n and size > 0.0 and float(np.linalg.norm(own)) > OWN * size:
                kept.append(k)
                basis = np.vstack((basis, own / np.linalg.norm(own)))
        return kept

    @cached_property
    def _weights(self) -> Array:
        from scipy import linalg

        X = self._plain((0.0,) * self.numbers)
        n = len(X) - 3
        A, G, K = X[:n, :n], X[:n, n:], X[n:, :n]
        P = np.asarray(cast("Any", linalg).solve_discrete_lyapunov(A + G @ K, G @ G.T), dtype=np.float64)
        sizes = np.sqrt(np.maximum(np.diag(P), 0.0))
        return np.append(np.maximum(sizes, SMALL * max(float(sizes.max()), 1e-300)), np.ones(3))
