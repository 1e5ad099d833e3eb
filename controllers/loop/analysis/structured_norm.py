"""Upper bound on the structured singular value of a matrix for independent complex factors."""

from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

NOTHING = 1e-14  # relative to the largest entry of a balanced matrix: smaller entries are rounding
ROUNDING = 1e-15  # relative change of the scaling in one sweep below which balancing has converged
SHARPNESS = (2.0, 16.0, 128.0, 1024.0)  # orders of the Schatten norm, which approaches the largest singular value


def balanced_norm(M: Complex, *, sweeps: int = 30) -> Array:
    """Return the largest singular value of each matrix after Osborne's balancing of rows against columns.

    The computation is fast, and the result usually exceeds the structured singular value by at most a few per cent.

    M (m, p, p): matrices; sweeps: number of balancing sweeps -> (m,), upper bounds.
    """
    return np.linalg.norm(_balanced(M, sweeps), ord=2, axis=(1, 2))


def structured_norm(M: Complex) -> float:
    """Return the infimum over D of the largest singular value of D M D^-1, D positive and diagonal.

    The infimum equals the structured singular value for up to three factors and is an upper bound for more than three
    (Packard & Doyle 1993, Automatica 29, section 9). Entries between strongly connected blocks can be scaled towards
    zero, but vanish only in the limit of an infinite D. Within each strongly connected block the minimum is attained;
    the result is the largest of these minima.

    M (p, p): the matrix -> the bound; every destabilising set of complex factors has a magnitude of at least 1 / bound.

    Examples
    --------
    >>> round(structured_norm(np.array([[0.0, 100.0], [0.01, 0.0]])), 9)
    1.0
    >>> structured_norm(np.array([[2.0, 100.0], [0.0, 3.0]]))
    3.0
    """
    if len(M) == 1:
        return float(np.abs(M[0, 0]))
    whole = _balanced(np.asarray(M)[None], 100)[0]
    blocks = _labels(whole != 0.0)
    parts = [whole[np.ix_(blocks == n, blocks == n)] for n in range(int(blocks.max()) + 1)]
    norms = [float(np.linalg.norm(part, ord=2)) for part in parts]
    largest = 0.0
    for norm, n in sorted(zip(norms, range(len(parts)), strict=True), reverse=True):
        if norm <= largest:  # nor is its minimum larger
            break
        largest = max(largest, _smallest(parts[n], norm))
    return largest


def _smallest(matrix: Complex, best: float) -> float:
    """Minimise the norm of a balanced, strongly connected block with norm `best`.

    The determinant of D M D^-1 does not depend on D. The largest singular value of two factors therefore increases with
    the sum of squares of the entries, which balancing minimises: the balanced norm is the minimum.

    With more factors the function is convex in log D. The minimisation uses Schatten norms of rising order, which are
    smooth where singular values coincide, starting from the balanced matrix. At the minimum no entry |M_ij| d_i / d_j
    exceeds the initial norm. Along shortest paths this bounds the ratio of any two d, so the search remains bounded.
    """
    p = len(matrix)
    if p <= 2 or best == 0.0:
        return best
    from scipy import optimize
    from scipy.sparse import csgraph

    with np.errstate(divide="ignore"):
        logs = np.log(np.abs(matrix))
    turn = np.exp(1j * np.angle(matrix))
    room = np.where(np.isfinite(logs), np.maximum(np.log(best) - logs, 1e-300), 0.0)  # 0 means no edge
    ways = np.asarray(cast("Any", csgraph).shortest_path(room), dtype=np.float64)
    bounds = list(zip(-ways[-1, :-1], ways[:-1, -1], strict=True))
    x = np.zeros(p - 1)

    def sized(x: Array) -> tuple[Complex, float]:
        """Return D M D^-1 scaled to a largest entry of modulus 1, and the logarithm of the divisor."""
        log_d = np.append(x, 0.0)
        scaled = logs + log_d[:, None] - log_d[None, :]
        top = float(scaled.max())
        return turn * np.exp(scaled - top), top

    def value(x: Array, order: float) -> tuple[float, Array]:
        scaled, shift = sized(x)
        left, sizes, right = np.linalg.svd(scaled)
        top = float(sizes[0])
        weights = (sizes / top) ** order
        total = float(weights.sum())
        slope = (np.abs(left) ** 2 - np.abs(right.conj().T) ** 2) @ weights / total
        return shift + np.log(top) + np.log(total) / order, slope[:-1]

    for order in SHARPNESS:
        found = cast("Any", optimize).minimize(
            value,
            x,
            args=(order,),
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"gtol": 1e-10, "ftol": 1e-15, "maxiter": 1000},
        )
        x = np.asarray(found.x, dtype=np.float64)
        scaled, shift = sized(x)
        best = min(best, float(np.exp(shift) * np.linalg.norm(scaled, ord=2)))
    return best


