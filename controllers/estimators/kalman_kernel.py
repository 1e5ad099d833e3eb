# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The kernel of a linear Kalman filter of any size."""

import math

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel, table_in

__all__ = ["KALMAN", "kalman_kernel"]

KALMAN = fields(states=1, inputs=1, measured=1, message=1)
"""At the beginning of q; A, B, C, Q and R stand behind, row by row. message: numbers behind a measurement, 0 or 2."""


@kernel
def kalman_kernel(t, y, q, z, v):
    """y = measurement, perhaps valid and time, inputs held since before -> v = state; covariance, y' S^-1 y if asked.

    z: whether it began, state, covariance, work space.
    """
    n, m, p = int(q[KALMAN.states]), int(q[KALMAN.inputs]), int(q[KALMAN.measured])
    more = int(q[KALMAN.message])
    at = KALMAN.size
    A, B, C = table_in(q, at, n, n), table_in(q, at + n * n, n, m), table_in(q, at + n * n + n * m, p, n)
    at += n * n + n * m + p * n
    Q, R = table_in(q, at, n, n), table_in(q, at + n * n, p, p)
    x, P = z[1 : 1 + n], table_in(z, 1 + n, n, n)
    at = 1 + n + n * n
    W, N = table_in(z, at, n, n), table_in(z, at + n * n, n, n)
    at += 2 * n * n
    S, K, r = table_in(z, at, p, p), table_in(z, at + p * p, p, n), z[at + p * p + p * n :]
    if z[0] != 0.0:
        for i in range(n):
            r[i] = 0.0
            for j in range(n):
                r[i] += A[i, j] * x[j]
            for j in range(m):
                r[i] += B[i, j] * y[p + more + j]
        for i in range(n):
            x[i] = r[i]
        _squeeze(A, P, N, n)
        for i in range(n):
            for j in range(n):
                P[i, j] += Q[i, j]
    z[0] = 1.0
    square = 0.0
    if more == 0 or y[p] > 0.0:
        square = _gain(x, P, C, R, y, S, K, r, n, p)
        for i in range(n):  # Joseph's form
            for j in range(n):
                W[i, j] = 1.0 if i == j else 0.0
                for a in range(p):
                    W[i, j] -= K[a, i] * C[a, j]
        _squeeze(W, P, N, n)
        for i in range(n):
            for j in range(n):
                for a in range(p):
                    for b in range(p):
                        P[i, j] += K[a, i] * R[a, b] * K[b, j]
    for i in range(n):
        v[i] = x[i]
    if v.size > n:
        for i in range(n):
            for j in range(n):
                v[n + n * i + j] = P[i, j]
        v[n + n * n] = square


@kernel
def _squeeze(A, P, W, n):
    """P <- A P A'."""
    for i in range(n):
        for j in range(n):
            W[i, j] = 0.0
            for k in range(n):
                W[i, j] += A[i, k] * P[k, j]
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(n):
                total += W[i, k] * A[j, k]
            P[i, j] = total
            P[j, i] = total


@kernel
def _gain(x, P, C, R, y, S, K, r, n, p):
    """Correct x, put the gain, transposed, into K, and return y' S^-1 y of the residual; S by its Cholesky factor."""
    for a in range(p):
        for j in range(n):
            K[a, j] = 0.0
            for k in range(n):
                K[a, j] += C[a, k] * P[k, j]
    square = 0.0
    for a in range(p):
        for b in range(a + 1):
            total = R[a, b]
            for k in range(n):
                total += K[a, k] * C[b, k]
            for k in range(b):
                total -= S[a, k] * S[b, k]
            S[a, b] = math.sqrt(total) if a == b else total / S[b, b]
        r[a] = y[a]
        for k in range(n):
            r[a] -= C[a, k] * x[k]
        for b in range(a):
            r[a] -= S[a, b] * r[b]
        r[a] = r[a] / S[a, a]
        square += r[a] * r[a]
    for j in range(n):  # forward, where the correction of x is the product with r, then back
        for a in range(p):
            for b in range(a):
                K[a, j] -= S[a, b] * K[b, j]
            K[a, j] = K[a, j] / S[a, a]
            x[j] += K[a, j] * r[a]
        for i in range(p):
            a = p - 1 - i
            for b in range(a + 1, p):
                K[a, j] -= S[b, a] * K[b, j]
            K[a, j] = K[a, j] / S[a, a]
    return square
