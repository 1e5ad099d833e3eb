"""Linear analysis of a loop along a periodic motion: monodromy matrix and Floquet multipliers.

The linear models along the motion are computed at nodes and interpolated by quintic splines. If there is no law, the
transition matrix of z' = A(t) z is a product of fourth-order Magnus steps (Iserles & Norsett 1999), whose number is
doubled until the product does not change. If there is a sampled law, it is the product over the samples of the
closed-loop matrices of the plant at the middle of each sample, exact to second order in the sample over the orbital
period.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.errors import DesignError
from ...plant.frozen import frozen_results
from ...plant.one_thread import one_thread
from ..contracts.law_defaults import with_defaults
from .attitude_model import scaled
from .sampled_loop import SampledLoop

if TYPE_CHECKING:
    from ..contracts.block import Block
    from ..contracts.law import Law

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

FIRST, LAST = 32, 512
"""Smallest and largest number of intervals between nodes."""
INTERPOLATED = 1e-9
"""Interpolation error, relative to the largest entry, at which refinement ends."""
AGREED = 1e-11
"""Relative change of the transition matrix at which the steps are short enough."""
MOST_STEPS = 65_536
NONE = (0.0, 0.0, 0.0)
ONES = (1.0, 1.0, 1.0)


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Monodromy:
    """Transition matrix of a linear periodic system over one period.

    matrix (n, n): the transition matrix, divided by exp(log_scale), momenta in units of the mean inertia.
    log_scale: natural logarithm of the factor, which avoids underflow of fast loops.
    """

    matrix: NDArray[Any]
    log_scale: float

    def multipliers(self) -> Complex:
        """Return the Floquet multipliers, largest modulus first; conjugates are adjacent."""
        values = np.asarray(np.linalg.eigvals(self.matrix), dtype=np.complex128)
        size = np.abs(values) / max(float(np.abs(values).max()), 1e-300)
        return values[np.lexsort((-values.imag, -size.round(12)))] * np.exp(self.log_scale)

    def largest(self) -> float:
        """Return the logarithm of the largest modulus of the multipliers."""
        most = float(np.abs(np.linalg.eigvals(self.matrix)).max())
        return float(np.log(most)) + self.log_scale if most > 0.0 else -np.inf


class Interpolated:
    """Quintic spline through matrices at the nodes of an interval, refined until it is accurate.

    error: estimated interpolation error, relative to the largest entry; closure: largest difference between the values
    at 0 and after a period (by default the span), relative to the largest variation.
    """

    def __init__(
        self, at: Callable[[float], Sequence[NDArray[Any]]], span: float, *, period: float | None = None
    ) -> None:
        from scipy import interpolate

        through: Any = cast("Any", interpolate).make_interp_spline
        count = FIRST
        rows = {0: _flat(at(0.0))}
        while True:
            step = LAST // count
            for n in range(0, LAST + 1, step):
                if n not in rows:
                    rows[n] = _flat(at(span * n / LAST))
            if len({row.size for row in rows.values()}) > 1:
                raise DesignError(
                    "the states that act on the attitude change along the orbit, so the loop has no transition matrix: "
                    "an element acts only on part of the orbit; remove it, or give it a small stiffness or damping"
                )
            nodes = np.array(sorted(rows), dtype=np.float64) * (span / LAST)
            values = np.array([rows[n] for n in sorted(rows)])
            self.error = np.inf
            if count > FIRST:
                coarse: Any = through(nodes[::2], values[::2], k=5)
                missed = np.abs(coarse(nodes[1::2]) - values[1::2]).max(axis=0)
                self.error = float(missed.max() / np.abs(values).max()) / 32.0  # of the finer spline, order 6
                if self.error <= INTERPOLATED or count == LAST:
                    break
            count *= 2
        self._spline: Any = through(nodes, values, k=5)
        self.shapes = [np.shape(each) for each in at(0.0)]
        varied = float(np.ptp(values, axis=0).max())
        steady = varied <= INTERPOLATED * float(np.abs(values).max())
        last: Array = values[-1] if period is None else self._spline(period)
        self.closure = 0.0 if steady else float(np.abs(last - values[0]).max()) / varied

    def __call__(self, t: Array) -> list[NDArray[Any]]:
        """Return the matrices at times t (m,), each with a leading axis of times."""
        values, found, first = self._spline(t), list[NDArray[Any]](), 0
        for shape in self.shapes:
            size = int(np.prod(shape))
            found.append(values[:, first : first + size].reshape(-1, *shape))
            first += size
        return found


def _flat(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate([np.asarray(part).ravel() for part in parts])


class FreeOrbit:
    """A spacecraft without a sampled law along a periodic motion.

    Parameters
    ----------
    model_at : callable
        Linear model at a time, s.
    period : float
        Period, s.
    """

    def __init__(self, model_at: Callable[[float], LinearModel], period: float) -> None:
        first = model_at(0.0)
        self.period = period
        self.states = first.states
        _, _, self.T, self.scale = scaled(first)
        self._at = Interpolated(lambda t: (scaled(model_at(t), self.scale)[0],), period)
        self.error, self.closure = self._at.error, self._at.closure

    @one_thread
    def monodromy(self) -> Monodromy:
        """Return the transition matrix over one period."""
        steps, before = 256, np.zeros(0)
        while True:
            found = self._product(steps)
            whole = found.matrix * np.exp(found.log_scale)
            if before.size and (np.abs(whole - before).max() <= AGREED * np.abs(whole).max() or steps >= MOST_STEPS):
                return found
            before, steps = whole, 2 * steps

    def _product(self, steps: int) -> Monodromy:
        from scipy import linalg

        h = self.period / steps
        middle = h * (np.arange(steps) + 0.5)
        offset = h * np.sqrt(3.0) / 6.0
        (first,), (second,) = self._at(middle - offset), self._at(middle + offset)
        exponent = 0.5 * h * (first + second) - np.sqrt(3.0) / 12.0 * h * h * (first @ second - second @ first)
        return product(np.asarray(cast("Any", linalg).expm(exponent)))


class OrbitLoop:
    """A sampled law along a periodic motion.

    Parameters
    ----------
    model_at : callable
        Linear model at a time, s.
    law : Law
        The law.
    period : float
        Period, s.
    blocks : sequence of Block
        Blocks of the loop, with the law's sampling period.

    Attributes
    ----------
    samples : int
        Number of samples of the law over which the transition matrix is taken: the period, rounded to whole samples.
    words : tuple of str
        Effects neglected in the linear forms.
    """

    def __init__(
        self, model_at: Callable[[float], LinearModel], law: "Law", *, period: float, blocks: "Sequence[Block]" = ()
    ) -> None:
        self._model_at, self._law, self._blocks = model_at, with_defaults(law), tuple(blocks)
        self._loops: dict[float, SampledLoop] = {}
        first = self.loop_at(0.0)
        if first.repeats > 1:
            raise DesignError(
                f"law and blocks have a common sample only after {first.repeats} samples of the law, but a loop along "
                "an orbit is analysed sample by sample; give the blocks the law's sampling period"
            )
        self.period, self.sample, self.words = period, first.sample, first.words
        self.samples = max(round(period / first.sample), 1)
        self.span = self.samples * first.sample
        self.inputs = first.inputs
        self.T = first.T
        self.states = first.states
        self._parts: dict[tuple[float, ...], Interpolated] = {}
        self.error, self.closure = self._interpolated(NONE).error, self._interpolated(NONE).closure

    def loop_at(self, t: float) -> SampledLoop:
        """Return the loop about the motion with the plant frozen at time t, s, the middle of a sample of the law."""
        if t not in self._loops:
            self._loops[t] = self._law.frozen_at(t).loop(self._model_at(t), blocks=self._blocks)
        return self._loops[t]

    def _interpolated(self, late: tuple[float, ...]) -> Interpolated:
        if late not in self._parts:
            if len(self._parts) > 2:
                self._parts.pop(next(iter(self._parts)))
            self._parts[late] = Interpolated(lambda t: self.loop_at(t).matrices(late), self.span, period=self.period)
        return self._parts[late]

    @one_thread
    def monodromy(self, late: ArrayLike = NONE, *, factor: ArrayLike = ONES, segments: int | None = None) -> Monodromy:
        """Return the transition matrix over `samples` samples of the law.

        Parameters
        ----------
        late : array_like, shape (3,)
            Additional delay of each input, s.
        factor : array_like, shape (3,)
            Factor on each input.
        segments : int, optional
            Number of segments into which the orbit is divided, with a constant plant on each; by default one for each
            sample.

        Returns
        -------
        Monodromy
            The matrix over the states of the plant, pending commands, blocks and law.
        """
        count = self.samples if segments is None else min(segments, self.samples)
        edges = np.arange(count + 1) * self.samples // count
        t = np.asarray(self.sample * 0.5 * (edges[1:] + edges[:-1]), dtype=np.float64)
        F, G, K = self._interpolated(tuple(np.asarray(late, dtype=np.float64).tolist()))(t)
        steps = F - (G * np.asarray(factor)) @ K
        for many in set(np.diff(edges).tolist()) - {1}:
            of_length = np.diff(edges) == many
            steps[of_length] = np.linalg.matrix_power(steps[of_length], many)
        return product(steps)


def product(matrices: NDArray[Any]) -> Monodromy:
    """Return the product M[n-1] ... M[1] M[0] of matrices (n, k, k), without underflow."""
    size = 0.0
    while len(matrices) > 1:
        odd = matrices[-1:] if len(matrices) % 2 else matrices[:0]
        pairs = matrices[1 : len(matrices) - len(odd) : 2] @ matrices[0 : len(matrices) - len(odd) : 2]
        matrices = np.concatenate((pairs, odd))
        scale = np.abs(matrices).max(axis=(1, 2), keepdims=True)
        scale[scale == 0.0] = 1.0
        matrices = matrices / scale
        size += float(np.log(scale).sum())
    return Monodromy(matrix=matrices[0], log_scale=size)
