"""Quadratic program for a minimax step, with linear constraints that may be violated at a penalty."""

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FLAT = 1e-2  # square root of the curvature of each slack variable, divided by its slope (1 or the price)


class Step(NamedTuple):
    """Solution of `best_step`.

    change (n,): step d; top: change of the largest objective row; left: largest violation predicted by the linear
    rows; objective (m,), constraint (k,): multipliers of the rows.
    """

    change: Array
    top: float
    left: float
    objective: Array
    constraint: Array


def best_step(f: Array, F: Array, c: Array, C: Array, *, H: Array, price: float, low: Array, high: Array) -> Step:
    """Return the step d that minimises the largest objective row plus the penalty of violated constraints.

    The problem is: minimise t + price s + d'H d/2 subject to f + F d <= max f + t, c + C d <= s, s >= 0,
    low <= d <= high.

    f (m,), F (m, n): objective rows and their gradients, m >= 1; c (k,), C (k, n): constraint rows and their gradients;
    H (n, n): positive definite; low <= 0 <= high (n,): bounds on d.

    The program is a least-distance problem, solved by non-negative least squares (Lawson & Hanson 1974, chapter 23).
    For this purpose, the cost has a small quadratic term in each slack variable. The curvature is 1e-4 for t, which
    changes the slope by at most 1e-4 for steps of order one, and (price/100)^2 for s, which increases the penalty.
    """
    from scipy import optimize

    n, m, k = H.shape[0], len(f), len(c)
    root = np.zeros((n + 2, n + 2))
    root[:n, :n] = np.linalg.cholesky(H)
    root[n, n], root[n + 1, n + 1] = FLAT, FLAT * price
    slope = np.zeros(n + 2)
    slope[n:] = 1.0, price
    rows = np.zeros((m + k + 1 + 2 * n, n + 2))
    least = np.zeros(len(rows))
    rows[:m, :n], rows[:m, n], least[:m] = -F, 1.0, f - f.max()
    rows[m : m + k, :n], rows[m : m + k, n + 1], least[m : m + k] = -C, 1.0, c
    rows[m + k, n + 1] = 1.0
    rows[m + k + 1 : m + k + 1 + n, :n], least[m + k + 1 : m + k + 1 + n] = np.eye(n), low
    rows[m + k + 1 + n :, :n], least[m + k + 1 + n :] = -np.eye(n), -high
    centre = np.linalg.solve(root, slope)
    A = np.linalg.solve(root, rows.T).T
    b = least + A @ centre
    size = np.maximum(np.linalg.norm(A, axis=1), 1e-12)
    E = np.vstack((A.T / size, b / size))
    target = np.zeros(n + 3)
    target[-1] = 1.0
    found, _ = cast("Any", optimize).nnls(E, target, maxiter=40 * len(rows))
    rest: Array = E @ found - target
    scale = max(-float(rest[-1]), 1e-14)
    y = np.asarray(rest[:-1] / scale, dtype=np.float64)
    z = np.asarray(np.linalg.solve(root.T, y - centre), dtype=np.float64)
    multipliers = np.asarray(found / size / scale, dtype=np.float64)
    change: Array = np.minimum(np.maximum(z[:n], low), high)
    top = float((f + F @ change).max() - f.max())
    left = float(max(0.0, (c + C @ change).max(initial=0.0)))
    return Step(change, top, left, multipliers[:m], multipliers[m : m + k])
