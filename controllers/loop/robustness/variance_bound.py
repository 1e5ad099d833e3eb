"""Upper bound on the output variance of every system in a parameter box, from a Lyapunov inequality.

The system s+ = F s + G w + Gc v, y = C s + D w + Dc v has white inputs w of unit covariance and constant inputs v. Its
matrices are affine in parameters delta with |delta_i| <= 1, except for a remainder L Delta R with |Delta| <= 1. Let
H = [F G] and P(delta) = P_0 + sum_i delta_i P_i. If

    N(delta) = P - H diag(P, 1) H' > 0    for all delta and Delta,

the covariance of s is at most P(delta), and every F is stable if one is: an eigenvector of F' with |lambda| = 1 would
give v* N v = 0. The P_i are the derivatives of the covariance, so that N has no linear part. P_0 solves the Lyapunov
equation of the central system with an additional Q. Every matrix S of the quadratic and cubic parts satisfies
+-S <= |S| (its matrix absolute value), so Q >= sum |S| is sufficient. The coordinates make the observability Gramian of
y the identity; there, |S| is the majorant of S with the smallest effect on the variance of y. The excess of the bound
therefore falls with the square of the box width.

The response to v is (I - F)^-1 Gc. Its first-order series in delta has an error that a Neumann series bounds entry by
entry.
"""

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.one_thread import one_thread
from .affine_fit import AffineFit

Array = NDArray[np.float64]

ROUNDS = 40  # largest number of iterations for Q
GROWTH = 1.05  # Q is taken larger than its lower bound by this factor, so that the next bound does not exceed it
LOST = 1e3  # the iteration fails if the variance due to Q exceeds the central variance by this factor
UNSEEN = 1e-4  # weight, in the choice of coordinates, of directions that do not affect the outputs
STRICT = 1e-9  # smallest eigenvalue of Q relative to its largest, so that N is positive definite
FLOOR = 1e-9  # smallest covariance, relative to the largest, of a direction without noise


class Sizes(NamedTuple):
    """Numbers of states, white inputs, constant inputs and outputs of a stacked matrix [[F, G, Gc], [C, D, Dc]]."""

    states: int
    white: int
    constant: int
    outputs: int


class BoxVariance(NamedTuple):
    """Bound on the variance of the outputs over a box.

    value: sum of the variances of all outputs, and squares of their constant parts; influence (k,): part of the bound
    due to curvature and remainder, by parameter: what bisecting this parameter reduces.
    """

    value: float
    influence: Array


@one_thread
def variance_bound(fit: AffineFit, sizes: Sizes) -> BoxVariance | None:
    """Return a bound on the output variance of every system of a box; None if the box is too wide for a bound.

    fit: affine fit of [[F, G, Gc], [C, D, Dc]], in coordinates in which the states have similar variances.
    """
    n, w, c, _ = sizes
    count = len(fit.influence)
    several = _split(fit)
    if float(np.abs(np.linalg.eigvals(fit.middle[:n, :n])).max(initial=0.0)) >= 1.0:
        return None
    white = [np.delete(each, np.s_[n + w :], axis=1) for each in several.parts]
    T, back = _coordinates(white[0], n)
    moved = [np.vstack((T @ M[:n], M[n:])) @ _inputs(back, w) for M in white]
    L = np.vstack((T @ several.left[:n], several.left[n:]))
    R = several.right[:, : n + w] @ _inputs(back, w)
    box = _Box([M[:n] for M in moved], [M[n:] for M in moved], L, R, n)
    found = box.bound()
    if found is None:
        return None
    value, by_monomial, by_rest = found
    if c:
        constant = _constant_bound(several, sizes)
        if constant is None:
            return None
        value += constant[0]
        by_monomial |= {key: by_monomial.get(key, 0.0) + more for key, more in constant[1].items()}
        by_rest += constant[2]
    influence = by_rest * fit.influence / max(float(fit.influence.sum()), 1e-300)
    for key, size in by_monomial.items():
        for index in key:
            if (number := several.numbers[index - 1]) >= 0:
                influence[number] += size
    assert influence.shape == (count,)  # noqa: S101 # one entry for each parameter of the box
    return BoxVariance(value, influence)


