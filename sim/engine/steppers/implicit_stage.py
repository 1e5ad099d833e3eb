# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Stage of an implicit step: momenta from positions and velocities, and the rates of both.

Within the step, the momenta of the hub exclude the momenta of arm nodes, and have inertial components. Every
invariant of the motion is then quadratic in the unknowns, and is conserved by Gauss methods.
"""

import math

from ....plant.elements.arm.node_equations import spin_parameters
from ....plant.hub import parameters as at
from ....plant.hub.composition import about_mass_centre, clear_forces, compose_near
from ....plant.hub.dynamics import rates_of
from ....plant.hub.element_calls import MOMENTA, MOVE, SHARES, TURNING, call_own
from ....plant.hub.implicit_places import ANGULAR, INNER, LINEAR, momenta_at
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import to_body, to_inertial


@kernel
def _put_velocities(e0, e1, e2, e3, nu, p, w):
    """Write velocities to the workspace, for a hub with normalised Euler parameters e."""
    n = int(p[at.N_INTERNAL])
    v, hub, linear, area = int(p[at.W_V]), int(p[at.W_HUB]) + at.HUB_V, int(p[at.W_LINEAR]), int(p[at.W_IMPLICIT])
    w[v], w[v + 1], w[v + 2] = to_body(e0, e1, e2, e3, nu[ANGULAR], nu[ANGULAR + 1], nu[ANGULAR + 2])
    for k in range(n):
        w[v + 3 + k] = nu[INNER + k]
    w[hub], w[hub + 1], w[hub + 2] = to_body(e0, e1, e2, e3, nu[LINEAR], nu[LINEAR + 1], nu[LINEAR + 2])
    for k in range(3):
        w[linear + k] = -p[at.REDUCED] * w[hub + k]
    for k in range(at.NEAR + n, at.NEAR + n + int(p[at.N_MOMENTA])):
        w[area + k] = nu[k]


@kernel
def impose(x, nu, p, w, unit):
    """Write velocities to the workspace, and x with normalised Euler parameters to `unit`."""
    for k in range(x.size):
        unit[k] = x[k]
    s = 1.0 / math.sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6])
    for k in range(3, 7):
        unit[k] = s * x[k]
    _put_velocities(unit[3], unit[4], unit[5], unit[6], nu, p, w)


@kernel
def _clear_shares(p, w):
    """Set the contributions of elements with their own states to the hub's momenta to zero."""
    hub = int(p[at.W_HUB])
    for k in range(3):
        w[hub + at.ROOT_P + k] = 0.0
        w[hub + at.ROOT_PI + k] = 0.0


@kernel
def move(x, nu, p, w, dx):
    """Write the rates of the positions at x to dx; linear in velocities and in Euler parameters."""
    spin_parameters(x, 3, nu[ANGULAR], nu[ANGULAR + 1], nu[ANGULAR + 2], dx, 3)
    n = int(p[at.N_INTERNAL])
    for k in range(n):
        dx[at.INTERNAL + k] = nu[INNER + k]
    if p[at.TRANSLATION] != 0.0:
        for k in range(3):
            dx[int(p[at.POSITION]) + k] = nu[INNER + n + k]
    if p[at.N_OWN] != 0.0:
        s = 1.0 / math.sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6])
        _put_velocities(s * x[3], s * x[4], s * x[5], s * x[6], nu, p, w)
        clear_forces(p, w)
        call_own(MOVE, 0.0, x, x, p, w)
        place, rates = int(p[at.OWN_AT]), int(p[at.W_OWN])
        for k in range(int(p[at.OWN_SIZE])):
            dx[place + k] = w[rates + k]


@kernel
def shares_of(phase, x, p, w):
    """Return sum p and sum (rho x p + pi) of the nodes of arms, or their rates; inertial components."""
    _clear_shares(p, w)
    call_own(phase, 0.0, x, x, p, w)
    a, b = int(p[at.W_HUB]) + at.ROOT_P, int(p[at.W_HUB]) + at.ROOT_PI
    return rotated(x, w[a], w[a + 1], w[a + 2]), rotated(x, w[b], w[b + 1], w[b + 2])


@kernel(inline=True)
def rotated(x, a0, a1, a2):
    """Transform body components to inertial components, with |e|^2 divided out.

    |e| deviates from 1 in the last place, with a preferred sign. A momentum that is transformed back and forth in each
    step would drift by this deviation.
    """
    s = 1.0 / (x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6])
    return to_inertial(x[3], x[4], x[5], x[6], s * a0, s * a1, s * a2)


