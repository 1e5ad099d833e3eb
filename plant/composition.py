# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Energies compose: the mass matrix of hub and elements, and the motion that follows from the momenta.

    (omega, sdot) = M(s)^-1 (pi, p)        M = [[J + sum J_n(s), N(s)], [N(s)', D(s)]]
    p' = 1/2 v' (dM/ds) v - dV/ds - D sdot + u

Every element adds its blocks to M about the reference point of the hub, its first moment of mass d = sum m r and
the derivatives of d by its coordinates, and nothing else; no element knows another. Where the mass centre of the
whole is free, translation is taken out here, for all elements at once: with B = [-d x, dd/ds] the linear momentum
of everything relative to the hub is B v, and M becomes M - B'B/m with m the total mass. pi is then the angular
momentum about the mass centre of the whole.

The work space `w` holds, for n coordinates and m = 3 + n: M (m x m), B (3 x m), v (m), generalised forces g (n),
B v (3), d (3), the notes of `faults`, and two sums: power of what is not a potential, and potential energy; behind
them, where signals of the elements are read, how many have been told so far, and these.
"""

from typing import Any

import numpy as np

from .faults import FAULT_SIZE
from .kernel import kernel
from .parameters import (
    AT_ELEMENTS,
    CONSTANT,
    INERTIA,
    INTERNAL,
    N_ELEMENTS,
    N_INTERNAL,
    REDUCED,
    SHARE,
    W_B,
    W_G,
    W_LINEAR,
    W_MOMENT,
    W_SUMS,
    W_V,
)
from .rotation import to_body

__all__ = [
    "ENERGY",
    "FORCES",
    "MASS",
    "SIGNALS",
    "call_element",
    "compose_mass",
    "element_code",
    "element_energy",
    "element_forces",
    "element_functions",
    "element_gravity",
    "element_signals",
    "held_force",
    "hub_force",
    "solve_velocities",
    "work_size",
]

MASS = 0
FORCES = 1
ENERGY = 2
SIGNALS = 3
"""What an element is asked for: see `polhode.plant.elements.element`."""

_functions: list = []


def element_code(function: Any) -> int:
    """Return the number by which plain Python finds the function of a kind of element."""
    if function not in _functions:
        _functions.append(function)
    return _functions.index(function)


def element_functions() -> tuple:
    """Return the functions of every kind of element packed so far, by their numbers."""
    return tuple(_functions)


def call_element(code, phase, t, x, u, p, row, w):
    """Call the function of an element. Compiled code replaces this by a call of the address in `code`."""
    _functions[int(code)](phase, t, x, u, p, row, w)


def work_size(n: int, signals: int = 0) -> int:
    """Return the length of the work space for n internal coordinates and so many signals of the elements."""
    m = 3 + n
    return m * m + 3 * m + m + n + 3 + 3 + FAULT_SIZE + 2 + (1 + signals if signals else 0)


@kernel
def _call_all(phase, t, x, u, p, w):
    row = int(p[AT_ELEMENTS])
    for _ in range(int(p[N_ELEMENTS])):
        call_element(p[row], phase, t, x, u, p, row, w)
        row += int(p[row + 1])


@kernel
def compose_mass(t, x, u, p, w):
    """Fill the lower triangle of M, B and d."""
    n = int(p[N_INTERNAL])
    m = 3 + n
    for i in range(int(p[W_V])):  # M and B
        w[i] = 0.0
    d = int(p[W_MOMENT])
    for i in range(3):
        w[d + i] = 0.0
        for k in range(i + 1):
            w[i * m + k] = p[INERTIA + 3 * i + k]
    _call_all(0, t, x, u, p, w)
    b = int(p[W_B])
    # the columns of omega: omega x d
    w[b + 1] = w[d + 2]
    w[b + 2] = -w[d + 1]
    w[b + m] = -w[d + 2]
    w[b + m + 2] = w[d]
    w[b + 2 * m] = w[d + 1]
    w[b + 2 * m + 1] = -w[d]
    mass = p[REDUCED]
    if mass > 0.0:
        share = 1.0 / mass
        for i in range(m):
            b0, b1, b2 = share * w[b + i], share * w[b + m + i], share * w[b + 2 * m + i]
            for k in range(i + 1):
                w[i * m + k] = w[i * m + k] - (b0 * w[b + k] + b1 * w[b + m + k] + b2 * w[b + 2 * m + k])


@kernel
def _solve(x, p, w, m):
    """v = M^-1 (pi, p) by Cholesky in place, its diagonal inverted; not finite where M is not positive definite."""
    v = int(p[W_V])
    for i in range(3):
        w[v + i] = x[i]
    for i in range(3, m):
        w[v + i] = x[INTERNAL + m - 6 + i]
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
    """Put v = (omega, sdot) into the work space, and return omega."""
    n = int(p[N_INTERNAL])
    m = 3 + n
    v = int(p[W_V])
    at = int(p[CONSTANT])
    if at > 0:
        for i in range(m):
            total = p[at + i * m] * x[0] + p[at + i * m + 1] * x[1] + p[at + i * m + 2] * x[2]
            for k in range(3, m):
                total = total + p[at + i * m + k] * x[INTERNAL + n - 3 + k]
            w[v + i] = total
    else:
        compose_mass(t, x, u, p, w)
        _solve(x, p, w, m)
    g = int(p[W_G])
    for k in range(n):
        w[g + k] = 0.0
    sums = int(p[W_SUMS])
    w[sums] = 0.0
    w[sums + 1] = 0.0
    if p[REDUCED] > 0.0:
        b = int(p[W_B])
        linear = int(p[W_LINEAR])
        for i in range(3):
            total = 0.0 * x[0]
            for k in range(m):
                total = total + w[b + i * m + k] * w[v + k]
            w[linear + i] = total
    return w[v], w[v + 1], w[v + 2]


@kernel
def element_forces(t, x, u, p, w):
    """Add what acts on the coordinates to g: the elements' own, and the rest of dM/ds where the whole is free."""
    _call_all(1, t, x, u, p, w)
    mass = p[REDUCED]
    if mass > 0.0:
        n = int(p[N_INTERNAL])
        m = 3 + n
        v, b, g, linear = int(p[W_V]), int(p[W_B]), int(p[W_G]), int(p[W_LINEAR])
        l0, l1, l2 = w[linear], w[linear + 1], w[linear + 2]
        w0, w1, w2 = w[v], w[v + 1], w[v + 2]
        # -(B v) . (omega x dd/ds_k) / m = -dd/ds_k . (B v x omega) / m
        a0, a1, a2 = l1 * w2 - l2 * w1, l2 * w0 - l0 * w2, l0 * w1 - l1 * w0
        for k in range(n):
            c = b + 3 + k
            w[g + k] = w[g + k] - (a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m]) / mass


@kernel
def element_gravity(x, p, w, g0, g1, g2):
    """Torque (body) of uniform gravity g on the elements of a pivoted body; adds to the generalised forces."""
    n = int(p[N_INTERNAL])
    m = 3 + n
    b, d, g = int(p[W_B]), int(p[W_MOMENT]), int(p[W_G])
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], g0, g1, g2)
    for k in range(n):
        c = b + 3 + k
        w[g + k] = w[g + k] + a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m]
    d0, d1, d2 = w[d], w[d + 1], w[d + 2]
    return d1 * a2 - d2 * a1, d2 * a0 - d0 * a2, d0 * a1 - d1 * a0


