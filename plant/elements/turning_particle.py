# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Point mass that rotates about an axis fixed in the hub: r = h + R(a, q) b, dr/dq = a x (r - h)."""

from ..kernels.fields import three
from ..kernels.kernel import kernel
from .assembly import couple_particle, particle_force, particle_velocity, place_particle


@kernel
def turn_particle(phase, p, w, k, mass, cos, sin, rate, axis, center, place):
    """Add a point mass with the angle k to the mass matrix (phase 0) or to the forces (phase 1).

    cos, sin: of the angle; axis, center, place: starts of a, h and b in the parameters.
    """
    a0, a1, a2 = three(p, axis)
    h0, h1, h2 = three(p, center)
    b0, b1, b2 = three(p, place)
    along = a0 * b0 + a1 * b1 + a2 * b2
    c0, c1, c2 = b0 - along * a0, b1 - along * a1, b2 - along * a2
    s0, s1, s2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    d0, d1, d2 = cos * c0 + sin * s0, cos * c1 + sin * s1, cos * c2 + sin * s2
    y0, y1, y2 = cos * s0 - sin * c0, cos * s1 - sin * c1, cos * s2 - sin * c2
    r0, r1, r2 = h0 + along * a0 + d0, h1 + along * a1 + d1, h2 + along * a2 + d2
    if phase == 0:
        place_particle(p, w, mass, r0, r1, r2)
        couple_particle(p, w, k, mass, r0, r1, r2, y0, y1, y2)
    else:
        v0, v1, v2 = particle_velocity(p, w, r0, r1, r2, y0 * rate, y1 * rate, y2 * rate)
        particle_force(p, w, k, mass, v0, v1, v2, y0, y1, y2, -d0 * rate, -d1 * rate, -d2 * rate)
