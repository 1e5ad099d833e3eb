# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The matrix of an implicit step's iteration, D + h lambda C + (h lambda)^2 K, condensed onto hub and coordinates.

Arms leave 6 x 6 at the hub; coordinates of the other elements have their slopes by differences, so a stiff spring or a
strong damper in the craft does not limit the step. The hub's block is in body axes.
"""

from ...plant.hub.composition import ask_elements
from ...plant.hub.element_calls import BACKWARD, FORCES, FORWARD, SLOPES, call_near, call_own
from ...plant.hub.implicit_places import (
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
from ...plant.hub.parameters import DRIVEN, INTERNAL, N_INTERNAL, N_OWN, NEAR_MASS, REDUCED, TRANSLATION, W_B, W_G, W_V
from ...plant.hub.parameters import MASS as TOTAL_MASS
from ...plant.kernels.kernel import complex_table_in, kernel
from ...plant.kernels.rotation import to_body, to_inertial
from .implicit_stage import impose, place_and_weigh

__all__ = ["build_matrix", "solve_with_matrix"]

SMALL = 1e-6
"""Share of a coordinate or its rate by which slopes are taken; this share of 1e-3 at least."""


@kernel
def _forces_at(t, x, u, p, w, column):
    """The generalised forces of the coordinates at the velocities in the work space."""
    g = int(p[W_G])
    n = int(p[N_INTERNAL])
    for k in range(n):
        w[g + k] = 0.0
    if p[DRIVEN] != 0.0:  # a motor gives less of it the nearer it is to its limit
        ask_elements(t, u, p, w)
    call_near(FORCES, t, x, u, p, w)
    for k in range(n):
        column[k] = w[g + k]


@kernel
def _add_slopes(t, hl, x, u, p, w, S, ahead, behind):
    """Add h lambda C + (h lambda)^2 K of the coordinates; `ahead`, `behind`: spare rows."""
    n = int(p[N_INTERNAL])
    v = int(p[W_V]) + 3
    for j in range(n):
        for which in range(2):
            here = x[INTERNAL + j] if which == 0 else w[v + j]
            step = SMALL * (abs(here) + 1e-3)
            for side in range(2):
                moved = here + step if side == 0 else here - step
                if which == 0:
                    x[INTERNAL + j] = moved
                else:
                    w[v + j] = moved
                _forces_at(t, x, u, p, w, ahead if side == 0 else behind)
            if which == 0:
                x[INTERNAL + j] = here
            else:
                w[v + j] = here
            share = hl * hl if which == 0 else hl
            for i in range(n):
                S[INNER + i, INNER + j] -= share * (ahead[i] - behind[i]) / (2.0 * step)


@kernel
def build_matrix(t, h, lam, x, nu, u, p, w, unit, mom, ahead, behind, plane):
    """Build and factor at positions x and velocities nu; the rows behind are spare. It stands in a plane of w."""
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
    for i in range(6):
        for k in range(6):
            if free or (i >= 3 and k >= 3):
                S[i, k] += block[0, 6 * i + k]
    _add_slopes(t, hl, unit, u, p, w, S, ahead, behind)
    _factor(S, w, plane + pivots_at(p))


@kernel
def _factor(S, w, pivots):
    """L U with the largest pivot of each column, the diagonal of U inverted."""
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
    """Solve with L U in place: the rows of S are the first of y."""
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
    """Replace y (complex, in the order of velocities, inertial components) by the solution; x: an attitude near by."""
    choose_plane(p, w, plane)
    size = INNER + int(p[N_INTERNAL])
    S = complex_table_in(w, plane + matrix_at(p), size, size)
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    for k in (LINEAR, ANGULAR):
        y[k], y[k + 1], y[k + 2] = to_body(e0, e1, e2, e3, y[k], y[k + 1], y[k + 2])
    if p[N_OWN] != 0.0:
        call_own(FORWARD, 0.0, x, u, p, w)
    if not p[REDUCED] > 0.0:
        y[LINEAR], y[LINEAR + 1], y[LINEAR + 2] = 0.0j, 0.0j, 0.0j
    _substitute(S, w, plane + pivots_at(p), y)
    if p[N_OWN] != 0.0:
        call_own(BACKWARD, 0.0, x, u, p, w)
    for k in (LINEAR, ANGULAR):
        y[k], y[k + 1], y[k + 2] = to_inertial(e0, e1, e2, e3, y[k], y[k + 1], y[k + 2])
    for k in range(size, size + 3):
        y[k] = y[k] / p[TOTAL_MASS] if p[TRANSLATION] != 0.0 else 0.0j
