# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Condensation for many coordinates: eliminate each element's block, solve for the hub, then back-substitute.

Before the motion of the free mass centre is eliminated, the blocks of M between different elements are zero. Let
C_k = (dd/ds_k, N_k) couple coordinate k of an element to (v0, omega), and let D be the mass matrix of the element:

    K = [[m 1, -[d x]], [[d x], J]] - sum C D^-1 C'      K (v0, omega) = (0, pi) - sum C D^-1 p
    sdot = D^-1 (p - C' (v0, omega))

The cost is linear in the number of coordinates. A dense Cholesky factorisation costs the cube of this number, but is
cheaper below CONDENSED_FROM (`tests/design/hub_condensation.py` has the figures). Both methods use the
same indices for rows and columns.
"""

import numpy as np

from ..kernels.kernel import kernel, table_in
from . import parameters as at
from .mass_now import near_mass

CONDENSED_FROM = 20
"""Number of coordinates from which condensation is faster."""

RIGHT = 6
"""Column of the right-hand side, after the six columns of the hub (v0, omega)."""


def condensed_size(n: int) -> int:
    """Return the workspace length for n coordinates: a row of 7 for each, and six rows for the hub."""
    return 7 * (n + 6) if n >= CONDENSED_FROM else 0


@kernel
def clear_blocks(p, w):
    """Zero the entries of M and B that elements fill: their own blocks and their coupling to the hub."""
    m = 3 + int(p[at.N_INTERNAL])
    for i in range(int(p[at.W_B]), int(p[at.W_B]) + 3 * m):
        w[i] = 0.0
    row = int(p[at.AT_ELEMENTS])
    for _ in range(int(p[at.N_ELEMENTS]) - int(p[at.N_OWN])):
        first, q = 3 + int(p[row + 2]), int(p[row + 3])
        for i in range(first, first + q):
            for k in range(3):
                w[i * m + k] = 0.0
            for k in range(first, i + 1):
                w[i * m + k] = 0.0
        row += int(p[row + 1])


@kernel
def _hub_rows(x, p, w, m, K):
    """Set the lower triangle of K and the right-hand side to the values of the hub without elements."""
    b, hub = int(p[at.W_B]), int(p[at.W_HUB])
    for i in range(3):
        for k in range(3):
            K[i, k] = near_mass(p, w) if i == k else 0.0
            K[3 + i, k] = w[b + k * m + i]
            K[3 + i, 3 + k] = w[i * m + k] if k <= i else 0.0
        K[i, RIGHT], K[3 + i, RIGHT] = 0.0, x[i]
        if p[at.N_OWN] != 0.0:
            for k in range(3):
                K[i, k] = K[i, k] + w[hub + at.ROOT_VV + 3 * i + k]
            K[i, RIGHT], K[3 + i, RIGHT] = w[hub + at.ROOT_P + i], x[i] + w[hub + at.ROOT_PI + i]


@kernel
def _eliminate(x, p, w, m, first, q, z, K):
    """Factor the block of an element, D = L L', and subtract its Schur complement, with z = L^-1 (C' | p)."""
    n, b = m - 3, int(p[at.W_B])
    for i in range(q):
        here = (3 + first + i) * m + 3 + first
        for k in range(i + 1):
            total = w[here + k]
            there = (3 + first + k) * m + 3 + first
            for j in range(k):
                total = total - w[here + j] * w[there + j]
            if i == k:
                w[here + i] = 1.0 / np.sqrt(total)
            else:
                w[here + k] = total * w[there + k]
        for c in range(7):
            if c < 3:
                total = w[b + c * m + 3 + first + i]
            elif c < RIGHT:
                total = w[(3 + first + i) * m + c - 3]
            else:
                total = x[at.INTERNAL + n + first + i]
            for j in range(i):
                total = total - w[here + j] * z[first + j, c]
            z[first + i, c] = total * w[here + i]
    for a in range(6):
        for c in range(7):
            if c <= a or c == RIGHT:
                total = K[a, c]
                for i in range(first, first + q):
                    total = total - z[i, a] * z[i, c]
                K[a, c] = total


@kernel
def _solve_hub(K, low):
    """Solve the rows starting at `low` by in-place Cholesky, and write the solution to the last column."""
    for i in range(low, 6):
        for k in range(low, i + 1):
            total = K[i, k]
            for j in range(low, k):
                total = total - K[i, j] * K[k, j]
            if i == k:
                K[i, i] = 1.0 / np.sqrt(total)
            else:
                K[i, k] = total * K[k, k]
        total = K[i, RIGHT]
        for j in range(low, i):
            total = total - K[i, j] * K[j, RIGHT]
        K[i, RIGHT] = total * K[i, i]
    for i in range(5, low - 1, -1):
        total = K[i, RIGHT]
        for j in range(i + 1, 6):
            total = total - K[j, i] * K[j, RIGHT]
        K[i, RIGHT] = total * K[i, i]


@kernel
def solve_condensed(x, p, w):
    """Write v = (omega, sdot) to the workspace from the blocks and columns stored there.

    v is not finite unless M is positive definite.
    """
    n = int(p[at.N_INTERNAL])
    m, v = 3 + n, int(p[at.W_V])
    z = table_in(w, int(p[at.W_HUB]) + at.HUB_SIZE + 2 * n, n + 6, 7)
    K = z[n:]
    _hub_rows(x, p, w, m, K)
    row = int(p[at.AT_ELEMENTS])
    for _ in range(int(p[at.N_ELEMENTS]) - int(p[at.N_OWN])):
        _eliminate(x, p, w, m, int(p[row + 2]), int(p[row + 3]), z, K)
        row += int(p[row + 1])
    low = 0 if p[at.REDUCED] > 0.0 else 3  # v0 is zero, or uncoupled
    _solve_hub(K, low)
    for i in range(3):
        w[v + i] = K[3 + i, RIGHT]
    row = int(p[at.AT_ELEMENTS])
    for _ in range(int(p[at.N_ELEMENTS]) - int(p[at.N_OWN])):
        first, q = int(p[row + 2]), int(p[row + 3])
        for i in range(q - 1, -1, -1):
            total = z[first + i, RIGHT]
            for a in range(low, 6):
                total = total - z[first + i, a] * K[a, RIGHT]
            for j in range(i + 1, q):
                total = total - w[(3 + first + j) * m + 3 + first + i] * w[v + 3 + first + j]
            w[v + 3 + first + i] = total * w[(3 + first + i) * m + 3 + first + i]
        row += int(p[row + 1])