@kernel(inline=True)
def rotated_back(x, a0, a1, a2):
    """Transform inertial components to body components, with |e|^2 divided out."""
    s = 1.0 / (x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6])
    return to_body(x[3], x[4], x[5], x[6], s * a0, s * a1, s * a2)


@kernel(inline=True)
def _turn_pair(x, place, row, k, inwards):
    """Rotate two consecutive vectors of a row into the frame with Euler parameters x[place:], or back."""
    e0, e1, e2, e3 = x[place], x[place + 1], x[place + 2], x[place + 3]
    s = 1.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    a0, a1, a2, b0, b1, b2 = s * row[k], s * row[k + 1], s * row[k + 2], s * row[k + 3], s * row[k + 4], s * row[k + 5]
    if inwards:
        row[k], row[k + 1], row[k + 2] = to_body(e0, e1, e2, e3, a0, a1, a2)
        row[k + 3], row[k + 4], row[k + 5] = to_body(e0, e1, e2, e3, b0, b1, b2)
    else:
        row[k], row[k + 1], row[k + 2] = to_inertial(e0, e1, e2, e3, a0, a1, a2)
        row[k + 3], row[k + 4], row[k + 5] = to_inertial(e0, e1, e2, e3, b0, b1, b2)


@kernel
def turn_vectors(x, row, inwards, p):
    """Rotate the vectors of a row of velocities or momenta into the frames of hub and nodes, or back."""
    _turn_pair(x, 3, row, LINEAR, inwards)
    units, vectors = int(p[at.AT_UNITS]), int(p[at.AT_MOMENTA]) + int(p[at.N_MOMENTA])
    for n in range(int(p[at.N_UNITS])):
        _turn_pair(x, int(p[units + n]), row, int(p[vectors + n]), inwards)


@kernel
def start_momenta(x, p, w, mom):
    """Write the momenta of a state to mom, in the order of the velocities; those of the hub exclude the arms."""
    n = int(p[at.N_INTERNAL])
    mom[LINEAR], mom[LINEAR + 1], mom[LINEAR + 2] = 0.0, 0.0, 0.0
    mom[ANGULAR], mom[ANGULAR + 1], mom[ANGULAR + 2] = rotated(x, x[0], x[1], x[2])
    for k in range(n):
        mom[INNER + k] = x[at.INTERNAL + n + k]
    for k in range(3):
        mom[INNER + n + k] = x[int(p[at.LINEAR_MOMENTUM]) + k] if p[at.TRANSLATION] != 0.0 else 0.0
    if p[at.N_OWN] != 0.0:
        push, turn = shares_of(SHARES, x, p, w)
        for k in range(3):
            mom[LINEAR + k] -= push[k]
            mom[ANGULAR + k] -= turn[k]
        for k in range(int(p[at.N_MOMENTA])):
            mom[at.NEAR + n + k] = x[int(p[int(p[at.AT_MOMENTA]) + k])]


@kernel
def near_momenta(p, w, mom):
    """Write momenta of hub and coordinates, excluding arms: (P, pi, p) = [[m, B], [B', M]] (v0, v)."""
    n = int(p[at.N_INTERNAL])
    m = 3 + n
    b, v, hub = int(p[at.W_B]), int(p[at.W_V]), int(p[at.W_HUB])
    free = p[at.REDUCED] > 0.0
    for i in range(m):
        total = 0.0
        for k in range(m):
            total += (w[i * m + k] if i >= k else w[k * m + i]) * w[v + k]
        if free:
            for k in range(3):
                total += w[b + k * m + i] * w[hub + at.HUB_V + k]
        mom[ANGULAR + i] = total  # followed by the momenta of the coordinates
    for i in range(3):
        total = 0.0
        if free:
            total = p[at.NEAR_MASS] * w[hub + at.HUB_V + i]
            for k in range(m):
                total += w[b + i * m + k] * w[v + k]
        mom[LINEAR + i] = total


@kernel
def _inertial_momenta(x, p, w, mom):
    """Write momenta as `near_momenta` does, but the hub momenta inertial and including the arm roots."""
    hub = int(p[at.W_HUB])
    near_momenta(p, w, mom)
    if p[at.N_OWN] != 0.0:
        for i in range(3):
            mom[LINEAR + i] += w[hub + at.ROOT_P + i]
            mom[ANGULAR + i] += w[hub + at.ROOT_PI + i]
    for k in (LINEAR, ANGULAR):
        mom[k], mom[k + 1], mom[k + 2] = to_inertial(x[3], x[4], x[5], x[6], mom[k], mom[k + 1], mom[k + 2])


