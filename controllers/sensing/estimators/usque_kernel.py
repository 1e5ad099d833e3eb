# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of the unscented quaternion estimator (Crassidis & Markley 2003).

State and covariance are as in the extended filter (`mekf_kernel`), but the attitude error p has the magnitude
4 tan(angle/4) along the rotation axis. The error is four times the modified Rodrigues parameters and equals the
rotation vector up to terms of third order. There are 13 sigma points for n = 6, with lambda = 1.

All process noise is added after propagation, as in the extended filter. Adding half of the noise before and half after
(Crassidis & Markley) gives the same result if the bias changes little in an interval. If the bias changes much, the
covariance is then not positive definite.
"""

import math

from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose, to_body
from .mekf_kernel import ATTITUDE, BIAS, ERRORS, SIGHTING, WORK_ROWS, turn_by

POINT_ROWS = 5 * ERRORS + 2
"""Workspace rows after those of the extended filter: factor, deviations, predictions of the points."""

LAMBDA = 1.0


@kernel(inline=True)
def _rotation(p0, p1, p2):
    """Return the Euler parameters of an attitude error p."""
    s0, s1, s2 = 0.25 * p0, 0.25 * p1, 0.25 * p2
    square = s0 * s0 + s1 * s1 + s2 * s2
    share = 2.0 / (1.0 + square)
    return (1.0 - square) / (1.0 + square), share * s0, share * s1, share * s2


@kernel(inline=True)
def _along(e0, e1, e2, e3):
    """Return p for Euler parameters without changing their sign, also for angles above 180 deg."""
    share = 4.0 / max(1.0 + e0, 1e-9)
    return share * e1, share * e2, share * e3


@kernel(inline=True)
def _parameters(e0, e1, e2, e3):
    """Return p for Euler parameters, for the shorter rotation."""
    sign = 4.0 if e0 >= 0.0 else -4.0
    size = 1.0 + abs(e0)
    return sign * e1 / size, sign * e2 / size, sign * e3 / size


@kernel
def _points(P, work):
    """Write the deviations of the sigma points, the central point first, to the workspace."""
    n = ERRORS
    L = work[WORK_ROWS : WORK_ROWS + n]
    D = work[WORK_ROWS + n : WORK_ROWS + 3 * n + 1]
    for i in range(n):
        for j in range(i + 1):
            total = P[i, j]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            if i == j:  # for an exactly known component the remaining variance is round-off
                L[i, i] = math.sqrt(total) if total > 1e-14 * P[i, i] else 0.0
            else:
                L[i, j] = total / L[j, j] if L[j, j] > 0.0 else 0.0
    spread = math.sqrt(n + LAMBDA)
    for j in range(n):
        D[0, j] = 0.0
        for i in range(n):
            away = spread * L[i, j] if i >= j else 0.0
            D[1 + j, i] = away
            D[1 + n + j, i] = -away


@kernel
def _weight(i, n):
    return LAMBDA / (n + LAMBDA) if i == 0 else 0.5 / (n + LAMBDA)


@kernel
def _settle(x, P, D, mean):
    """Set the mean state and the covariance from the deviations D of the sigma points relative to x."""
    n = ERRORS
    for j in range(n):
        mean[j] = 0.0
        for i in range(2 * n + 1):
            mean[j] += _weight(i, n) * D[i, j]
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(2 * n + 1):
                total += _weight(k, n) * (D[k, i] - mean[i]) * (D[k, j] - mean[j])
            P[i, j] = total
            P[j, i] = total
    for m in range(3):
        x[BIAS + m] += mean[3 + m]
    _turn(x, mean[0], mean[1], mean[2])


@kernel
def _turn(x, p0, p1, p2):
    d0, d1, d2, d3 = _rotation(p0, p1, p2)
    e0, e1, e2, e3 = compose(x[0], x[1], x[2], x[3], d0, d1, d2, d3)
    scale = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    x[0], x[1], x[2], x[3] = scale * e0, scale * e1, scale * e2, scale * e3


@kernel
def usque_propagate(x, P, r0, r1, r2, T, noise, walk, work):
    """Propagate over a time T by a measured mean rate minus the bias of each sigma point."""
    n = ERRORS
    _points(P, work)
    D = work[WORK_ROWS + n : WORK_ROWS + 3 * n + 1]
    turned, mean = work[0], work[1]
    b0, b1, b2 = x[BIAS], x[BIAS + 1], x[BIAS + 2]
    w0, w1, w2 = r0 - b0, r1 - b1, r2 - b2
    e0, e1, e2, e3 = x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3]
    turn_by(x, ATTITUDE, w0 * T, w1 * T, w2 * T)
    for i in range(1, 2 * n + 1):
        d0, d1, d2, d3 = _rotation(D[i, 0], D[i, 1], D[i, 2])
        turned[0], turned[1], turned[2], turned[3] = compose(e0, e1, e2, e3, d0, d1, d2, d3)
        turn_by(turned, 0, (w0 - D[i, 3]) * T, (w1 - D[i, 4]) * T, (w2 - D[i, 5]) * T)
        d0, d1, d2, d3 = compose(
            x[ATTITUDE],
            -x[ATTITUDE + 1],
            -x[ATTITUDE + 2],
            -x[ATTITUDE + 3],
            turned[0],
            turned[1],
            turned[2],
            turned[3],
        )
        D[i, 0], D[i, 1], D[i, 2] = _along(d0, d1, d2, d3)
    _settle(x, P, D, mean)
    angle = noise * noise * T + walk * walk * T * T * T / 3.0
    joint = 0.5 * walk * walk * T * T
    for i in range(3):
        P[i, i] += angle
        P[i, 3 + i] -= joint
        P[3 + i, i] -= joint
        P[3 + i, 3 + i] += walk * walk * T


@kernel
def _correct(x, P, Z, y, R, gate, work):
    """Update by a residual y with predictions Z (points, 3) of all points, as `mekf_kernel.update` does."""
    n = ERRORS
    D = work[WORK_ROWS + n : WORK_ROWS + 3 * n + 1]
    mean, S, C, K = work[0], work[1:4], work[4:7], work[7:10]
    for m in range(3):
        mean[m] = 0.0
        for i in range(2 * n + 1):
            mean[m] += _weight(i, n) * Z[i, m]
    for a in range(3):
        for b in range(3):
            S[a, b] = R[a, b]
            for i in range(2 * n + 1):
                S[a, b] += _weight(i, n) * (Z[i, a] - mean[a]) * (Z[i, b] - mean[b])
        for j in range(n):
            C[a, j] = 0.0
            for i in range(2 * n + 1):
                C[a, j] += _weight(i, n) * (Z[i, a] - mean[a]) * D[i, j]
    for m in range(3):
        y[m] -= mean[m]
    for i in range(3):
        for j in range(i + 1):
            total = S[i, j]
            for k in range(j):
                total -= S[i, k] * S[j, k]
            S[i, j] = math.sqrt(total) if i == j else total / S[j, j]
    z0 = y[0] / S[0, 0]
    z1 = (y[1] - S[1, 0] * z0) / S[1, 1]
    z2 = (y[2] - S[2, 0] * z0 - S[2, 1] * z1) / S[2, 2]
    square = z0 * z0 + z1 * z1 + z2 * z2
    if square > gate:
        return -square
    for j in range(n):  # K = L^-1 C, with S = L L': the covariance decreases by K' K
        K[0, j] = C[0, j] / S[0, 0]
        K[1, j] = (C[1, j] - S[1, 0] * K[0, j]) / S[1, 1]
        K[2, j] = (C[2, j] - S[2, 0] * K[0, j] - S[2, 1] * K[1, j]) / S[2, 2]
    for i in range(n):
        for j in range(n):
            P[i, j] -= K[0, i] * K[0, j] + K[1, i] * K[1, j] + K[2, i] * K[2, j]
    for j in range(n):
        mean[j] = K[0, j] * z0 + K[1, j] * z1 + K[2, j] * z2
    _move(x, P, mean, work)
    return square


@kernel
def _move(x, P, away, work):
    """Apply a correction to the state, and convert the sigma points to deviations from the new state."""
    n = ERRORS
    _points(P, work)
    D = work[WORK_ROWS + n : WORK_ROWS + 3 * n + 1]
    for m in range(3):
        x[BIAS + m] += away[3 + m]
    c0, c1, c2, c3 = _rotation(away[0], away[1], away[2])
    for i in range(1, 2 * n + 1):
        d0, d1, d2, d3 = _rotation(away[0] + D[i, 0], away[1] + D[i, 1], away[2] + D[i, 2])
        d0, d1, d2, d3 = compose(c0, -c1, -c2, -c3, d0, d1, d2, d3)
        D[i, 0], D[i, 1], D[i, 2] = _along(d0, d1, d2, d3)
    _turn(x, away[0], away[1], away[2])
    _settle(x, P, D, work[10])


@kernel
def usque_receive(x, P, row, at, gate, other_gate, work):
    """Update by a measurement packed in row[at: at + 11], as `mekf_kernel.receive` does."""
    n = ERRORS
    _points(P, work)
    D = work[WORK_ROWS + n : WORK_ROWS + 3 * n + 1]
    y, R, Z = work[11], work[12:15], work[WORK_ROWS + 3 * n + 1 : WORK_ROWS + 5 * n + 2]
    e0, e1, e2, e3 = x[0], x[1], x[2], x[3]
    if row[at + SIGHTING.direction] != 0.0:
        for i in range(2 * n + 1):
            d0, d1, d2, d3 = _rotation(D[i, 0], D[i, 1], D[i, 2])
            f0, f1, f2, f3 = compose(e0, e1, e2, e3, d0, d1, d2, d3)
            Z[i, 0], Z[i, 1], Z[i, 2] = to_body(f0, f1, f2, f3, row[at + 3], row[at + 4], row[at + 5])
        sigma = row[at + 6]
        for i in range(3):
            y[i] = row[at + i]
            for j in range(3):
                R[i, j] = sigma * sigma if i == j else 0.0
        return _correct(x, P, Z, y, R, other_gate, work)
    d0, d1, d2, d3 = compose(e0, -e1, -e2, -e3, row[at], row[at + 1], row[at + 2], row[at + 3])
    y[0], y[1], y[2] = _parameters(d0, d1, d2, d3)
    for i in range(2 * n + 1):
        for m in range(3):
            Z[i, m] = D[i, m]
    # noise composed after an error p changes p by J noise, J = (1 - s^2) I + 2 [s] + 2 s s', s = p/4
    J, N = work[15:18], work[18:21]
    s0, s1, s2 = 0.25 * y[0], 0.25 * y[1], 0.25 * y[2]
    square = s0 * s0 + s1 * s1 + s2 * s2
    J[0, 0], J[0, 1], J[0, 2] = 1.0 - square + 2.0 * s0 * s0, 2.0 * (s0 * s1 - s2), 2.0 * (s0 * s2 + s1)
    J[1, 0], J[1, 1], J[1, 2] = 2.0 * (s0 * s1 + s2), 1.0 - square + 2.0 * s1 * s1, 2.0 * (s1 * s2 - s0)
    J[2, 0], J[2, 1], J[2, 2] = 2.0 * (s0 * s2 - s1), 2.0 * (s1 * s2 + s0), 1.0 - square + 2.0 * s2 * s2
    first = at + SIGHTING.covariance
    for i in range(3):
        for j in range(i + 1):
            R[i, j] = row[first]
            R[j, i] = row[first]
            first += 1
    for i in range(3):
        for j in range(3):
            N[i, j] = J[i, 0] * R[0, j] + J[i, 1] * R[1, j] + J[i, 2] * R[2, j]
    for i in range(3):
        for j in range(3):
            R[i, j] = N[i, 0] * J[j, 0] + N[i, 1] * J[j, 1] + N[i, 2] * J[j, 2]
    return _correct(x, P, Z, y, R, gate, work)