class _Split(NamedTuple):
    """Central matrix and one matrix per real block (parts), remainder factors, parameter index of each block."""

    parts: list[Array]
    left: Array
    right: Array
    numbers: tuple[int, ...]


def _split(fit: AffineFit) -> _Split:
    parts, row, column = [fit.middle], 0, 0
    left, right = np.zeros((len(fit.middle), 0)), np.zeros((0, fit.middle.shape[1]))
    for block in fit.blocks:
        some = fit.left[:, column : column + block.inputs], fit.right[row : row + block.outputs]
        if block.kind == "real":
            parts.append(some[0] @ some[1])
        else:
            left, right = some
        row, column = row + block.outputs, column + block.inputs
    return _Split(parts, left, right, fit.numbers)


def _inputs(back: Array, white: int) -> Array:
    """Return the transformation of the columns [states, white inputs]."""
    n = len(back)
    found = np.eye(n + white)
    found[:n, :n] = back
    return found


def lyapunov(F: Array, Q: Array) -> Array:
    """Return the solution X of X = F X F' + Q for a stable F."""
    from scipy import linalg

    X = np.asarray(cast("Any", linalg).solve_discrete_lyapunov(F, Q), dtype=np.float64)
    return 0.5 * (X + X.T)


def _coordinates(M: Array, n: int) -> tuple[Array, Array]:
    """Return T and its inverse: in T s the observability Gramian of the outputs is close to the identity."""
    F, G, C = M[:n, :n], M[:n, n:], M[n:, :n]
    X, Y = lyapunov(F, G @ G.T), lyapunov(F.T, C.T @ C)
    sizes, axes = np.linalg.eigh(X)
    sizes = np.maximum(sizes, FLOOR * max(float(sizes.max(initial=0.0)), 1e-300))
    weight = UNSEEN * max(float(np.trace(Y @ X)), 1e-300) / max(n, 1)
    gains, turn = np.linalg.eigh(Y + weight * (axes / sizes) @ axes.T)
    roots = np.sqrt(np.maximum(gains, FLOOR**2 * max(float(gains.max(initial=0.0)), 1e-300)))
    return roots[:, None] * turn.T, turn / roots


Monomial = tuple[int, ...]  # indices of the parameters, counted from 1, ascending; () for the constant part