@kernel
def place_and_weigh(t, u, p, w, unit, mom):
    """Write the momenta for the velocities in the workspace to mom and unit; set mass matrix and poses."""
    n = int(p[at.N_INTERNAL])
    compose_near(t, unit, u, p, w)
    if p[at.N_OWN] != 0.0:
        _clear_shares(p, w)
        call_own(MOMENTA, t, unit, u, p, w)
    _inertial_momenta(unit, p, w, mom)
    for k in range(n):
        unit[at.INTERNAL + n + k] = mom[INNER + k]
    first = momenta_at(p) + at.NEAR + n
    for k in range(int(p[at.N_MOMENTA])):
        mom[at.NEAR + n + k] = w[first + k]
        unit[int(p[int(p[at.AT_MOMENTA]) + k])] = w[first + k]


@kernel(inline=True)
def _put_momentum(p, w, unit, mom):
    """Write the total momentum to unit[0:3] if a load depends on it; else zero, to omit the gyroscopic torque."""
    unit[0], unit[1], unit[2] = 0.0, 0.0, 0.0
    if p[at.READS_MOMENTUM] != 0.0:
        # loads along an orbit exclude arms, whose nodes hold a part of the momentum that is not in mom
        unit[0], unit[1], unit[2] = rotated_back(unit, mom[ANGULAR], mom[ANGULAR + 1], mom[ANGULAR + 2])


@kernel
def evaluate(t, x, nu, u, p, user, w, unit, dx, mom, f):
    """Compute momenta mom at positions x and velocities nu, their rates f, and the rates dx of the state."""
    n = int(p[at.N_INTERNAL])
    impose(x, nu, p, w, unit)
    place_and_weigh(t, u, p, w, unit, mom)
    linear = int(p[at.LINEAR_MOMENTUM])
    _put_momentum(p, w, unit, mom)
    for k in range(3):
        mom[INNER + n + k] = p[at.MASS] * nu[INNER + n + k] if p[at.TRANSLATION] != 0.0 else 0.0
        if p[at.TRANSLATION] != 0.0:
            unit[linear + k] = mom[INNER + n + k]
    clear_forces(p, w)
    if p[at.VARIES] != 0.0:
        about_mass_centre(p, w)
    v = int(p[at.W_V])
    rates_of(t, unit, u, p, dx, user, w, w[v], w[v + 1], w[v + 2])
    if p[at.READS_MOMENTUM] != 0.0:  # dx includes the gyroscopic torque h x omega, unlike the inertial rates
        dx[0] -= unit[1] * w[v + 2] - unit[2] * w[v + 1]
        dx[1] -= unit[2] * w[v] - unit[0] * w[v + 2]
        dx[2] -= unit[0] * w[v + 1] - unit[1] * w[v]
    f[LINEAR], f[LINEAR + 1], f[LINEAR + 2] = 0.0, 0.0, 0.0
    a0, a1, a2 = to_inertial(unit[3], unit[4], unit[5], unit[6], dx[0], dx[1], dx[2])
    f[ANGULAR], f[ANGULAR + 1], f[ANGULAR + 2] = a0, a1, a2
    for k in range(n):
        f[INNER + k] = dx[at.INTERNAL + n + k]
    for k in range(3):
        f[INNER + n + k] = dx[linear + k] if p[at.TRANSLATION] != 0.0 else 0.0
    if p[at.N_OWN] != 0.0:
        place, rates = int(p[at.OWN_AT]), int(p[at.W_OWN])
        for k in range(int(p[at.OWN_SIZE])):  # includes the contributions of user-defined loads
            w[rates + k] = dx[place + k]
        push, turn = shares_of(TURNING, unit, p, w)
        for k in range(3):
            f[LINEAR + k] -= push[k]
            f[ANGULAR + k] -= turn[k]
        for k in range(int(p[at.N_MOMENTA])):
            f[at.NEAR + n + k] = dx[int(p[int(p[at.AT_MOMENTA]) + k])]
    # the Euler parameters are not normalised, because |e| does not change
    spin_parameters(x, 3, nu[ANGULAR], nu[ANGULAR + 1], nu[ANGULAR + 2], dx, 3)
