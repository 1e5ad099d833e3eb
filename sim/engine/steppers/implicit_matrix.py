# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Iteration matrix of an implicit step, D + h lambda C + (h lambda)^2 K, for hub and coordinates.

The matrix is condensed onto hub and coordinates: arms contribute a 6 x 6 block at the hub. For hub and coordinates, all
derivatives of momenta and forces are included; those of the elements are computed by differences. Thus a stiff spring,
a strong damper or the momentum of a fast wheel does not limit the step. Vectors are in the frames of hub and nodes.
"""

from ....plant.hub.composition import compose_near, near_forces
from ....plant.hub.element_calls import BACKWARD, FORWARD, SLOPES, call_own
from ....plant.hub.implicit_places import (
    ANGULAR,
    INNER,
    LINEAR,
    block_at,
    choose_plane,
    count_velocities,
    matrix_at,
    pivots_at,
    side_at,
)
from ....plant.hub.parameters import (
    HUB_V,
    INTERNAL,
    N_INTERNAL,
    N_OWN,
    NEAR_MASS,
    REDUCED,
    TRANSLATION,
    W_B,
    W_G,
    W_HUB,
    W_LINEAR,
    W_V,
)
from ....plant.hub.parameters import MASS as TOTAL_MASS
from ....plant.kernels.kernel import complex_table_in, kernel
from .implicit_stage import impose, near_momenta, place_and_weigh

SMALL = 1e-6
"""Relative step of the differences: the step is SMALL (|value| + 1e-3) for a coordinate or rate."""


@kernel
def _forces_at(t, x, u, p, w, column, at):
    """Write the generalised forces of the coordinates to column[at:]; velocities are in the workspace."""
    g, n = int(p[W_G]), int(p[N_INTERNAL])
    for k in range(n):
        w[g + k] = 0.0
    near_forces(t, x, u, p, w)
    for k in range(n):
        column[at + k] = w[g + k]


@kernel
def _add_by_velocity(t, hl, x, u, p, w, at, column, S, ahead, behind):
    """Subtract h lambda times the derivative of the forces with respect to the velocity at w[at] from a column of S.

    The derivatives remain in `ahead`. The workspace stores the velocity of the reference point twice.
    """
    n, copy = int(p[N_INTERNAL]), int(p[W_LINEAR]) + at - int(p[W_HUB]) - HUB_V
    here, linear = w[at], column < ANGULAR
    step = SMALL * (abs(here) + 1e-3)
    for side in range(2):
        w[at] = here + step if side == 0 else here - step
        if linear:
            w[copy] = -p[REDUCED] * w[at]
        _forces_at(t, x, u, p, w, ahead if side == 0 else behind, 0)
    w[at] = here
    if linear:
        w[copy] = -p[REDUCED] * here
    for i in range(n):
        ahead[i] = (ahead[i] - behind[i]) / (2.0 * step)
        S[INNER + i, column] -= hl * ahead[i]


@kernel
def _add_by_attitude(hl, p, w, mom, S):
    """Add the effect of a rotation of the hub, which rotates the momentum but no inertial velocity.

    R'd(R m) = dtheta x m + M (d omega, d v0), with d omega = omega x dtheta for a velocity that is constant in inertial
    axes. The columns of S for the velocities of the hub contain M and the derivatives of the forces, and yield the
    second term.
    """
    v, hub, size = int(p[W_V]), int(p[W_HUB]) + HUB_V, S.shape[0]
    for i in range(size):
        a, b, c = S[i, ANGULAR], S[i, ANGULAR + 1], S[i, ANGULAR + 2]
        w0, w1, w2 = w[v], w[v + 1], w[v + 2]
        g0, g1, g2 = b * w2 - c * w1, c * w0 - a * w2, a * w1 - b * w0
        if p[REDUCED] > 0.0:
            a, b, c = S[i, LINEAR], S[i, LINEAR + 1], S[i, LINEAR + 2]
            w0, w1, w2 = w[hub], w[hub + 1], w[hub + 2]
            g0, g1, g2 = g0 + b * w2 - c * w1, g1 + c * w0 - a * w2, g2 + a * w1 - b * w0
        S[i, ANGULAR] += hl * g0
        S[i, ANGULAR + 1] += hl * g1
        S[i, ANGULAR + 2] += hl * g2
    for k in (LINEAR, ANGULAR):
        S[k, ANGULAR + 1] += hl * mom[k + 2]
        S[k, ANGULAR + 2] -= hl * mom[k + 1]
        S[k + 1, ANGULAR] -= hl * mom[k + 2]
        S[k + 1, ANGULAR + 2] += hl * mom[k]
        S[k + 2, ANGULAR] += hl * mom[k + 1]
        S[k + 2, ANGULAR + 1] -= hl * mom[k]


@kernel
def _add_by_place(t, hl, x, u, p, w, S, ahead, behind):
    """Add the effect of the coordinates on momenta and forces; M and B end at a shifted position."""
    n = int(p[N_INTERNAL])
    size = INNER + n
    for j in range(n):
        here = x[INTERNAL + j]
        step = SMALL * (abs(here) + 1e-3)
        for side in range(2):
            x[INTERNAL + j] = here + step if side == 0 else here - step
            compose_near(t, x, u, p, w)
            column = ahead if side == 0 else behind
            near_momenta(p, w, column)
            _forces_at(t, x, u, p, w, column, size)
        x[INTERNAL + j] = here
        for i in range(size):
            S[i, INNER + j] += hl * (ahead[i] - behind[i]) / (2.0 * step)
        for i in range(n):
            S[INNER + i, INNER + j] -= hl * hl * (ahead[size + i] - behind[size + i]) / (2.0 * step)


@kernel
def build_matrix(t, h, lam, x, nu, u, p, w, unit, mom, ahead, behind, plane):
    """Build and factor the matrix at positions x and velocities nu in a plane of w."""
    choose_plane(p, w, plane)
    impose(x, nu, p, w, unit)
    place_and_weigh(t, u, p, w, unit, mom)
    n = int(p[N_INTERNAL])
    m, size = 3 + n, INNER + n
    hl = h * lam
    block = complex_table_in(w, block_at(p), 1, 36)
    S = complex_table_in(w, plane + matrix_at(p), size, size)
    for i in range(36):
        block[0, i] = 0.0
    if p[N_OWN] != 0.0:
        sides = complex_table_in(w, side_at(p), 1, count_velocities(p))
        sides[0, 0] = hl
        call_own(SLOPES, t, unit, u, p, w)
    b = int(p[W_B])
    free = p[REDUCED] > 0.0
    for i in range(3):
        for k in range(3):
            S[i, k] = (p[NEAR_MASS] if free else 1.0) if i == k else 0.0
        for k in range(m):
            S[i, 3 + k] = w[b + i * m + k] if free else 0.0
            S[3 + k, i] = S[i, 3 + k]
    for i in range(m):
        for k in range(i + 1):
            S[3 + i, 3 + k] = w[i * m + k]
            S[3 + k, 3 + i] = w[i * m + k]
    near_momenta(p, w, mom)
    v, hub = int(p[W_V]), int(p[W_HUB]) + HUB_V
    if n > 0:
        for k in range(3):
            if free:
                _add_by_velocity(t, hl, unit, u, p, w, hub + k, LINEAR + k, S, ahead, behind)
            _add_by_velocity(t, hl, unit, u, p, w, v + k, ANGULAR + k, S, ahead, behind)
    _add_by_attitude(hl, p, w, mom, S)
    for k in range(n):
        _add_by_velocity(t, hl, unit, u, p, w, v + 3 + k, INNER + k, S, ahead, behind)
    _add_by_place(t, hl, unit, u, p, w, S, ahead, behind)
    for i in range(6):
        for k in range(6):
            if free or (i >= 3 and k >= 3):
                S[i, k] += block[0, 6 * i + k]
    _factor(S, w, plane + pivots_at(p))


@kernel
def _factor(S, w, pivots):
    """Factor S in place into L U with column pivoting; the diagonal of U is stored inverted."""
    size = S.shape[0]
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(S[i, k]) > abs(S[best, k]):
                best = i
        w[pivots + k] = best
        if best != k:
            for j in range(size):
                S[k, j], S[best, j] = S[best, j], S[k, j]
        inverse = 1.0 / S[k, k]
        S[k, k] = inverse
        for i in range(k + 1, size):
            S[i, k] *= inverse
            for j in range(k + 1, size):
                S[i, j] -= S[i, k] * S[k, j]


@kernel
def _substitute(S, w, pivots, y):
    """Solve for the leading entries of y in place, with the factors L U."""
    size = S.shape[0]
    for k in range(size):
        best = int(w[pivots + k])
        if best != k:
            y[k], y[best] = y[best], y[k]
        for i in range(k + 1, size):
            y[i] -= S[i, k] * y[k]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            y[k] -= S[k, j] * y[j]
        y[k] *= S[k, k]


@kernel
def solve_with_matrix(x, u, p, w, y, plane):
    """Replace the right-hand side y (complex, in the order of velocities) by the solution."""
    choose_plane(p, w, plane)
    size = INNER + int(p[N_INTERNAL])
    S = complex_table_in(w, plane + matrix_at(p), size, size)
    if p[N_OWN] != 0.0:
        call_own(FORWARD, 0.0, x, u, p, w)
    if not p[REDUCED] > 0.0:
        y[LINEAR], y[LINEAR + 1], y[LINEAR + 2] = 0.0j, 0.0j, 0.0j
    _substitute(S, w, plane + pivots_at(p), y)
    if p[N_OWN] != 0.0:
        call_own(BACKWARD, 0.0, x, u, p, w)
    for k in range(size, size + 3):
        y[k] = y[k] / p[TOTAL_MASS] if p[TRANSLATION] != 0.0 else 0.0j
