# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Variance of an attitude that a filter propagates over the delay of its gyro.

The filter knows the state at the end s of the newest reading. Over the delay h it propagates by the same reading
again, so that the error is a(h) = F11 a + F12 (beta + n), with the transition matrix (F11, F12) over h, the errors a
and beta of attitude and bias at s, and the noise n of the reading, of variance noise^2 / T over its interval T. The
reading is in the estimate already: cov(a, n) = -noise^2 I before the messages measured at s. Their updates multiply
the covariances of (a, beta) with n by I - K H, where K H = P J with the covariance P after them and their information
J = sum of H' R^-1 H about the attitude. The rate is taken as constant over the reading and the delay.
"""

from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import select, shared
from .filter_layout import FILTER_MEMORY, FILTER_NUMBERS, FLIGHT, LATEST, SIGHT, SOON, latest_at
from .mekf_kernel import SIGHTING, transition


@kernel
def _information(q, z, end, J):
    """J (3, 3) <- information about the attitude of the accepted messages that were measured at `end`."""
    for i in range(3):
        for j in range(3):
            J[i, j] = 0.0
    for s in range(int(shared(q, FILTER_NUMBERS.sensors))):
        at, last = FILTER_NUMBERS.size + FLIGHT.size + s * SIGHT.size, latest_at(q) + LATEST.size * s
        if abs(shared(z, last + LATEST.seen) - end) > SOON:
            continue
        used = select(z[FILTER_MEMORY.size + s] > 0.0, 1.0, 0.0)
        told = last + LATEST.sighting
        if shared(q, at + SIGHT.direction) != 0.0:
            share = used / (z[told + SIGHTING.covariance + 2] * z[told + SIGHTING.covariance + 2])
            for i in range(3):
                for j in range(3):
                    J[i, j] += share * ((1.0 if i == j else 0.0) - z[told + i] * z[told + j])
            continue
        part = told + SIGHTING.covariance
        r00, r10, r11, r20, r21, r22 = z[part], z[part + 1], z[part + 2], z[part + 3], z[part + 4], z[part + 5]
        c00, c10, c20 = r11 * r22 - r21 * r21, r20 * r21 - r10 * r22, r10 * r21 - r20 * r11
        share = used / (r00 * c00 + r10 * c10 + r20 * c20)
        J[0, 0] += share * c00
        J[1, 1] += share * (r00 * r22 - r20 * r20)
        J[2, 2] += share * (r00 * r11 - r10 * r10)
        c21 = r10 * r20 - r00 * r21
        J[1, 0] += share * c10
        J[0, 1] += share * c10
        J[2, 0] += share * c20
        J[0, 2] += share * c20
        J[2, 1] += share * c21
        J[1, 2] += share * c21


@kernel
def ahead_variances(q, z, P, w0, w1, w2, ahead, span, end, work):
    """Return the variances of the attitude error about the body axes after the propagation over `ahead`.

    P (6, 6): covariance at `end`; w0, w1, w2: rate of the propagation; span: interval of the newest reading, s; 0 for
    none.
    """
    F, J, C = work[:6], work[6:9], work[9:15]
    transition(w0, w1, w2, ahead, F)
    _information(q, z, end, J)
    noise = q[FILTER_NUMBERS.noise] * q[FILTER_NUMBERS.noise]
    fresh = noise / span if span > SOON else 0.0
    for i in range(6):
        for j in range(3):
            known = 1.0 if i == j else 0.0
            for k in range(3):
                known -= P[i, k] * J[k, j]
            C[i, j] = -noise * known if span > SOON else 0.0
    found0, found1, found2 = 0.0, 0.0, 0.0
    for i in range(3):
        total = 0.0
        for j in range(3):
            total += fresh * F[3 + i, j] * F[3 + i, j]
            for k in range(3):
                total += F[i, j] * P[j, k] * F[i, k] + F[3 + i, j] * P[3 + j, 3 + k] * F[3 + i, k]
                total += 2.0 * F[i, j] * (P[j, 3 + k] + C[j, k]) * F[3 + i, k]
                total += 2.0 * F[3 + i, j] * C[3 + j, k] * F[3 + i, k]
        if i == 0:
            found0 = total
        elif i == 1:
            found1 = total
        else:
            found2 = total
    return found0, found1, found2
