# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Composition of hub and elements: the mass matrix, and the velocities that follow from the momenta.

    (omega, sdot) = M(s)^-1 (pi, p)        M = [[J + sum J_n(s), N(s)], [N(s)', D(s)]]
    p' = 1/2 v' (dM/ds) v - dV/ds - D sdot + u

Every element adds its blocks to M about the reference point of the hub, its first moment of mass d = sum m r, and the
derivatives of d with respect to its coordinates. Elements are independent of each other. If the total mass centre is
free, translation is eliminated here for all elements together. With B = [-d x, dd/ds] the linear momentum relative to
the hub is B v, and M becomes M - B'B/m with the total mass m. pi is then the angular momentum about the total mass
centre.

The workspace `w` holds, for n coordinates and m = 3 + n: M (m x m), B (3 x m), v (m), generalised forces g (n), B v
(3), d (3), the active cell of a wheel array, the records of `faults`, the power of the non-conservative forces, and the
potential energy. When signals are evaluated, their count and values are appended.
"""

import numpy as np

from ..kernels.kernel import kernel
from ..kernels.lanes import select, shared
from ..loads.faults import FAULT_SIZE
from ..loads.torque.torque_kernels import ON_COORDINATE, ON_LEVEL, pulse_share
from .condensation import CONDENSED_FROM, clear_blocks, condensed_size, solve_condensed
from .element_calls import ENERGY, FORCES, MASS, RECOVER, SIGNALS, call_all, call_near, call_own
from .mass_now import near_mass, reduced_mass, total_mass
from .parameters import (
    AT_PORTS,
    CONSTANT,
    DRIVEN,
    HUB_A,
    HUB_SIZE,
    HUB_V,
    INERTIA,
    INTERNAL,
    LOCKED_NOW,
    LOST,
    N_INTERNAL,
    N_OWN,
    N_PORTS,
    OUT,
    OUT_OF,
    OUTFLOW,
    OWN_SIZE,
    PORT,
    PULSE,
    PULSES,
    REDUCED,
    ROOT_P,
    ROOT_PI,
    ROOT_VV,
    ROOT_VW,
    VARIES,
    W_B,
    W_G,
    W_HUB,
    W_LINEAR,
    W_MOMENT,
    W_OWN,
    W_SUMS,
    W_V,
)
from .parameters import MASS as TOTAL_MASS


def work_size(n: int, *, own: int = 0, implicit: int = 0, signals: int = 0) -> int:
    """Return the workspace length for n coordinates, `own` and `implicit` entries, and signals."""
    m = 3 + n
    shared = m * m + 3 * m + m + n + 3 + 3 + 1 + FAULT_SIZE + 2 + HUB_SIZE + 2 * n + condensed_size(n) + own + implicit
    return shared + (1 + signals if signals else 0)


@kernel
def _inverse_of_moved_mass(p, w):
    """Invert A = m 1 + contributions of condensed elements: the effective mass at the reference point."""
    a, out = int(shared(p, W_HUB)) + ROOT_VV, int(shared(p, W_HUB)) + HUB_A
    m = near_mass(p, w)
    a00, a11, a22 = m + w[a], m + w[a + 4], m + w[a + 8]
    a01, a02, a12 = w[a + 1], w[a + 2], w[a + 5]
    c00, c01, c02 = a11 * a22 - a12 * a12, a02 * a12 - a01 * a22, a01 * a12 - a02 * a11
    share = 1.0 / (a00 * c00 + a01 * c01 + a02 * c02)
    w[out], w[out + 1], w[out + 2] = share * c00, share * c01, share * c02
    w[out + 3], w[out + 4], w[out + 5] = w[out + 1], share * (a00 * a22 - a02 * a02), share * (a01 * a02 - a00 * a12)
    w[out + 6], w[out + 7], w[out + 8] = w[out + 2], w[out + 5], share * (a00 * a11 - a01 * a01)


@kernel
def _by_moved_mass(p, w, b0, b1, b2):
    """Return A^-1 b, with A of `_inverse_of_moved_mass`."""
    if shared(p, N_OWN) == 0.0:
        share = 1.0 / reduced_mass(p, w)
        return share * b0, share * b1, share * b2
    a = int(shared(p, W_HUB)) + HUB_A
    return (
        w[a] * b0 + w[a + 1] * b1 + w[a + 2] * b2,
        w[a + 3] * b0 + w[a + 4] * b1 + w[a + 5] * b2,
        w[a + 6] * b0 + w[a + 7] * b1 + w[a + 8] * b2,
    )


@kernel
def compose_near(t, x, u, p, w):
    """Set the lower triangle of M, B and d from the hub and the elements without their own states."""
    for i in range(int(shared(p, W_V))):  # M and B
        w[i] = 0.0
    _fill_near(t, x, u, p, w)


@kernel
def _fill_near(t, x, u, p, w):
    """Like `compose_near`, but the entries that elements add to must be zero on entry."""
    m = 3 + int(shared(p, N_INTERNAL))
    d = int(shared(p, W_MOMENT))
    w[int(shared(p, W_HUB)) + LOST] = 0.0
    for i in range(3):
        w[d + i] = 0.0
        for k in range(i + 1):
            w[i * m + k] = p[INERTIA + 3 * i + k]
    call_near(MASS, t, x, u, p, w)
    if shared(p, VARIES) != 0.0:  # elements with their own states add their inertia in RECOVER
        at = int(shared(p, W_HUB)) + LOCKED_NOW
        for i in range(3):
            for k in range(i + 1):
                w[at + 3 * i + k] = w[i * m + k]
                w[at + 3 * k + i] = w[i * m + k]
    b = int(shared(p, W_B))
    # the columns of omega: omega x d
    w[b + 1] = w[d + 2]
    w[b + 2] = -w[d + 1]
    w[b + m] = -w[d + 2]
    w[b + m + 2] = w[d]
    w[b + 2 * m] = w[d + 1]
    w[b + 2 * m + 1] = -w[d]


@kernel
def _add_own(t, x, u, p, w):
    """Add the Schur complements of elements with their own states."""
    hub, m, b = int(shared(p, W_HUB)), 3 + int(shared(p, N_INTERNAL)), int(shared(p, W_B))
    for i in range(HUB_V):
        w[hub + i] = 0.0
    call_own(MASS, t, x, u, p, w)
    for i in range(3):
        for k in range(3):
            w[b + i * m + k] = w[b + i * m + k] + w[hub + ROOT_VW + 3 * i + k]
    _inverse_of_moved_mass(p, w)


@kernel
def compose_mass(t, x, u, p, w):
    """Set the lower triangle of M, B and d."""
    m = 3 + int(shared(p, N_INTERNAL))
    compose_near(t, x, u, p, w)
    b = int(shared(p, W_B))
    if shared(p, N_OWN) != 0.0:
        _add_own(t, x, u, p, w)
    if shared(p, REDUCED) > 0.0:
        for i in range(m):
            b0, b1, b2 = _by_moved_mass(p, w, w[b + i], w[b + m + i], w[b + 2 * m + i])
            for k in range(i + 1):
                w[i * m + k] = w[i * m + k] - (b0 * w[b + k] + b1 * w[b + m + k] + b2 * w[b + 2 * m + k])


@kernel
def _solve(x, p, w):
    """Solve v = M^-1 (pi, p) by in-place Cholesky; v is not finite unless M is positive definite."""
    m, v = 3 + int(shared(p, N_INTERNAL)), int(shared(p, W_V))
    for i in range(3):
        w[v + i] = x[i]
    for i in range(3, m):
        w[v + i] = x[INTERNAL + m - 6 + i]
    if shared(p, N_OWN) != 0.0:
        hub, b = int(shared(p, W_HUB)), int(shared(p, W_B))
        for i in range(3):
            w[v + i] = w[v + i] + w[hub + ROOT_PI + i]
        if shared(p, REDUCED) > 0.0:
            b0, b1, b2 = _by_moved_mass(p, w, w[hub + ROOT_P], w[hub + ROOT_P + 1], w[hub + ROOT_P + 2])
            for i in range(m):
                w[v + i] = w[v + i] - (b0 * w[b + i] + b1 * w[b + m + i] + b2 * w[b + 2 * m + i])
    for i in range(m):
        for k in range(i + 1):
            total = w[i * m + k]
            for j in range(k):
                total = total - w[i * m + j] * w[k * m + j]
            if i == k:
                w[i * m + i] = 1.0 / np.sqrt(total)
            else:
                w[i * m + k] = total * w[k * m + k]
        total = w[v + i]
        for j in range(i):
            total = total - w[i * m + j] * w[v + j]
        w[v + i] = total * w[i * m + i]
    for back in range(m):
        i = m - 1 - back
        total = w[v + i]
        for j in range(i + 1, m):
            total = total - w[j * m + i] * w[v + j]
        w[v + i] = total * w[i * m + i]


@kernel
def solve_velocities(t, x, u, p, w):
    """Write v = (omega, sdot), and v0 of a free reference point, to the workspace. Return omega."""
    v = int(shared(p, W_V))
    if int(shared(p, N_INTERNAL)) >= CONDENSED_FROM and shared(p, CONSTANT) == 0.0:
        clear_blocks(p, w)
        _fill_near(t, x, u, p, w)
        if shared(p, N_OWN) != 0.0:
            _add_own(t, x, u, p, w)
        solve_condensed(x, p, w)
        _finish(t, x, u, p, w)
    else:
        solve_densely(t, x, u, p, w)
    return w[v], w[v + 1], w[v + 2]


@kernel
def solve_densely(t, x, u, p, w):
    """Write v and v0 to the workspace, using the constant inverse of M or a factorisation of the full M."""
    if shared(p, CONSTANT) != 0.0:
        n = int(shared(p, N_INTERNAL))
        m = 3 + n
        at, v = int(shared(p, CONSTANT)), int(shared(p, W_V))
        for i in range(m):
            total = p[at + i * m] * x[0] + p[at + i * m + 1] * x[1] + p[at + i * m + 2] * x[2]
            for k in range(3, m):
                total = total + p[at + i * m + k] * x[INTERNAL + n - 3 + k]
            w[v + i] = total
    else:
        compose_mass(t, x, u, p, w)
        _solve(x, p, w)
    _finish(t, x, u, p, w)


@kernel
def _finish(t, x, u, p, w):
    """Compute the quantities that depend on v and that the forces need."""
    m, v = 3 + int(shared(p, N_INTERNAL)), int(shared(p, W_V))
    clear_forces(p, w)
    if shared(p, REDUCED) > 0.0:
        b = int(shared(p, W_B))
        linear, hub = int(shared(p, W_LINEAR)), int(shared(p, W_HUB)) + HUB_V
        mass = reduced_mass(p, w)
        for i in range(3):
            total = 0.0 * x[0]
            for k in range(m):
                total = total + w[b + i * m + k] * w[v + k]
            w[linear + i] = total
            w[hub + i] = -total / mass
    if shared(p, N_OWN) != 0.0:
        _recover(t, x, u, p, w)
    if shared(p, VARIES) != 0.0:
        about_mass_centre(p, w)


@kernel
def clear_forces(p, w):
    """Set to zero the sums to which elements add: g, power, energy, and rates of their own states."""
    g, sums, rates = int(shared(p, W_G)), int(shared(p, W_SUMS)), int(shared(p, W_OWN))
    for k in range(int(shared(p, N_INTERNAL))):
        w[g + k] = 0.0
    w[sums] = 0.0
    w[sums + 1] = 0.0
    for k in range(int(shared(p, OWN_SIZE))):
        w[rates + k] = 0.0
    if shared(p, OUTFLOW) != 0.0:
        out = int(shared(p, W_HUB)) + OUT
        for k in range(OUT_OF.size):
            w[out + k] = 0.0


@kernel
def about_mass_centre(p, w):
    """Transform the total inertia from the reference point to the total mass centre."""
    at, d = int(shared(p, W_HUB)) + LOCKED_NOW, int(shared(p, W_MOMENT))
    mass = select(p[TOTAL_MASS] > 0.0, total_mass(p, w), 1.0)  # if no mass is stated, d is zero
    d0, d1, d2 = w[d], w[d + 1], w[d + 2]
    square = d0 * d0 + d1 * d1 + d2 * d2
    for i in range(3):
        for k in range(3):
            w[at + 3 * i + k] = w[at + 3 * i + k] + w[d + i] * w[d + k] / mass
        w[at + 4 * i] = w[at + 4 * i] - square / mass


@kernel
def _recover(t, x, u, p, w):
    """Compute the velocity of the reference point, then the velocities of elements with their own states."""
    hub, linear = int(shared(p, W_HUB)), int(shared(p, W_LINEAR))
    for i in range(3):
        w[hub + HUB_V + i] = 0.0 * x[0]
    if shared(p, REDUCED) > 0.0:
        r = hub + ROOT_P
        v0, v1, v2 = _by_moved_mass(p, w, w[r] - w[linear], w[r + 1] - w[linear + 1], w[r + 2] - w[linear + 2])
        mass = reduced_mass(p, w)
        w[hub + HUB_V], w[hub + HUB_V + 1], w[hub + HUB_V + 2] = v0, v1, v2
        # elements use -B v / m as the velocity of the reference point
        w[linear], w[linear + 1], w[linear + 2] = -mass * v0, -mass * v1, -mass * v2
    call_own(RECOVER, t, x, u, p, w)


@kernel
def ask_elements(t, u, p, w):
    """Write the forces that pulses and blocks demand to g, which must be zero on entry, and add their power.

    Forces demanded of thrusters are written to the rates of their impulses, which must be zero on entry as well.
    """
    g, rates, sums, own = int(p[W_G]), int(p[W_V]) + 3, int(p[W_SUMS]), int(p[W_OWN])
    for port in range(1, int(p[N_PORTS])):
        row = AT_PORTS + PORT.size * port
        pulse = PULSES + PULSE.size * (port - 1)
        on = p[row + PORT.basis]
        if on in (ON_COORDINATE, ON_LEVEL) and u[pulse + PULSE.gate].real != 0.0:
            k = int(p[row + PORT.axes])
            force = pulse_share(t, p[row + PORT.start], p[row + PORT.turning]) * u[pulse + PULSE.torque]
            if on == ON_LEVEL:
                w[own + k] = w[own + k] + force
            else:
                w[g + k] = w[g + k] + force
                w[sums] = w[sums] + force * w[rates + k]


@kernel
def element_forces(t, x, u, p, w):
    """Add to g the element forces on the coordinates and the remaining dM/ds terms of a free hub."""
    if shared(p, DRIVEN) != 0.0:
        ask_elements(t, u, p, w)
    own_forces(t, x, u, p, w)


@kernel
def own_forces(t, x, u, p, w):
    """Like `element_forces`, without the forces that pulses and blocks demand."""
    call_all(FORCES, t, x, u, p, w)
    _add_moved_hub(p, w)


@kernel
def near_forces(t, x, u, p, w):
    """Like `element_forces`, but only for the elements without their own states; g must be zero on entry."""
    if shared(p, DRIVEN) != 0.0:  # a motor reduces the demand near its limit
        ask_elements(t, u, p, w)
    call_near(FORCES, t, x, u, p, w)
    _add_moved_hub(p, w)


@kernel
def _add_moved_hub(p, w):
    """Add to g the terms from the velocity of a free reference point."""
    if shared(p, REDUCED) > 0.0:
        mass = reduced_mass(p, w)
        n = int(shared(p, N_INTERNAL))
        m = 3 + n
        v, b, g, linear = int(shared(p, W_V)), int(shared(p, W_B)), int(shared(p, W_G)), int(shared(p, W_LINEAR))
        l0, l1, l2 = w[linear], w[linear + 1], w[linear + 2]
        w0, w1, w2 = w[v], w[v + 1], w[v + 2]
        # -(B v) . (omega x dd/ds_k) / m = -dd/ds_k . (B v x omega) / m
        a0, a1, a2 = l1 * w2 - l2 * w1, l2 * w0 - l0 * w2, l0 * w1 - l1 * w0
        for k in range(n):
            c = b + 3 + k
            w[g + k] = w[g + k] - (a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m]) / mass


@kernel
def velocities_for_signals(t, x, u, p, w):
    """Compute the velocities that signals of coordinates need; branches compute signals from the state only."""
    if p[N_INTERNAL] != 0.0:
        solve_velocities(t, x, u, p, w)


@kernel
def element_energy(t, x, u, p, w):
    """Return 1/2 (pi, p).v plus the potential energy of the elements, J; w must hold the velocities."""
    n = int(p[N_INTERNAL])
    v = int(p[W_V])
    w[int(p[W_SUMS]) + 1] = 0.0
    total = x[0] * w[v] + x[1] * w[v + 1] + x[2] * w[v + 2]
    for k in range(n):
        total = total + x[INTERNAL + n + k] * w[v + 3 + k]
    call_all(ENERGY, t, x, u, p, w)
    return 0.5 * total + w[int(p[W_SUMS]) + 1]


@kernel
def element_signals(t, x, u, p, w):
    """Evaluate all element signals from the velocities in w. Return the index of the first signal."""
    first = int(p[W_SUMS]) + 3
    w[first - 1] = 0.0
    g = int(p[W_G])
    for k in range(int(p[N_INTERNAL])):  # discard forces of an earlier evaluation
        w[g + k] = 0.0
    for k in range(int(p[OWN_SIZE])):
        w[int(p[W_OWN]) + k] = 0.0
    if p[DRIVEN] != 0.0:
        ask_elements(t, u, p, w)
    call_all(SIGNALS, t, x, u, p, w)
    return first
