# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Solve S x = y for a chain of nodes on a hub at a cost linear in the number of elements.

S is symmetric (not Hermitian: the blocks may be complex), with 7 x 7 blocks diag[i] for each node and off[i] between
nodes i and i + 1 of an arm. The chain is eliminated from the tip to the root, S = L D L' without pivoting. This is
stable for positive definite matrices, and for complex ones whose real and imaginary parts are positive definite. The
root of an arm moves with the hub, v = V + Omega x rho, omega = Omega, but has its own strain. The Schur complement is a
6 x 6 block that the hub adds to its own block.
"""

from ...kernels.kernel import kernel


@kernel
def _factor(table, i):
    """Replace the lower triangle of the block in row i by L (unit diagonal not stored) and 1/D."""
    for k in range(7):
        for j in range(k):
            total = table[i, 7 * k + j]
            for m in range(j):
                total -= table[i, 7 * k + m] * table[i, 7 * j + m]  # L_km D_m L_jm
            table[i, 7 * k + j] = total
        total = table[i, 8 * k]
        for m in range(k):
            value = table[i, 7 * k + m]
            table[i, 7 * k + m] = value * table[i, 8 * m]
            total -= value * table[i, 7 * k + m]
        table[i, 8 * k] = 1.0 / total


@kernel
def _forward(table, i, y, at):
    """Replace y by D^-1 L^-1 y."""
    for k in range(7):
        total = y[at + k]
        for m in range(k):
            total -= table[i, 7 * k + m] * y[at + m]
        y[at + k] = total
    for k in range(7):
        y[at + k] *= table[i, 8 * k]


@kernel
def _backward(table, i, y, at):
    """Replace y by L'^-1 y."""
    for k in range(5, -1, -1):
        total = y[at + k]
        for m in range(k + 1, 7):
            total -= table[i, 7 * m + k] * y[at + m]
        y[at + k] = total


@kernel
def _moved(table, i, rho):
    """Transform the block S of a root from (v, omega, strain') to (V, Omega, strain').

    The result is B'S B, with v = V - rho x Omega.
    """
    for k in range(7):  # columns: S B
        a, b, c = table[i, 7 * k], table[i, 7 * k + 1], table[i, 7 * k + 2]
        table[i, 7 * k + 3] += rho[1] * c - rho[2] * b
        table[i, 7 * k + 4] += rho[2] * a - rho[0] * c
        table[i, 7 * k + 5] += rho[0] * b - rho[1] * a
    for k in range(7):  # rows: B'(S B)
        a, b, c = table[i, k], table[i, 7 + k], table[i, 14 + k]
        table[i, 21 + k] += rho[1] * c - rho[2] * b
        table[i, 28 + k] += rho[2] * a - rho[0] * c
        table[i, 35 + k] += rho[0] * b - rho[1] * a


@kernel
def chain_factor(n, row, d, diag, off, hub):
    """Factor a chain of n elements with its root in `row`, and add its Schur complement to hub[0].

    d: position of the root relative to the hub's reference point.
    """
    for i in range(row + n, row, -1):
        _factor(diag, i)
        up = i - 1
        for k in range(7):  # off[up] becomes Z = off L'^-1
            for j in range(7):
                total = off[up, 7 * k + j]
                for m in range(j):
                    total -= diag[i, 7 * j + m] * off[up, 7 * k + m]
                off[up, 7 * k + j] = total
        for k in range(7):
            for j in range(k + 1):
                total = diag[up, 7 * k + j]
                for m in range(7):
                    total -= off[up, 7 * k + m] * off[up, 7 * j + m] * diag[i, 8 * m]
                diag[up, 7 * k + j] = total
    for k in range(7):
        for j in range(k):
            diag[row, 7 * j + k] = diag[row, 7 * k + j]
    _moved(diag, row, d)
    inverse = 1.0 / diag[row, 48]
    diag[row, 48] = inverse
    for k in range(6):
        for j in range(6):
            hub[0, 6 * k + j] += diag[row, 7 * k + j] - diag[row, 42 + k] * diag[row, 42 + j] * inverse


@kernel
def chain_forward(n, row, d, diag, off, y, at):
    """Eliminate the right-hand side y[at:] (root strain, then nodes). Return the residual at the hub."""
    # force and moment of the chain on the root
    f0 = f1 = f2 = m0 = m1 = m2 = 0.0 * y[at]
    for i in range(n, 0, -1):
        here = at + 1 + 7 * (i - 1)
        _forward(diag, row + i, y, here)
        up = row + i - 1
        if i > 1:
            for k in range(7):
                total = y[here - 7 + k]
                for m in range(7):
                    total -= off[up, 7 * k + m] * y[here + m]
                y[here - 7 + k] = total
        else:
            total = y[at]
            for m in range(7):
                v = y[here + m]
                f0 -= off[up, m] * v
                f1 -= off[up, 7 + m] * v
                f2 -= off[up, 14 + m] * v
                m0 -= off[up, 21 + m] * v
                m1 -= off[up, 28 + m] * v
                m2 -= off[up, 35 + m] * v
                total -= off[up, 42 + m] * v
            y[at] = total
    y[at] *= diag[row, 48]
    s = y[at]
    m0 += d[1] * f2 - d[2] * f1
    m1 += d[2] * f0 - d[0] * f2
    m2 += d[0] * f1 - d[1] * f0
    return (
        f0 - diag[row, 42] * s,
        f1 - diag[row, 43] * s,
        f2 - diag[row, 44] * s,
        m0 - diag[row, 45] * s,
        m1 - diag[row, 46] * s,
        m2 - diag[row, 47] * s,
    )


@kernel
def chain_backward(n, row, d, diag, off, v, w, y, at):
    """Write the chain's velocities to y, given the hub's velocities v and w."""
    inverse = diag[row, 48]
    total = y[at]
    for k in range(3):
        total -= (diag[row, 42 + k] * v[k] + diag[row, 45 + k] * w[k]) * inverse
    y[at] = total
    v0 = v[0] + w[1] * d[2] - w[2] * d[1]
    v1 = v[1] + w[2] * d[0] - w[0] * d[2]
    v2 = v[2] + w[0] * d[1] - w[1] * d[0]
    for i in range(1, n + 1):
        here = at + 1 + 7 * (i - 1)
        up = row + i - 1
        for j in range(7):
            if i == 1:
                total = off[up, j] * v0 + off[up, 7 + j] * v1 + off[up, 14 + j] * v2 + off[up, 42 + j] * y[at]
                total += off[up, 21 + j] * w[0] + off[up, 28 + j] * w[1] + off[up, 35 + j] * w[2]
            else:
                total = off[up, j] * y[here - 7]
                for k in range(1, 7):
                    total += off[up, 7 * k + j] * y[here - 7 + k]
            y[here + j] -= total * diag[row + i, 8 * j]
        _backward(diag, row + i, y, here)