class _Box:
    """Noise part of the bound over one box.

    states, outputs: H_0, H_1 .. (n, n + w), and the output rows (q, n + w); left (n + q, a), right (b, n + w): factors
    of the remainder.
    """

    def __init__(self, states: list[Array], outputs: list[Array], left: Array, right: Array, n: int) -> None:
        self.H, self.O, self.n = states, outputs, n
        self.L, self.Lo, self.R = left[:n], left[n:], right
        self.F = [each[:, :n] for each in states]
        self.Y = lyapunov(self.F[0].T, outputs[0][:, :n].T @ outputs[0][:, :n])

    def bound(self) -> "tuple[float, dict[Monomial, float], float] | None":
        """Return the bound, its second-order coefficients and its remainder; None if the iteration fails."""
        n = self.n
        X0 = lyapunov(self.F[0], self.H[0][:, n:] @ self.H[0][:, n:].T)
        base = float(np.trace(self.Y @ X0))
        more = np.zeros((n, n))  # Q
        for _ in range(ROUNDS):
            P = self._covariances(X0 + lyapunov(self.F[0], more) if more.any() else X0)
            need, sizes, rest = self._needed(P)
            if more.any() and float(np.linalg.eigvalsh(more - need)[0]) > 0.0:
                value = self._variance(P)
                return value[0], {key: sizes.get(key, 0.0) + value[1].get(key, 0.0) for key in sizes}, rest + value[2]
            size = GROWTH * float(np.abs(need).max(initial=0.0))
            more = GROWTH * need + max(STRICT * size, 1e-14 * base, 1e-300) * np.eye(n)
            if not np.isfinite(more).all() or float(np.trace(self.Y @ more)) > LOST * base:
                return None
        return None

    def _covariances(self, P0: Array) -> list[Array]:
        """Return P_0 and the P_i that cancel the linear part of N."""
        n, F0 = self.n, self.F[0]
        found = [P0]
        for H in self.H[1:]:
            S = H[:, :n] @ P0 @ F0.T + H[:, n:] @ self.H[0][:, n:].T
            found.append(lyapunov(F0, S + S.T))
        return found

    def _weights(self, P: list[Array]) -> list[Array]:
        """Return the parts of diag(P, 1)."""
        size = self.H[0].shape[1]
        found = list[Array]()
        for k, each in enumerate(P):
            W = np.eye(size) if k == 0 else np.zeros((size, size))
            W[: self.n, : self.n] = each
            found.append(W)
        return found

    def _needed(self, P: list[Array]) -> tuple[Array, dict[Monomial, float], float]:
        """Return the Q that N needs for these P, with its effect on the variance by monomial and by remainder."""
        W = self._weights(P)
        need, sizes = np.zeros((self.n, self.n)), dict[Monomial, float]()
        for key, S in _products(self.H, W).items():
            if len(key) < 2:
                continue
            values, vectors = np.linalg.eigh(0.5 * (S + S.T))
            square = len(key) == 2 and key[0] == key[1]  # delta^2 is not negative
            most = np.maximum(values, 0.0) if square else np.abs(values)
            more = (vectors * most) @ vectors.T
            need += more
            sizes[key] = float(np.trace(self.Y @ more))
        rest = 0.0
        if self.L.any():
            more = self._rest(W)
            need += more
            rest = float(np.trace(self.Y @ more))
        return need, sizes, rest

    def _rest(self, W: list[Array]) -> Array:
        """Return a bound on the effect of L Delta R: U Delta' L' + L Delta U' + L Delta R W R' Delta' L'."""
        parts = _pairs(self.H, [each @ self.R.T for each in W])
        weights = {key: float(np.linalg.norm(u)) for key, u in parts.items()}
        total = sum(weights.values())
        most = self._spread(W)
        found = most * self.L @ self.L.T
        if total > 0.0:
            U = total * sum((u @ u.T / weights[key] for key, u in parts.items() if weights[key] > 0.0), 0.0 * found)
            ratio = float(np.linalg.norm(self.L)) / max(float(np.sqrt(np.trace(U))), 1e-300)
            found = found + ratio * U + self.L @ self.L.T / ratio
        return found

    def _spread(self, W: list[Array]) -> float:
        """Return a bound on the largest eigenvalue of R diag(P, 1) R'."""
        inner = [self.R @ each @ self.R.T for each in W]
        values = np.linalg.eigvalsh(0.5 * (inner[0] + inner[0].T))
        return max(float(values[-1]), 0.0) + sum(float(np.linalg.norm(each, 2)) for each in inner[1:])

    def _variance(self, P: list[Array]) -> tuple[float, dict[Monomial, float], float]:
        """Return the bound on the output variance, its second-order coefficients and its remainder."""
        W = self._weights(P)
        value, sizes = 0.0, dict[Monomial, float]()
        for key, S in _products(self.O, W).items():
            size = float(np.trace(S))
            if len(key) == 2 and key[0] == key[1]:
                size = max(size, 0.0)
            value += abs(size)
            if len(key) > 1:
                sizes[key] = abs(size)
        rest = 0.0
        if self.Lo.any():
            parts = _pairs(self.O, [each @ self.R.T for each in W])
            rest = 2.0 * sum(float(np.linalg.norm(self.Lo.T @ u, "nuc")) for u in parts.values())
            rest += self._spread(W) * float((self.Lo**2).sum())
        return value + rest, sizes, rest


