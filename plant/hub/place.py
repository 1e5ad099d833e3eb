# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Position and velocity of the mass centre of a spacecraft that translates, is pivoted, or does neither.

A user-defined load acts at one of two points:

    user force   the hub's mass centre: c and v refer to this point, the force acts there, the torque refers to it
    potential    the total mass centre: c is its position, and the force -dV/dc acts there

If no element moves mass, the two points coincide. If the position is a state, c and v are obtained from the state. On a
pivoted spacecraft they are computed from the attitude and rate. With b the vector from the pivot to the point,

    c = R b        v = R (omega x b)        torque of a force f at the point: b x R'f

A spacecraft that is neither pivoted nor translating rotates about its mass centre, whose position is not simulated. c
and v are then NaN, which exposes any load that depends on them (`polhode.plant.loads.load_rule` rejects such loads).
"""

import math

from ..kernels.kernel import kernel
from ..kernels.rotation import to_inertial
from . import parameters as at
from .mass_now import reduced_mass, total_mass


@kernel
def centre_from_pivot(x, p, w):
    """Return the vector from pivot to total mass centre, body components; NaN if no hub mass is stated."""
    s = p[at.HUB_SHARE]
    zero = 0.0 * x[0]
    b0, b1, b2 = s * p[at.CENTRE] + zero, s * p[at.CENTRE + 1] + zero, s * p[at.CENTRE + 2] + zero
    if p[at.SHARE] < 0.0:
        return b0 + math.nan, b1 + math.nan, b2 + math.nan
    if p[at.SHARE] > 0.0:
        d = int(p[at.W_MOMENT])
        b0, b1, b2 = b0 + p[at.SHARE] * w[d], b1 + p[at.SHARE] * w[d + 1], b2 + p[at.SHARE] * w[d + 2]
    return b0, b1, b2


@kernel
def whole_centre(x, p, w):
    """Return the position of the total mass centre, inertial components."""
    if p[at.TRANSLATION] != 0.0:
        n = int(p[at.POSITION])
        return x[n], x[n + 1], x[n + 2]
    if p[at.HELD] == 0.0:
        unknown = math.nan + 0.0 * x[3]
        return unknown, unknown, unknown
    b0, b1, b2 = centre_from_pivot(x, p, w)
    return to_inertial(x[3], x[4], x[5], x[6], b0, b1, b2)


@kernel
def hub_place(x, p, w):
    """Return the inertial position of the hub's mass centre.

    The position is relative to the total mass centre if positions are not simulated.
    """
    if p[at.TRANSLATION] != 0.0 or p[at.HELD] != 0.0:
        c0, c1, c2, _, _, _ = hub_centre(x, p, w)
        return c0, c1, c2
    if p[at.REDUCED] == 0.0:
        return 0.0 * x[3], 0.0 * x[3], 0.0 * x[3]
    d, mass = int(p[at.W_MOMENT]), reduced_mass(p, w)
    return to_inertial(x[3], x[4], x[5], x[6], -w[d] / mass, -w[d + 1] / mass, -w[d + 2] / mass)


@kernel
def hub_centre(x, p, w):
    """Return position and velocity of the hub's mass centre, inertial components."""
    if p[at.TRANSLATION] != 0.0:
        n, m = int(p[at.POSITION]), int(p[at.LINEAR_MOMENTUM])
        c0, c1, c2 = x[n], x[n + 1], x[n + 2]
        mass = total_mass(p, w)
        v0, v1, v2 = x[m] / mass, x[m + 1] / mass, x[m + 2] / mass
        if p[at.N_ELEMENTS] != 0.0 and p[at.REDUCED] > 0.0:
            d, k = int(p[at.W_MOMENT]), int(p[at.W_LINEAR])
            a0, a1, a2 = to_inertial(x[3], x[4], x[5], x[6], w[d], w[d + 1], w[d + 2])
            b0, b1, b2 = to_inertial(x[3], x[4], x[5], x[6], w[k], w[k + 1], w[k + 2])
            c0, c1, c2 = c0 - a0 / mass, c1 - a1 / mass, c2 - a2 / mass
            v0, v1, v2 = v0 - b0 / mass, v1 - b1 / mass, v2 - b2 / mass
        return c0, c1, c2, v0, v1, v2
    if p[at.HELD] == 0.0:
        unknown = math.nan + 0.0 * x[3]
        return unknown, unknown, unknown, unknown, unknown, unknown
    b0, b1, b2 = p[at.CENTRE], p[at.CENTRE + 1], p[at.CENTRE + 2]
    n = int(p[at.W_V])
    w0, w1, w2 = w[n], w[n + 1], w[n + 2]
    c0, c1, c2 = to_inertial(x[3], x[4], x[5], x[6], b0, b1, b2)
    v0, v1, v2 = to_inertial(x[3], x[4], x[5], x[6], w1 * b2 - w2 * b1, w2 * b0 - w0 * b2, w0 * b1 - w1 * b0)
    return c0, c1, c2, v0, v1, v2
