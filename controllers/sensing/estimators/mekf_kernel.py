# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of the multiplicative extended Kalman filter: propagation and updates.

The state consists of e^ (4) and the bias b^ (3). P is the covariance of (a, beta), with the true attitude
e = e^ o Exp(a) and the true bias b = b^ + beta.

Sources: Lefferts, Markley & Shuster (1982); Markley (2003) for the error in body axes on the right; Mueller, Hehn &
D'Andrea (2017) for the reset of the covariance after an update.
"""

import math

from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import every, select, shared
from ....plant.kernels.rotation import compose, to_body

ATTITUDE, BIAS, STATE = 0, 4, 7
"""Indices of attitude and bias in the state, and length of the state."""

ERRORS = 6
"""Rows of the covariance: three for the attitude, three for the bias."""

WORK_ROWS = 25
"""Number of workspace rows, of six numbers each; `update` of several runs uses eight more."""

SIGHTING = fields(seen=4, covariance=6, direction=1)
"""Packed measurement: attitude, lower triangle of the noise covariance, 0.

For a direction: measured direction, expected direction, sigma, unused, 1."""

SMALL = 1e-3  # rad: for smaller angles, series replace quotients


@kernel
def half_sine(size):
    """Return sin(size / 2) / size."""
    small = size < SMALL
    share = 0.5 - size * size / 48.0
    if not every(small):
        share = select(small, share, math.sin(0.5 * size) / select(small, 1.0, size))
    return share


@kernel
def angle_share(d0, size):
    """Return 2 atan2(size, d0) / size."""
    small = size < 1e-12
    share = 2.0 / select(small, d0, 1.0)
    if not every(small):
        share = select(small, share, 2.0 * math.atan2(size, d0) / select(small, 1.0, size))
    return share


@kernel
def turn_by(x, at, a0, a1, a2):
    """x[at: at + 4] <- x[at: at + 4] o Exp(a), normalised."""
    size = math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)
    share = half_sine(size)
    e0, e1, e2, e3 = compose(
        x[at], x[at + 1], x[at + 2], x[at + 3], math.cos(0.5 * size), share * a0, share * a1, share * a2
    )
    scale = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    x[at], x[at + 1], x[at + 2], x[at + 3] = scale * e0, scale * e1, scale * e2, scale * e3


@kernel
def transition(w0, w1, w2, T, F):
    """F (6, 3) <- blocks F11 (rows 0 to 2) and F12 (rows 3 to 5) of the transition matrix of (a, beta)."""
    n = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    angle = n * T
    small = angle < SMALL
    s, c, d = T * (1.0 - angle * angle / 6.0), T * T * (0.5 - angle * angle / 24.0), T**3 / 6.0
    if not every(small):
        m = select(small, 1.0, n)
        s = select(small, s, math.sin(angle) / m)
        c = select(small, c, 2.0 * math.sin(0.5 * angle) ** 2 / (m * m))
        d = select(small, d, (angle - math.sin(angle)) / m**3)
    w = (w0, w1, w2)
    for i in range(3):
        for j in range(3):
            cross = 0.0
            if j == (i + 1) % 3:
                cross = -w[(i + 2) % 3]
            elif i == (j + 1) % 3:
                cross = w[(j + 2) % 3]
            square = w[i] * w[j] - (n * n if i == j else 0.0)
            unit = 1.0 if i == j else 0.0
            F[i, j] = unit - s * cross + c * square
            F[3 + i, j] = -T * unit + c * cross - d * square


@kernel
def propagate(x, P, r0, r1, r2, T, noise, walk, work):
    """Propagate attitude and covariance over a time T by a measured mean rate minus the bias."""
    n = ERRORS
    w0, w1, w2 = r0 - x[BIAS], r1 - x[BIAS + 1], r2 - x[BIAS + 2]
    turn_by(x, ATTITUDE, w0 * T, w1 * T, w2 * T)
    F = work[:6]
    transition(w0, w1, w2, T, F)
    new = work[6:9]
    for i in range(3):  # rows of a
        for j in range(n):
            total = 0.0
            for k in range(3):
                total += F[i, k] * P[k, j] + F[3 + i, k] * P[3 + k, j]
            new[i, j] = total
    for i in range(3):
        for j in range(n):
            P[i, j] = new[i, j]
    for i in range(n):  # columns of a
        a0, a1, a2, b0, b1, b2 = P[i, 0], P[i, 1], P[i, 2], P[i, 3], P[i, 4], P[i, 5]
        for j in range(3):
            P[i, j] = (
                a0 * F[j, 0] + a1 * F[j, 1] + a2 * F[j, 2] + b0 * F[3 + j, 0] + b1 * F[3 + j, 1] + b2 * F[3 + j, 2]
            )
    angle = noise * noise * T + walk * walk * T**3 / 3.0
    joint = 0.5 * walk * walk * T * T
    for i in range(3):
        P[i, i] += angle
        P[i, 3 + i] -= joint
        P[3 + i, i] -= joint
        P[3 + i, 3 + i] += walk * walk * T


@kernel
def update(x, P, y, H, R, gate, work):
    """Update by a residual y (3) = H a + noise with covariance R.

    Returns y' S^-1 y; if this exceeds the gate, the estimate is unchanged and the result is negative.
    """
    n = ERRORS
    S, K, W = work[:3], work[3:6], work[6:9]  # S = H P H' + R by its Cholesky factor; K'; (P H')'
    for i in range(3):
        for j in range(n):
            W[i, j] = H[i, 0] * P[0, j] + H[i, 1] * P[1, j] + H[i, 2] * P[2, j]
    for i in range(3):
        for j in range(3):
            S[i, j] = R[i, j] + W[i, 0] * H[j, 0] + W[i, 1] * H[j, 1] + W[i, 2] * H[j, 2]
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
    refused = square > gate
    if every(refused):
        return -square
    kept = work[WORK_ROWS : WORK_ROWS + n + 2]
    mixed = not every(select(refused, 1.0, 0.0) < 0.5)
    if mixed:  # only some runs of the batch reject the measurement
        for i in range(n):
            for j in range(n):
                kept[i, j] = P[i, j]
        for m in range(STATE):
            kept[n + m // n, m % n] = x[m]
    for j in range(n):  # rows of S^-1 H P: forward, then back substitution
        K[0, j] = W[0, j] / S[0, 0]
        K[1, j] = (W[1, j] - S[1, 0] * K[0, j]) / S[1, 1]
        K[2, j] = (W[2, j] - S[2, 0] * K[0, j] - S[2, 1] * K[1, j]) / S[2, 2]
        K[2, j] = K[2, j] / S[2, 2]
        K[1, j] = (K[1, j] - S[2, 1] * K[2, j]) / S[1, 1]
        K[0, j] = (K[0, j] - S[1, 0] * K[1, j] - S[2, 0] * K[2, j]) / S[0, 0]
    for j in range(n):
        W[0, j], W[1, j], W[2, j] = K[0, j], K[1, j], K[2, j]
    _joseph(P, H, R, W, work[9:12], work[12:15])
    _correct(x, P, y, W)
    if mixed:
        for i in range(n):
            for j in range(n):
                P[i, j] = select(refused, kept[i, j], P[i, j])
        for m in range(STATE):
            x[m] = select(refused, kept[n + m // n, m % n], x[m])
    return select(refused, -square, square)


@kernel
def _joseph(P, H, R, W, L, row):
    """P <- (I - K H) P (I - K H)' + K R K' (Joseph's form), rows first, then columns; W holds K'."""
    n = ERRORS
    for i in range(3):  # L = (K H)' as rows over the states
        for j in range(n):
            L[i, j] = W[0, j] * H[0, i] + W[1, j] * H[1, i] + W[2, j] * H[2, i]
    for i in range(3):
        for j in range(n):
            row[i, j] = P[i, j]
    for i in range(n):
        for j in range(n):
            P[i, j] -= L[0, i] * row[0, j] + L[1, i] * row[1, j] + L[2, i] * row[2, j]
    for i in range(n):
        row[0, i], row[1, i], row[2, i] = P[i, 0], P[i, 1], P[i, 2]
    for i in range(n):
        for j in range(n):
            more = 0.0
            for k in range(3):
                noise = R[k, 0] * W[0, j] + R[k, 1] * W[1, j] + R[k, 2] * W[2, j]
                more += W[k, i] * noise - row[k, i] * L[k, j]
            P[i, j] += more
    for i in range(n):
        for j in range(i):
            mean = 0.5 * (P[i, j] + P[j, i])
            P[i, j] = mean
            P[j, i] = mean


@kernel
def _correct(x, P, y, K):
    """Apply the correction by the residual y to e^ and b^, and reset the covariance to the new body axes."""
    for i in range(3):
        x[BIAS + i] += K[0, 3 + i] * y[0] + K[1, 3 + i] * y[1] + K[2, 3 + i] * y[2]
    a0 = K[0, 0] * y[0] + K[1, 0] * y[1] + K[2, 0] * y[2]
    a1 = K[0, 1] * y[0] + K[1, 1] * y[1] + K[2, 1] * y[2]
    a2 = K[0, 2] * y[0] + K[1, 2] * y[1] + K[2, 2] * y[2]
    turn_by(x, ATTITUDE, a0, a1, a2)
    _reset(P, a0, a1, a2)


@kernel
def _reset(P, a0, a1, a2):
    """P <- G P G', G = diag(Jr(a), I), so that the error is relative to the corrected attitude."""
    square = a0 * a0 + a1 * a1 + a2 * a2
    size = math.sqrt(square)
    small = size < SMALL
    s, c = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    if not every(small):
        whole, root = select(small, 1.0, square), select(small, 1.0, size)
        s = select(small, s, 2.0 * math.sin(0.5 * size) ** 2 / whole)
        c = select(small, c, (size - math.sin(size)) / (whole * root))
    # Jr v = v - s a x v + c a x (a x v)
    for j in range(ERRORS):
        P[0, j], P[1, j], P[2, j] = _jacobian(a0, a1, a2, s, c, P[0, j], P[1, j], P[2, j])
    for j in range(ERRORS):
        P[j, 0], P[j, 1], P[j, 2] = _jacobian(a0, a1, a2, s, c, P[j, 0], P[j, 1], P[j, 2])


@kernel(inline=True)
def _jacobian(a0, a1, a2, s, c, v0, v1, v2):
    x0, x1, x2 = a1 * v2 - a2 * v1, a2 * v0 - a0 * v2, a0 * v1 - a1 * v0
    y0, y1, y2 = a1 * x2 - a2 * x1, a2 * x0 - a0 * x2, a0 * x1 - a1 * x0
    return v0 - s * x0 + c * y0, v1 - s * x1 + c * y1, v2 - s * x2 + c * y2


@kernel
def update_attitude(x, P, m0, m1, m2, m3, R, gate, y, H, work):
    """Update by a measured attitude e_m = e o Exp(noise), with noise covariance R (3, 3) in body axes.

    The residual is Log(Exp(a) Exp(noise)) = a + J noise, with J the inverse of Jr(a). If the error a is large, J
    rotates anisotropic noise by about half the error.
    """
    d0, d1, d2, d3 = compose(x[0], -x[1], -x[2], -x[3], m0, m1, m2, m3)
    other = d0 < 0.0
    d0, d1, d2, d3 = select(other, -d0, d0), select(other, -d1, d1), select(other, -d2, d2), select(other, -d3, d3)
    size = math.sqrt(d1 * d1 + d2 * d2 + d3 * d3)
    share = angle_share(d0, size)
    y[0], y[1], y[2] = share * d1, share * d2, share * d3
    turned, rows = work[15:18], work[12:15]
    angle = share * size
    c = 1.0 / 12.0 + angle * angle / 720.0
    large = angle > SMALL
    if not every(angle <= SMALL):
        whole = select(large, angle, 1.0)
        c = select(large, 1.0 / (whole * whole) - 0.5 * d0 / (select(large, size, 1.0) * whole), c)
    for i in range(3):
        rows[i, 0], rows[i, 1], rows[i, 2] = _jacobian(y[0], y[1], y[2], -0.5, c, R[0, i], R[1, i], R[2, i])
    for i in range(3):
        turned[0, i], turned[1, i], turned[2, i] = _jacobian(
            y[0], y[1], y[2], -0.5, c, rows[0, i], rows[1, i], rows[2, i]
        )
        for j in range(3):
            H[i, j] = 1.0 if i == j else 0.0
    return update(x, P, y, H, turned, gate, work)


@kernel
def update_vector(x, P, w0, w1, w2, v0, v1, v2, sigma, gate, y, H, work):
    """Update by a direction: w measured in body axes, v in inertial axes, noise sigma (rad) per axis."""
    b0, b1, b2 = to_body(x[0], x[1], x[2], x[3], v0, v1, v2)
    y[0], y[1], y[2] = w0 - b0, w1 - b1, w2 - b2
    H[0, 0], H[0, 1], H[0, 2] = 0.0, -b2, b1
    H[1, 0], H[1, 1], H[1, 2] = b2, 0.0, -b0
    H[2, 0], H[2, 1], H[2, 2] = -b1, b0, 0.0
    R = work[15:18]
    for i in range(3):
        for j in range(3):
            R[i, j] = sigma * sigma if i == j else 0.0
    return update(x, P, y, H, R, gate, work)


@kernel
def receive(x, P, row, at, gate, other_gate, work):
    """Update by a measurement packed in row[at: at + 11]; gate: for attitudes; other_gate: for directions."""
    y, H, R = work[18], work[19:22], work[22:25]
    if shared(row, at + SIGHTING.direction) != 0.0:
        return update_vector(
            x, P, row[at], row[at + 1], row[at + 2], row[at + 3], row[at + 4], row[at + 5], row[at + 6],
            other_gate, y, H, work,
        )  # fmt: skip
    part = at + SIGHTING.covariance
    for i in range(3):
        for j in range(i + 1):
            R[i, j] = row[part]
            R[j, i] = row[part]
            part += 1
    return update_attitude(x, P, row[at], row[at + 1], row[at + 2], row[at + 3], R, gate, y, H, work)