def _pairs(H: list[Array], V: list[Array]) -> dict[Monomial, Array]:
    """Return the coefficients of H(delta) V(delta), each affine, by monomial."""
    found: dict[Monomial, Array] = {}
    for i, a in enumerate(H):
        for j, b in enumerate(V):
            key = tuple(sorted(k for k in (i, j) if k))
            product = a @ b
            found[key] = found[key] + product if key in found else product
    return found


def _products(H: list[Array], W: list[Array]) -> dict[Monomial, Array]:
    """Return the coefficients of H(delta) W(delta) H(delta)' by monomial."""
    found: dict[Monomial, Array] = {}
    for key, first in _pairs(H, W).items():
        for j, b in enumerate(H):
            whole = tuple(sorted((*key, j))) if j else key
            product = first @ b.T
            found[whole] = found[whole] + product if whole in found else product
    return found


def _constant_bound(several: _Split, sizes: Sizes) -> tuple[float, dict[Monomial, float], float] | None:
    """Return a bound on the sum of squares of the constant outputs, with curvature and remainder as in `_Box`."""
    n, w, _, _ = sizes
    keep = [*range(n), *range(n + w, several.parts[0].shape[1])]
    parts = [M[:, keep] for M in several.parts]
    F, G = [M[:n, :n] for M in parts], [M[:n, n:] for M in parts]
    C, D = [M[n:, :n] for M in parts], [M[n:, n:] for M in parts]
    L, Lo, R = several.left[:n], several.left[n:], several.right[:, keep]
    K = np.asarray(np.linalg.inv(np.eye(n) - F[0]), dtype=np.float64)
    r = [K @ G[0]]
    r += [K @ (g + f @ r[0]) for g, f in zip(G[1:], F[1:], strict=True)]
    # steady states: r(delta) = r_0 + sum delta_i r_i + (I - K dF)^-1 K rho
    seconds = {key: each for key, each in _pairs([0.0 * F[0], *F[1:]], r).items() if len(key) == 2}
    rho = sum((np.abs(each) for each in seconds.values()), 0.0 * r[0])
    long = np.linalg.norm(R[:, n:] + R[:, :n] @ r[0], axis=0) + sum(
        (np.linalg.norm(R[:, :n] @ each, axis=0) for each in r[1:]), np.zeros(r[0].shape[1])
    )
    rest_rho = np.outer(np.linalg.norm(L, axis=1), long)
    grows = sum((np.abs(K @ each) for each in F[1:]), np.zeros((n, n))) + np.outer(
        np.linalg.norm(K @ L, axis=1), np.linalg.norm(R[:, :n], axis=0)
    )
    if n and float(np.abs(np.linalg.eigvals(grows)).max()) >= 1.0:
        return None
    back = np.asarray(np.linalg.inv(np.eye(n) - grows), dtype=np.float64)
    off = back @ (np.abs(K) @ (rho + rest_rho))
    # outputs: T(delta) = D + C r, by monomial, and the remainder
    T = _pairs(C, r)
    for i, d in enumerate(D):
        key = (i,) if i else ()
        T[key] = T[key] + d if key in T else d
    ends = sum((np.abs(each) for each in C), 0.0 * C[0])
    rows = np.linalg.norm(Lo, axis=1)
    state = long + np.linalg.norm(R[:, :n], axis=0) @ off
    left = ends @ off + np.outer(rows, state)
    value, by = _squares(T)
    reach = sum((np.abs(each) for each in T.values()), 0.0 * left)
    rest = float((2.0 * reach * left + left**2).sum())
    return value + rest, by, rest


def _squares(outputs: dict[Monomial, Array]) -> tuple[float, dict[Monomial, float]]:
    """Return a bound on the sum of squares of outputs given by monomial, and its terms of second order or higher."""
    value, by = 0.0, dict[Monomial, float]()
    keys = list(outputs)
    for i, a in enumerate(keys):
        for b in keys[i:]:
            size = float((outputs[a] * outputs[b]).sum()) * (1.0 if a == b else 2.0)
            key = tuple(sorted((*a, *b)))
            value += abs(size)
            if len(key) > 1:
                by[key] = by.get(key, 0.0) + abs(size)
    return value, by
