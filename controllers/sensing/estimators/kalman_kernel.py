# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a linear Kalman filter of any dimensions."""

import math

from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel, table_in

KALMAN = fields(states=1, inputs=1, measured=1, message=1, late=1, sample=1)
"""Head of q; the matrices A, B, C, Q and R follow, row by row.

message: width of the message after the measurement, 0 or 2; late: age of a message when it is used, in samples;
sample: s.
"""

MEMORY = fields(samples=1, newest=1, missed=1)
"""Head of z: samples so far, up to `late` + 1; time of the newest message; number of missed messages."""

NEAR = 1e-3  # fraction of a sample: tolerance for the age of a message


@kernel
def kalman_kernel(t, y, q, z, v):
    """y = measurement [, validity, time], held inputs -> v = state, then missed, or P and y' S^-1 y.

    The filter state is `late` samples old: it refers to the time of validity of the messages, and the output is
    predicted from it with the recorded inputs. Each message is used once. z: MEMORY, state, covariance, workspace,
    inputs of the last `late` + 1 samples.
    """
    n, m, p = int(q[KALMAN.states]), int(q[KALMAN.inputs]), int(q[KALMAN.measured])
    more, late = int(q[KALMAN.message]), int(q[KALMAN.late])
    at = KALMAN.size
    A, B, C = table_in(q, at, n, n), table_in(q, at + n * n, n, m), table_in(q, at + n * n + n * m, p, n)
    at += n * n + n * m + p * n
    Q, R = table_in(q, at, n, n), table_in(q, at + n * n, p, p)
    at = MEMORY.size
    x, P = z[at : at + n], table_in(z, at + n, n, n)
    at += n + n * n
    W, N = table_in(z, at, n, n), table_in(z, at + n * n, n, n)
    at += 2 * n * n
    S, K, r = table_in(z, at, p, p), table_in(z, at + p * p, p, n), z[at + p * p + p * n :]
    first = at + p * p + p * n + p + n
    if z[MEMORY.samples] > 0.0:
        _shift(y, z, first, m, late, p + more)
    if z[MEMORY.samples] > late:
        _predict(A, B, x, z, first, r, n, m)
        _squeeze(A, P, N, n)
        for i in range(n):
            for j in range(n):
                P[i, j] += Q[i, j]
    square = 0.0
    if more == 0 or _is_taken(t, y, q, z, p, late):
        square = _gain(x, P, C, R, y, S, K, r, n, p)
        _joseph(P, C, R, K, W, N, n, p)
    for i in range(n):
        v[i] = x[i]
    for k in range(late):
        if z[MEMORY.samples] >= late - k:
            _predict(A, B, v, z, first + m * (k + 1), r, n, m)
    if z[MEMORY.samples] <= late:
        z[MEMORY.samples] += 1.0
    if v.size == n + 1:
        v[n] = z[MEMORY.missed]
    if v.size > n + 1:
        for i in range(n):
            for j in range(n):
                v[n + n * i + j] = P[i, j]
        v[n + n * n] = square


@kernel
def _shift(y, z, first, m, late, at):
    """Append the newest inputs to the recorded inputs, and drop the oldest inputs."""
    for k in range(m * late):
        z[first + k] = z[first + m + k]
    for j in range(m):
        z[first + m * late + j] = y[at + j]


@kernel
def _predict(A, B, x, z, at, r, n, m):
    """x <- A x + B u, with u in z, starting at index `at`."""
    for i in range(n):
        r[i] = 0.0
        for j in range(n):
            r[i] += A[i, j] * x[j]
        for j in range(m):
            r[i] += B[i, j] * z[at + j]
    for i in range(n):
        x[i] = r[i]


@kernel
def _is_taken(t, y, q, z, p, late):
    """Return whether a message is valid, new and of the expected age; count new ones of unexpected age."""
    if y[p] <= 0.0 or y[p + 1] <= z[MEMORY.newest]:
        return False
    z[MEMORY.newest] = y[p + 1]
    if math.fabs((t - y[p + 1]) / q[KALMAN.sample] - late) > NEAR:
        z[MEMORY.missed] += 1.0
        return False
    return z[MEMORY.samples] >= late


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
def _joseph(P, C, R, K, W, N, n, p):
    """P <- (I - K C) P (I - K C)' + K R K' (Joseph's form); K holds the transposed gain."""
    for i in range(n):
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


@kernel
def _gain(x, P, C, R, y, S, K, r, n, p):
    """Update x, write the transposed gain to K, and return y' S^-1 y, using the Cholesky factor of S."""
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
    for j in range(n):  # forward substitution, which also corrects x, then back substitution
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
