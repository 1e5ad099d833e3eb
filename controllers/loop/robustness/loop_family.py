"""Parameter-dependent loops modelled as one uncertain loop.

A rigid spacecraft at rest responds to torque through J^-1 only. The sampled loop of every such spacecraft is therefore
a reference loop (inertia J_0) whose commands are multiplied by E = J_0 J^-1, and E^-1 is affine in J. The frequency
responses show whether the loops are of this kind. Other loops are modelled by their matrices, [s+; u] = X [s; w], as
functions of the parameters. The law's measurements are among the states, so that the output matrix does not depend on
the parameters.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError
from ....plant.one_thread import one_thread
from ..sampled_loop import SampledLoop
from .affine_fit import AffineFit, Box, affine_fit
from .delay_factor import Folded, folded, samples_late
from .frequency_intervals import Transfer
from .multipliers import UncertainBlock
from .shapes import Shape

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Numbers = tuple[float, ...]

ALIKE = 1e-9  # relative tolerance for responses of loops that differ only by a gain
ANGLES = (0.001, 0.01, 0.05, 0.2, 0.6, 1.2, 2.0, 2.8)  # rad per sample: frequencies at which responses are compared
OWN = 1e-6  # smallest relative independent part of a row that becomes a state
SMALL = 1e-6  # lower limit of a state's weight, relative to the largest weight
NOTHING = 1e-6  # lower limit of a row's bound, relative to the largest bound


class UncertainLoop(NamedTuple):
    """Uncertain loop of a box: [s+; u; v] = P [s; w; d], d = Delta v, applied torque w, command u.

    P (n + 3 + v, n + 3 + d); blocks: blocks of Delta; states: n; rest, influence (k,): as in `AffineFit`.
    """

    P: Array
    blocks: tuple[UncertainBlock, ...]
    states: int
    rest: float
    influence: Array

    @property
    def stable(self) -> bool:
        """True if the nominal loop is stable."""
        n = self.states
        closed = self.P[:n, :n] + self.P[:n, n : n + 3] @ self.P[n : n + 3, :n]
        return bool(np.abs(np.linalg.eigvals(closed)).max() < 1.0)

    def closed(self, shape: Shape, size: float, top: float) -> tuple[Transfer, tuple[UncertainBlock, ...]]:
        """Return the closed loop between outputs and inputs of the uncertain blocks, and these blocks.

        shape, size: kind and magnitude of the torque change; top: largest angle per sample at which it is valid, rad.
        """
        n = self.states
        factor, changed = shape.factor(size, top)
        torque = np.eye(3)[:, list(shape.inputs)]
        A, u, v = self.P[:n], self.P[n : n + 3], self.P[n + 3 :]
        K, Ku = u[:, :n], u[:, n + 3 :]  # u = K s + Ku d: the applied torque does not affect u in the same sample
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
        """Return the loop with an additional uncertain complex matrix from applied to commanded torques.

        sizes (3, 3): bounds on the entries of the matrix; inputs: indices of the applied torques.
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
    """Sampled loops as a function of parameters from -1 to 1.

    loop_at: maps parameters to a loop; numbers: number of parameters. Raises DesignError when the loops differ in
    structure.
    """

    loop_at: Callable[[Numbers], SampledLoop]
    numbers: int
    _known: dict[Numbers, Array] = field(default_factory=dict[Numbers, Array])

    @property
    def crafts(self) -> int:
        """Number of loops that have been evaluated."""
        return len(self._known)

    def over(self, box: Box) -> UncertainLoop:
        """Return the uncertain loop that covers all loops of a box."""
        if not self.is_gain:
            return self._whole(affine_fit(self._weighed, box))
        found, inverse = affine_fit(self._matrix, box), affine_fit(self._inverse, box)
        F, G, K = self._parts
        n = len(F)
        if found.rest < inverse.rest:
            middle, left, right = found.middle, found.left, found.right
            back = np.zeros((len(right), left.shape[1]))
        else:
            found = inverse  # E = (E_0 + L d R)^-1: d becomes a feedback from R E
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

    def _whole(self, found: AffineFit) -> UncertainLoop:
        weight = self._weights
        through = np.zeros((len(found.right), found.left.shape[1]))
        P = np.block(
            [[found.middle * weight[:, None] / weight, found.left * weight[:, None]], [found.right / weight, through]]
        )
        return UncertainLoop(P, found.blocks, len(weight) - 3, found.rest, found.influence)

    @cached_property
    def is_gain(self) -> bool:
        """True if every loop equals the central loop times a gain, tested at some corners."""
        return all(self._gain(x) is not None for x in self._ends)

    @cached_property
    def folded(self) -> Folded:
        """Bounds on the effect of a fractional delay beyond its phase shift."""
        return folded(self._loop(x) for x in ((0.0,) * self.numbers, *self._ends))

    def samples_late(self, delay: float) -> float:
        """Return the largest torque delay, in samples, for command delays up to `delay` (s)."""
        return max(samples_late(self._loop(x), delay) for x in ((0.0,) * self.numbers, *self._ends))

    @cached_property
    def _ends(self) -> tuple[Numbers, ...]:
        """Some corners of the parameter box."""
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
            found.matrices()  # raises an error that states the reason
        return found

    @one_thread
    def _gain(self, x: Numbers) -> Array | None:
        """Return E (3, 3) for given parameters; None if the loop is not the central loop times a gain."""
        middle = self._response
        rows, target = (
            np.concatenate((each.real, each.imag)).reshape(-1, 3)
            for each in (middle, self._loop(x).broken((0, 1, 2)).response(ANGLES))
        )
        sizes = np.linalg.norm(rows, axis=1, keepdims=True)
        if target[sizes[:, 0] == 0.0].any():  # a central loop without feedback
            return None
        sizes = np.maximum(sizes, 1e-300)
        E = np.asarray(np.linalg.lstsq(rows / sizes, target / sizes, rcond=None)[0], dtype=np.float64)
        off = float((np.abs(rows @ E - target) / sizes).max())
        return E if off < ALIKE * max(1.0, float(np.abs(E).max())) else None

    def _matrix(self, x: Numbers) -> Array:
        if x not in self._known:
            E = self._gain(x)
            if E is None:
                raise DesignError(
                    "the loops of some crafts differ from the central loop by a gain only, others by more; "
                    "give the dispersions narrower bounds"
                )
            self._known[x] = E
        return self._known[x]

    def _inverse(self, x: Numbers) -> Array:
        return np.asarray(np.linalg.inv(self._matrix(x)), dtype=np.float64)

    def _weighed(self, x: Numbers) -> Array:
        """Return X (n + 3, n + 3) for given parameters, scaled by the response to a random torque."""
        if x not in self._known:
            self._known[x] = self._plain(x) / self._weights[:, None] * self._weights
        return self._known[x]

    @one_thread
    def _plain(self, x: Numbers) -> Array:
        loop = self._loop(x)
        F, G, K = loop.matrices()
        n, states, central = loop.C.shape[1], len(F), len(self._parts[0])
        if (n, states) != (self._reference.C.shape[1], central):
            raise DesignError(
                f"the loop has {states} states for some spacecraft and {central} for the central one, so there is no "
                "common model; omit the dispersion that changes it, such as a delay, or the stiffness of one of two "
                "equal arms in a model with their modes"
            )
        T = np.eye(states)
        T[:n, :n] = np.vstack((loop.C, np.eye(n)))[self._rows]
        back = np.linalg.inv(T)
        return np.block([[T @ F @ back, T @ G], [-K @ back, np.zeros((3, 3))]])

    @cached_property
    def _rows(self) -> list[int]:
        """Indices of measurements and then plant states that together form a state vector."""
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
