# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Step of any implicit Runge-Kutta method, given its tableau.

    Q_i = q + h sum a_ij q'(Q_j, N_j),   M(Q_i) N_i = p + h sum a_ij p'(Q_j, N_j)

Gauss collocation conserves every quadratic invariant: momentum and all |e| are conserved to the tolerance of the
iteration for any step. Gauss collocation is symmetric and A-stable: vibrations with frequencies far above 1/h neither
grow nor limit the step, and energy does not drift. The unknowns are the stage velocities N. In the simplified Newton
iteration, the eigenvectors of A decouple I + h A C / M + h^2 A^2 K / M. Each real eigenvalue, and each complex pair,
gives a complex system with as many unknowns as one spacecraft.
"""

import math

from ....plant.hub import parameters as at
from ....plant.hub.dynamics import body_rate
from ....plant.hub.element_calls import SHARES
from ....plant.hub.implicit_places import ANGULAR, INNER, LINEAR, count_velocities, side_at
from ....plant.kernels.kernel import complex_table_in, kernel
from ....plant.kernels.rotation import to_inertial
from .implicit_attitudes import stage_attitudes
from .implicit_fixed_point import collocate
from .implicit_layout import (
    COEFFICIENTS,
    EASE,
    GUESSED,
    HEAD,
    ITERATIONS,
    MATRIX_STEP,
    META,
    NEW,
    PLANE,
    REACH,
    SCHEME,
    SLOT,
    SLOTS,
    SPARE,
    STAGES,
    SYSTEMS,
    UNIT,
    WEIGHTS,
    WITHIN,
    start_of_block,
)
from .implicit_matrix import solve_with_matrix
from .implicit_stage import evaluate, move, rotated_back, shares_of, start_momenta, turn_vectors
from .implicit_systems import build_systems, keep_change, mix_stages, rests_of_stages, right_side
from .sphere import project_all
from .stage_times import stage_times

MAX_ITERATIONS = 30
TOLERANCE = 1e-12
"""Tolerance of the iteration, relative to the largest velocity."""

LOST = -1


@kernel
def _velocities_of(t, x, u, p, w, nu):
    """Write the velocities of a state to nu, in the order of the unknowns."""
    n = int(p[at.N_INTERNAL])
    w0, w1, w2 = body_rate(t, x, u, p, w)
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    nu[ANGULAR], nu[ANGULAR + 1], nu[ANGULAR + 2] = to_inertial(e0, e1, e2, e3, w0, w1, w2)
    nu[LINEAR], nu[LINEAR + 1], nu[LINEAR + 2] = 0.0, 0.0, 0.0
    if p[at.REDUCED] > 0.0:
        k = int(p[at.W_HUB]) + at.HUB_V
        nu[LINEAR], nu[LINEAR + 1], nu[LINEAR + 2] = to_inertial(e0, e1, e2, e3, w[k], w[k + 1], w[k + 2])
    v = int(p[at.W_V]) + 3
    for k in range(n):
        nu[INNER + k] = w[v + k]
    for k in range(3):
        nu[INNER + n + k] = x[int(p[at.LINEAR_MOMENTUM]) + k] / p[at.MASS] if p[at.TRANSLATION] != 0.0 else 0.0
    for k in range(at.NEAR + n, count_velocities(p)):
        nu[k] = w[int(p[at.W_IMPLICIT]) + k]


@kernel
def _guess(h, share, total, implicit, s, source, rows):
    """Extrapolate stage velocities from the polynomial of a different step, at share[0] + c share[1]."""
    scheme, held = implicit[SCHEME], implicit[SPARE + 1]
    places = COEFFICIENTS + s * s + s
    for i in range(s):
        instant = share[0] + scheme[places + i] * share[1]
        for j in range(1, s):
            weight = 1.0
            for m in range(s):
                if m != j:
                    weight *= (instant - scheme[places + m]) / (scheme[places + j] - scheme[places + m])
            implicit[SPARE, s * i + j] = weight
    for k in range(total):
        for j in range(s):
            held[j] = implicit[source + j, k]
        for i in range(s):
            value = held[0]
            for j in range(1, s):
                value += implicit[SPARE, s * i + j] * (held[j] - held[0])
            implicit[rows + i, k] = value


@kernel
def _gather(h, x, first, last, x_row, dx_row, s, implicit):
    """Write x + h sum a_ij x'_j of entries first to last - 1 for every stage, adding two stages at a time."""
    for i in range(s):
        out, place = implicit[x_row + i], COEFFICIENTS + s * i
        for j in range(0, s, 2):
            low, high = implicit[dx_row + j], implicit[dx_row + min(j + 1, s - 1)]
            a, b = implicit[SCHEME, place + j], implicit[SCHEME, place + j + 1] if j + 1 < s else 0.0
            if j == 0:
                for k in range(first, last):
                    out[k] = x[k] + h * (a * low[k] + b * high[k])
            else:
                for k in range(first, last):
                    out[k] += h * (a * low[k] + b * high[k])