@kernel
def hub_force(x, p, dx, w, f0, f1, f2):
    """Move a force (inertial) on the hub at its reference point to the mass centre of the whole.

    Virtual work with the reference point at c - R d/m: torque -d x a / m and generalised forces -dd/ds_k . a / m,
    a = R'f. The second are added to p'; returned are the torque and their power.
    """
    n = int(p[N_INTERNAL])
    m = 3 + n
    mass = p[REDUCED]
    v, b, d = int(p[W_V]), int(p[W_B]), int(p[W_MOMENT])
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    power = 0.0 * a0
    for k in range(n):
        c = b + 3 + k
        force = -(a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m]) / mass
        dx[INTERNAL + n + k] = dx[INTERNAL + n + k] + force
        power = power + force * w[v + 3 + k]
    d0, d1, d2 = w[d] / mass, w[d + 1] / mass, w[d + 2] / mass
    return d2 * a1 - d1 * a2, d0 * a2 - d2 * a0, d1 * a0 - d0 * a1, power


@kernel
def held_force(x, p, dx, w, f0, f1, f2):
    """Add to p' what a force (inertial) at the mass centre of a held craft's whole gives: dd/ds_k . R'f / m."""
    n = int(p[N_INTERNAL])
    m = 3 + n
    b = int(p[W_B])
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    for k in range(n):
        c = b + 3 + k
        dx[INTERNAL + n + k] = dx[INTERNAL + n + k] + p[SHARE] * (a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m])


@kernel
def element_energy(t, x, u, p, w):
    """Kinetic energy less its hub-only form, and the potentials of the elements: 1/2 (pi, p).v + V, J."""
    w0, w1, w2 = solve_velocities(t, x, u, p, w)
    n = int(p[N_INTERNAL])
    v = int(p[W_V])
    total = x[0] * w0 + x[1] * w1 + x[2] * w2
    for k in range(n):
        total = total + x[INTERNAL + n + k] * w[v + 3 + k]
    _call_all(2, t, x, u, p, w)
    return 0.5 * total + w[int(p[W_SUMS]) + 1]


@kernel
def element_signals(t, x, u, p, w):
    """Let every element tell its signals; returned is where the first stands in w, which must have room for them."""
    solve_velocities(t, x, u, p, w)
    first = int(p[W_SUMS]) + 3
    w[first - 1] = 0.0
    _call_all(3, t, x, u, p, w)
    return first
