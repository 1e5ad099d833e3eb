# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Loads on the elements: an acceleration field that acts on every part, and a force that acts on the hub only.

A field on all parts of a spacecraft is an affine acceleration a(r) = a0 + G r, with r from the reference point of the
hub. The generalised force on a coordinate is Q_k = dd/ds_k . a0 + 1/2 tr(G dS/ds_k), with the second moment of mass S.
A force f on the hub of a free spacecraft acts like the field a0 = -f/m on everything else, relative to the mass centre.
"""

from ..hub.element_calls import FIELDS, FORCES, call_near, call_own
from ..hub.mass_now import reduced_mass, total_mass
from ..hub.parameters import (
    FIELD,
    GRADIENT,
    HUB_SIZE,
    HUB_V,
    INTERNAL,
    MASS,
    N_INTERNAL,
    N_OWN,
    OWN_AT,
    OWN_SIZE,
    PROBED,
    SHARE,
    W_B,
    W_G,
    W_HUB,
    W_LINEAR,
    W_MOMENT,
    W_OWN,
    W_SUMS,
    W_V,
)
from ..kernels.kernel import kernel
from ..kernels.rotation import to_body


@kernel
def central_field(t, x, p, w, k, b0, b1, b2):
    """Add the generalised forces of the field G = k (3 b b' - 1) about the mass centre.

    b: unit vector, body axes. With a0 = -G d/m, the acceleration at r from the reference point is a0 + G r, and Q_k =
    dd/ds_k . a0 - 1/2 tr(G dJ/ds_k). If the body rotates at the rate w while the coordinates are at rest, an element
    returns the force f(w) = 1/2 w'(dJ/ds_k)w. The trace term is therefore k (6 f(b) - 2 sum f(e_i)), in which all
    rate-independent terms cancel. A motor whose torque depends on w must be inactive in these calls (`is_probed`).
    """
    n = int(p[N_INTERNAL])
    m = 3 + n
    v, g, linear, d, sums = int(p[W_V]), int(p[W_G]), int(p[W_LINEAR]), int(p[W_MOMENT]), int(p[W_SUMS])
    mass = total_mass(p, w) if p[MASS] > 0.0 else 1.0  # if no mass is stated, d is zero
    along = (b0 * w[d] + b1 * w[d + 1] + b2 * w[d + 2]) * 3.0
    a0, a1, a2 = (
        -k * (along * b0 - w[d]) / mass,
        -k * (along * b1 - w[d + 1]) / mass,
        -k * (along * b2 - w[d + 2]) / mass,
    )
    if n > 0:
        spare = int(p[W_HUB]) + HUB_SIZE
        r0, r1, r2 = w[v], w[v + 1], w[v + 2]
        l0, l1, l2, power = w[linear], w[linear + 1], w[linear + 2], w[sums]
        w[linear], w[linear + 1], w[linear + 2] = 0.0 * l0, 0.0 * l1, 0.0 * l2
        for i in range(n):
            c = int(p[W_B]) + 3 + i
            w[spare + i] = w[g + i] + a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m]
            w[spare + n + i] = w[v + 3 + i]
            w[v + 3 + i] = 0.0 * r0
        for axis in range(4):
            one, zero = 1.0 + 0.0 * r0, 0.0 * r0
            w[v], w[v + 1], w[v + 2] = zero, zero, zero
            if axis < 3:
                w[v + axis] = one
            else:
                w[v], w[v + 1], w[v + 2] = b0, b1, b2
            for i in range(n):
                w[g + i] = zero
            w[sums] = PROBED + zero
            call_near(FORCES, t, x, x, p, w)
            share = k if axis < 3 else -3.0 * k
            for i in range(n):
                w[spare + i] = w[spare + i] + share * w[g + i]
        for i in range(n):
            w[g + i] = w[spare + i]
            w[v + 3 + i] = w[spare + n + i]
        w[v], w[v + 1], w[v + 2] = r0, r1, r2
        w[linear], w[linear + 1], w[linear + 2], w[sums] = l0, l1, l2, power
    if p[N_OWN] != 0.0:
        at = int(p[W_HUB]) + GRADIENT
        w[at], w[at + 1], w[at + 2] = k * (3.0 * b0 * b0 - 1.0), 3.0 * k * b0 * b1, 3.0 * k * b0 * b2
        w[at + 3], w[at + 4], w[at + 5] = 3.0 * k * b1 * b0, k * (3.0 * b1 * b1 - 1.0), 3.0 * k * b1 * b2
        w[at + 6], w[at + 7], w[at + 8] = 3.0 * k * b2 * b0, 3.0 * k * b2 * b1, k * (3.0 * b2 * b2 - 1.0)
        _field_on_own(x, p, w, a0, a1, a2)
        for i in range(9):
            w[at + i] = 0.0 * b0


@kernel
def add_field_on_own(x, p, dx, w, a0, a1, a2):
    """Add to dx the forces of a uniform acceleration (body) on elements with their own states."""
    at, rates = int(p[OWN_AT]), int(p[W_OWN])
    for i in range(int(p[OWN_SIZE])):
        w[rates + i] = 0.0 * a0
    _field_on_own(x, p, w, a0, a1, a2)
    for i in range(int(p[OWN_SIZE])):
        dx[at + i] = dx[at + i] + w[rates + i]


@kernel
def _field_on_own(x, p, w, a0, a1, a2):
    """Add the forces of the acceleration a0 + G r (body) on elements with their own states.

    G is read from the workspace.
    """
    field = int(p[W_HUB]) + FIELD
    w[field], w[field + 1], w[field + 2] = a0, a1, a2
    call_own(FIELDS, 0.0, x, x, p, w)  # independent of time and inputs


@kernel
def element_gravity(x, p, w, g0, g1, g2):
    """Return the torque (body) of uniform gravity g on the elements of a pivoted body.

    Also adds the generalised forces of gravity on the elements to those in the workspace.
    """
    n = int(p[N_INTERNAL])
    m = 3 + n
    b, d, g = int(p[W_B]), int(p[W_MOMENT]), int(p[W_G])
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], g0, g1, g2)
    for k in range(n):
        c = b + 3 + k
        w[g + k] = w[g + k] + a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m]
    if p[N_OWN] != 0.0:
        _field_on_own(x, p, w, a0, a1, a2)
    d0, d1, d2 = w[d], w[d + 1], w[d + 2]
    return d1 * a2 - d2 * a1, d2 * a0 - d0 * a2, d0 * a1 - d1 * a0


@kernel
def hub_force(x, p, dx, w, f0, f1, f2):
    """Transfer a force (inertial) on the hub at its reference point to the total mass centre.

    The reference point is at c - R d/m, and virtual work gives the torque -d x a / m and the generalised forces
    -dd/ds_k . a / m, a = R'f. These are added to p'. Returns the torque and the total power.
    """
    n = int(p[N_INTERNAL])
    m = 3 + n
    mass = reduced_mass(p, w)
    v, b, d = int(p[W_V]), int(p[W_B]), int(p[W_MOMENT])
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    power = 0.0 * a0
    for k in range(n):
        c = b + 3 + k
        force = -(a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m]) / mass
        dx[INTERNAL + n + k] = dx[INTERNAL + n + k] + force
        power = power + force * w[v + 3 + k]
    d0, d1, d2 = w[d] / mass, w[d + 1] / mass, w[d + 2] / mass
    t0, t1, t2 = d2 * a1 - d1 * a2, d0 * a2 - d2 * a0, d1 * a0 - d0 * a1
    if p[N_OWN] != 0.0:
        hub = int(p[W_HUB]) + HUB_V
        add_field_on_own(x, p, dx, w, -a0 / mass, -a1 / mass, -a2 / mass)
        power = a0 * w[hub] + a1 * w[hub + 1] + a2 * w[hub + 2] - (t0 * w[v] + t1 * w[v + 1] + t2 * w[v + 2])
    return t0, t1, t2, power


@kernel
def held_force(x, p, dx, w, f0, f1, f2):
    """Add to p' the generalised forces of a force at the total mass centre of a pivoted spacecraft.

    The force f is inertial; its generalised forces are dd/ds_k . R'f / m.
    """
    n = int(p[N_INTERNAL])
    m = 3 + n
    b = int(p[W_B])
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    for k in range(n):
        c = b + 3 + k
        dx[INTERNAL + n + k] = dx[INTERNAL + n + k] + p[SHARE] * (a0 * w[c] + a1 * w[c + m] + a2 * w[c + 2 * m])
    if p[N_OWN] != 0.0:
        add_field_on_own(x, p, dx, w, p[SHARE] * a0, p[SHARE] * a1, p[SHARE] * a2)