@kernel
def _positions(h, x, nu_row, x_row, dx_row, s, p, w, implicit):
    """Compute the positions of the stages from their velocities."""
    for i in range(s):
        move(x, implicit[nu_row + i], p, w, implicit[dx_row + i])
    _gather(h, x, at.INTERNAL, at.INTERNAL + int(p[at.N_INTERNAL]), x_row, dx_row, s, implicit)
    _gather(h, x, int(p[at.OWN_AT]), int(p[at.OWN_AT]) + int(p[at.OWN_SIZE]), x_row, dx_row, s, implicit)
    if p[at.TRANSLATION] != 0.0:
        _gather(h, x, int(p[at.POSITION]), int(p[at.POSITION]) + 3, x_row, dx_row, s, implicit)
    stage_attitudes(h, x, 3, x_row, dx_row, s, implicit)
    units = int(p[at.AT_UNITS])
    for n in range(int(p[at.N_UNITS])):
        stage_attitudes(h, x, int(p[units + n]), x_row, dx_row, s, implicit)


@kernel
def _turning_on(t, h, x, u, p, w, total, first, s, implicit):
    """Predict stage velocities from x, constant in the frames of hub and nodes."""
    rows = first + 2 * s
    _velocities_of(t, x, u, p, w, implicit[rows])
    for i in range(1, s):
        for k in range(total):
            implicit[rows + i, k] = implicit[rows, k]
    for i in range(s):
        for k in range(x.size):
            implicit[first + i, k] = x[k]
    _positions(h, x, rows, first, first + s, s, p, w, implicit)
    for i in range(s):
        turn_vectors(x, implicit[rows + i], True, p)
        turn_vectors(implicit[first + i], implicit[rows + i], False, p)


@kernel
def _iterate(t, h, x, u, p, user, w, first, slot, implicit):
    """Solve for the stages from the stored guess; return the number of iterations (0: no convergence)."""
    scheme, weights, meta, unit = implicit[SCHEME], implicit[WEIGHTS], implicit[META], implicit[UNIT]
    s = int(scheme[STAGES])
    places = COEFFICIENTS + s * s + s
    states, rates, velocities, momenta, forces = first, first + s, first + 2 * s, first + 3 * s, first + 4 * s
    systems, total = int(scheme[SYSTEMS]), count_velocities(p)
    y = complex_table_in(w, side_at(p), 1, total)[0]
    start = implicit[first + 5 * s]
    spin = max(abs(start[ANGULAR]), abs(start[ANGULAR + 1]), abs(start[ANGULAR + 2]))
    # round-off of position and momentum, converted to velocities
    floor = 4e-15 * meta[REACH] / abs(h) + 1e-15 * weights[ANGULAR] * spin * meta[EASE]
    early, late = stage_times(t, h)
    for i in range(s):
        for k in range(x.size):
            implicit[states + i, k] = x[k]
    before, least, opening, worse = -1.0, 0.0, 0.0, 0
    for count in range(MAX_ITERATIONS):
        _positions(h, x, velocities, states, rates, s, p, w, implicit)
        speed = 0.0
        for i in range(s):
            now = min(max(t + scheme[places + i] * h, early), late)
            nu = implicit[velocities + i]
            mom, f = implicit[momenta + i], implicit[forces + i]
            evaluate(now, implicit[states + i], nu, u, p, user, w, unit, implicit[rates + i], mom, f)
            for k in range(total):
                size = abs(nu[k]) * weights[k]  # the weight is negative for a purely rotational velocity
                if size > speed:
                    speed = size
        rests_of_stages(h, total, first, s, implicit)
        mix_stages(total, momenta, HEAD, s, implicit)
        for i in range(s):
            turn_vectors(implicit[states + i], implicit[HEAD + i], True, p)
        for system in range(systems):
            right_side(system, total, HEAD, s, implicit, y)
            solve_with_matrix(unit, u, p, w, y, int(meta[PLANE]) * (systems * slot + system))
            keep_change(system, total, s, implicit, y)
        for i in range(s):
            turn_vectors(implicit[states + i], implicit[HEAD + s + i], False, p)
        mix_stages(total, HEAD + s, HEAD, s, implicit)
        change = 0.0
        for i in range(s):
            nu, added = implicit[velocities + i], implicit[HEAD + i]
            for k in range(total):
                d = added[k]
                nu[k] += d
                size = abs(d * weights[k])
                if weights[k] < 0.0:  # the change of a purely rotational velocity is relative to its own rate
                    size *= (speed + 1e-300) / (speed + abs(nu[k] * weights[k]) + 1e-300)
                change = max(change, size)
        meta[ITERATIONS] += 1.0
        if not change < 1e300:
            return LOST
        settled = before > 0.0 and change > 0.3 * before and change < 30.0 * floor
        if settled or change <= TOLERANCE * speed + floor:
            return count + 1
        if count == 0:
            least, opening = change, change
        elif change < least:
            least, worse = change, 0
            left = (MAX_ITERATIONS - count) / count
            if count > 4 and least * (least / opening) ** left > TOLERANCE * speed + 30.0 * floor:
                return 0  # convergence is too slow
        else:  # errors along and across a stiff arm alternate, so that an iteration may increase the error
            worse += 1
            if worse > 3 or change > 1e3 * least:
                return 0
        before = change
    return 0