def _balanced(M: Complex, sweeps: int) -> Complex:
    """Balance each row against its column (Osborne 1960), with the entries between blocks removed.

    Balancing converges within strongly connected blocks only. In a balanced matrix the squares of the entries are a
    circulation: the flow out of a set of signals equals the flow into the set. If all entries in one direction are
    rounding, so are all entries in the opposite direction. Entries that are negligible relative to the largest may
    therefore be removed before the blocks are determined.
    """
    matrix = np.array(M, dtype=np.complex128)
    matrix[~_together(matrix != 0.0)] = 0.0
    m, p, _ = matrix.shape
    d = np.ones((m, p))
    power = np.abs(matrix) ** 2
    power[:, range(p), range(p)] = 0.0
    for _ in range(sweeps):
        before = d.copy()
        for n in range(p):
            row = (power[:, n, :] / d**2).sum(axis=1)  # squared norm of the row d[n] M[n, :] / d, without d[n]
            column = (power[:, :, n] * d**2).sum(axis=1)
            tame = (row > 1e-300) & (column > 1e-300)
            d[tame, n] = (column[tame] / row[tame]) ** 0.25
        if (np.abs(d - before) <= ROUNDING * d).all():
            break
    matrix *= d[:, :, None] / d[:, None, :]
    sizes = np.abs(matrix)
    matrix[~_together(sizes > NOTHING * sizes.max(axis=(1, 2), keepdims=True))] = 0.0
    return matrix


def _together(pattern: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the entries within strongly connected blocks of each matrix's pattern."""
    kinds, which = np.unique(pattern, axis=0, return_inverse=True)
    labels = np.array([_labels(kind) for kind in kinds])
    return (labels[:, :, None] == labels[:, None, :])[which.ravel()]


def _labels(pattern: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the index of the strongly connected block of each signal, read-only."""
    return _labels_of(pattern.tobytes(), len(pattern))


@lru_cache(maxsize=1024)  # few patterns occur at the many frequencies of a loop
def _labels_of(pattern: bytes, signals: int) -> NDArray[np.int32]:
    from scipy.sparse import csgraph

    edges = np.frombuffer(pattern, dtype=np.bool_).reshape(signals, signals)
    _, labels = cast("Any", csgraph).connected_components(edges, directed=True, connection="strong")
    indices = np.array(labels, dtype=np.int32)
    indices.setflags(write=False)
    return indices


def smoothed_norm(M: Complex) -> tuple[float, Complex]:
    """Return a smooth upper bound of `structured_norm` and its derivative, for use in a search.

    The Schatten norm of order 1024 of D M D^-1 is minimised over D. For p factors it exceeds the largest singular
    value by at most a factor p^(1/1024), 0.2 % for nine. Unlike the largest singular value it is differentiable where
    singular values coincide, as they do at the optimal D. The derivative is the sum of w D u v' D^-1 over the singular
    vectors u, v with weights w.

    M (p, p) -> value, and W (p, p) with d value = Re sum(conj(W) dM).
    """
    from scipy import optimize

    matrix = np.asarray(M, dtype=np.complex128)
    p = len(matrix)
    order = SHARPNESS[-1]

    def parts(x: Array, order: float) -> tuple[float, Array, Complex]:
        d = np.exp(np.append(x, 0.0))
        left, sizes, right = np.linalg.svd(matrix * d[:, None] / d)
        top = max(float(sizes[0]), 1e-300)
        weights = (sizes / top) ** order
        total = float(weights.sum())
        weights = weights / total
        slope = (np.abs(left) ** 2 - np.abs(right.conj().T) ** 2) @ weights
        value = top * total ** (1.0 / order)
        inner = (left * (value / np.maximum(sizes, 1e-300) * weights)) @ right
        return value, slope[:-1], np.asarray(inner * d[:, None] / d, dtype=np.complex128)

    x = np.zeros(max(p - 1, 0))
    if p > 1:
        power = np.abs(matrix) ** 2
        scaling = np.ones(p)
        for _ in range(20):
            for n in range(p):
                row = float((power[n] / scaling**2).sum() - power[n, n] / scaling[n] ** 2)
                column = float((power[:, n] * scaling**2).sum() - power[n, n] * scaling[n] ** 2)
                if row > 1e-200 and column > 1e-200:
                    scaling[n] = (column / row) ** 0.25
        x = np.log(scaling[:-1] / scaling[-1])
        for level in SHARPNESS[1:]:

            def value(x: Array, level: float = level) -> tuple[float, Array]:
                size, slope, _ = parts(x, level)
                return float(np.log(size)), slope

            found = cast("Any", optimize).minimize(
                value, x, jac=True, method="L-BFGS-B", bounds=[(-60.0, 60.0)] * (p - 1),
                options={"gtol": 1e-10, "ftol": 1e-15, "maxiter": 200},
            )  # fmt: skip
            x = np.asarray(found.x, dtype=np.float64)
    size, _, W = parts(x, order)
    return size, W
