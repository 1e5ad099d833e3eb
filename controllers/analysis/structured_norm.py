"""Upper bound of the structured singular value of a matrix for independent complex factors."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

__all__ = ["balanced_norm", "structured_norm"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

NOTHING = 1e-14  # of the largest entry of a balanced matrix
SHARPNESS = (2.0, 16.0, 128.0, 1024.0)  # the Schatten norm of this order approaches the largest singular value


def balanced_norm(M: Complex, *, sweeps: int = 30) -> Array:
    """Return the largest singular value of every matrix after Osborne's balancing of rows against columns.

    It is fast, and usually exceeds the structured singular value by a few per cent at most.

    M (m, p, p): matrices; sweeps: number of balancing sweeps -> (m,), upper bounds.
    """
    return np.linalg.norm(_balanced(M, sweeps), ord=2, axis=(1, 2))


def structured_norm(M: Complex) -> float:
    """Return the infimum over D of the largest singular value of D M D^-1, D positive and diagonal.

    It equals the structured singular value for up to three factors and is an upper bound for more (Packard & Doyle
    1993, Automatica 29, section 9). Entries between strongly connected blocks can be scaled towards zero, though no
    finite D does it. The result is therefore the largest over these blocks, in each of which a minimum exists.

    M (p, p): the matrix. The smallest destabilising set of complex factors has size 1 / this (or is larger).

    Examples
    --------
    >>> round(structured_norm(np.array([[0.0, 100.0], [0.01, 0.0]])), 9)
    1.0
    >>> structured_norm(np.array([[2.0, 100.0], [0.0, 3.0]]))
    3.0
    """
    whole = _balanced(np.asarray(M)[None], 100)[0]
    blocks = _labels(whole != 0.0)
    return max(_smallest(whole[np.ix_(blocks == n, blocks == n)]) for n in range(int(blocks.max()) + 1))


def _smallest(matrix: Complex) -> float:
    """Minimise the norm of a balanced, strongly connected block.

    The function is convex in log D. It is minimised through Schatten norms of rising order, which are smooth where
    singular values coincide, starting from the balanced matrix. At the minimum no entry |M_ij| d_i / d_j exceeds the
    initial norm: along shortest paths this bounds every ratio of two d, so the search remains bounded.
    """
    from scipy import optimize
    from scipy.sparse import csgraph

    best = float(np.linalg.norm(matrix, ord=2))
    p = len(matrix)
    if p == 1 or best == 0.0:
        return best
    with np.errstate(divide="ignore"):
        logs = np.log(np.abs(matrix))
    turn = np.exp(1j * np.angle(matrix))
    room = np.where(np.isfinite(logs), np.maximum(np.log(best) - logs, 1e-300), 0.0)  # 0 means no edge
    ways = np.asarray(cast("Any", csgraph).shortest_path(room), dtype=np.float64)
    bounds = list(zip(-ways[-1, :-1], ways[:-1, -1], strict=True))
    x = np.zeros(p - 1)

    def sized(x: Array) -> tuple[Complex, float]:
        """Return D M D^-1 with its largest entry of size 1, and the logarithm of the divisor."""
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
    """Scale until every row is as large as its column (Osborne 1960), without entries between blocks.

    Balancing converges within strongly connected blocks only. In a balanced matrix the squares of the entries are a
    circulation: the flow out of a set of signals equals the flow into it. So if all entries one way are rounding, so
    are all entries back. Entries that are negligible against the largest may be removed before the blocks are found.
    """
    matrix = np.array(M, dtype=np.complex128)
    matrix[~_together(matrix != 0.0)] = 0.0
    m, p, _ = matrix.shape
    d = np.ones((m, p))
    power = np.abs(matrix) ** 2
    power[:, range(p), range(p)] = 0.0
    for _ in range(sweeps):
        for n in range(p):
            row = (power[:, n, :] / d**2).sum(axis=1)  # of d[n] M[n, :] / d, without d[n]
            column = (power[:, :, n] * d**2).sum(axis=1)
            tame = (row > 1e-300) & (column > 1e-300)
            d[tame, n] = (column[tame] / row[tame]) ** 0.25
    matrix *= d[:, :, None] / d[:, None, :]
    sizes = np.abs(matrix)
    matrix[~_together(sizes > NOTHING * sizes.max(axis=(1, 2), keepdims=True))] = 0.0
    return matrix


def _together(pattern: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which entries of each matrix are within a strongly connected block of its pattern."""
    kinds, which = np.unique(pattern, axis=0, return_inverse=True)
    labels = np.array([_labels(kind) for kind in kinds])
    return (labels[:, :, None] == labels[:, None, :])[which.ravel()]


def _labels(pattern: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the index of the strongly connected block of each signal."""
    from scipy.sparse import csgraph

    _, labels = cast("Any", csgraph).connected_components(pattern, directed=True, connection="strong")
    return np.asarray(labels, dtype=np.int32)