@kernel
def _finish(h, x, p, w, y, first, implicit):
    """Write the state at the end of the step to y; return the removed drift of |e|^2."""
    scheme = implicit[SCHEME]
    s = int(scheme[STAGES])
    b = COEFFICIENTS + s * s
    last = int(p[at.N_STATES])
    for k in range(3, last):
        total = 0.0
        for j in range(s):
            total += scheme[b + j] * implicit[first + s + j, k]
        y[k] = x[k] + h * total
    k, start = ANGULAR, implicit[first + 5 * s]
    a0, a1, a2 = start[k], start[k + 1], start[k + 2]
    for j in range(s):
        share, force = h * scheme[b + j], implicit[first + 4 * s + j]
        a0, a1, a2 = a0 + share * force[k], a1 + share * force[k + 1], a2 + share * force[k + 2]
    drift = project_all(y, p, w)
    if p[at.N_OWN] != 0.0:
        _, (b0, b1, b2) = shares_of(SHARES, y, p, w)
        a0, a1, a2 = a0 + b0, a1 + b1, a2 + b2
    y[0], y[1], y[2] = rotated_back(y, a0, a1, a2)
    return drift


@kernel(inline=True)
def _slot_for(h, meta):
    """Return the slot with matrices for steps of length h, otherwise the least recently used slot."""
    slot = 1 - int(meta[SLOT])
    for k in range(SLOTS):
        if abs(meta[MATRIX_STEP + k] - h) <= 1e-6 * h:
            slot = k
    meta[SLOT] = slot
    return slot


@kernel
def implicit_step(t, h, x, u, p, user, w, y, within, of, implicit):
    """Take a step from x to y; return the drift of |e|^2, infinite or NaN if there is no solution.

    within: whether this is a step to a time within another step from x; of: length of the other step, whose velocities
    give the initial guess, or 0 if they are not available. An inner step leaves no data for later steps.
    """
    meta = implicit[META]
    s = int(implicit[SCHEME, STAGES])
    total = count_velocities(p)
    taken = 0
    first = start_of_block(s, within)
    if p[at.VIEW] != 0.0:
        return collocate(t, h, x, u, p, user, w, y, first, implicit)
    rows = first + 2 * s
    start_momenta(x, p, w, implicit[first + 5 * s])
    slot = WITHIN if within else _slot_for(h, meta)
    for attempt in range(2):
        followed = attempt == 0 and (of != 0.0 if within else meta[GUESSED] != 0.0)
        if within and followed:
            _guess(h, (0.0, h / of), total, implicit, s, start_of_block(s, False) + 2 * s, rows)
        elif followed:
            _guess(h, (1.0, h / meta[GUESSED]), total, implicit, s, rows, rows)
        else:
            _turning_on(t, h, x, u, p, w, total, first, s, implicit)
        fresh = attempt > 0 or abs(meta[MATRIX_STEP + slot] - h) > 1e-6 * h
        if fresh:
            build_systems(t, h, x, implicit[rows], u, p, w, s, slot, implicit)
        taken = _iterate(t, h, x, u, p, user, w, first, slot, implicit)
        if taken > 0:
            if not within:
                meta[GUESSED] = h
            if meta[NEW + slot] == 0.0:
                meta[NEW + slot] = taken
            elif taken > meta[NEW + slot] + 2.0:  # iterations increased: the configuration has changed
                meta[MATRIX_STEP + slot] = 0.0
            return _finish(h, x, p, w, y, first, implicit)
        if not within:
            meta[GUESSED] = 0.0
        if fresh and not followed:
            break
    meta[MATRIX_STEP + slot] = 0.0
    return math.nan if taken == LOST else math.inf
