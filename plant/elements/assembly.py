# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Functions by which element kernels contribute to the plant. Indices `i` and `k` count omega (0 to 2), then s."""

from ..hub.mass_now import reduced_mass
from ..hub.parameters import N_INTERNAL, PROBED, REDUCED, W_B, W_G, W_LINEAR, W_MOMENT, W_SUMS, W_V
from ..kernels.kernel import kernel
from ..kernels.lanes import shared


@kernel(inline=True)
def add_mass(p, w, i, k, value):
    """Add `value` to M_ik and M_ki; only the lower triangle is stored."""
    m = 3 + int(shared(p, N_INTERNAL))
    n = i * m + k if i >= k else k * m + i
    w[n] = w[n] + value


@kernel
def add_inertia(p, w, mass, r0, r1, r2):
    """Add the inertia of a point mass at r to the omega block of M."""
    add_mass(p, w, 0, 0, mass * (r1 * r1 + r2 * r2))
    add_mass(p, w, 1, 1, mass * (r2 * r2 + r0 * r0))
    add_mass(p, w, 2, 2, mass * (r0 * r0 + r1 * r1))
    add_mass(p, w, 0, 1, -mass * r0 * r1)
    add_mass(p, w, 0, 2, -mass * r0 * r2)
    add_mass(p, w, 1, 2, -mass * r1 * r2)


@kernel
def add_moment(p, w, d0, d1, d2):
    """Add (d0, d1, d2) to the first moment of mass d, kg m."""
    n = int(shared(p, W_MOMENT))
    w[n] = w[n] + d0
    w[n + 1] = w[n + 1] + d1
    w[n + 2] = w[n + 2] + d2


@kernel
def add_moment_slope(p, w, k, b0, b1, b2):
    """Add (b0, b1, b2) to the derivative of d with respect to coordinate k (from 0), kg m per unit."""
    m = 3 + int(shared(p, N_INTERNAL))
    n = int(shared(p, W_B)) + 3 + k
    w[n] = w[n] + b0
    w[n + m] = w[n + m] + b1
    w[n + 2 * m] = w[n + 2 * m] + b2


@kernel(inline=True)
def relative_rate(p, w, k):
    """Return the rate of coordinate k."""
    return w[int(shared(p, W_V)) + 3 + k]


@kernel
def add_force(p, w, k, value):
    """Add `value` to the generalised force of coordinate k."""
    n = int(shared(p, W_G)) + k
    w[n] = w[n] + value


@kernel(inline=True)
def demanded_force(p, w, k):
    """Return the force demanded on coordinate k by pulses and blocks, before element forces are added."""
    return w[int(shared(p, W_G)) + k]


@kernel
def moment_curvature(p, w, k, c0, c1, c2):
    """Subtract (B v) . c / m from the force of coordinate k if the total mass centre is free.

    c = sum_j d2d/ds_k ds_j sdot_j.
    """
    if shared(p, REDUCED) > 0.0:
        n = int(shared(p, W_LINEAR))
        add_force(p, w, k, -(w[n] * c0 + w[n + 1] * c1 + w[n + 2] * c2) / reduced_mass(p, w))


@kernel
def add_power(p, w, value):
    """Add `value` to the power W of the non-conservative forces; the power of friction is negative."""
    n = int(shared(p, W_SUMS))
    w[n] = w[n] + value


@kernel
def is_probed(p, w):
    """Return whether a field calls FORCES at unit rates to differentiate the inertia: motors must then be inactive."""
    return w[int(shared(p, W_SUMS))].real >= 0.5 * PROBED


@kernel
def add_energy(p, w, value):
    """Add `value` to the potential energy, J."""
    n = int(shared(p, W_SUMS)) + 1
    w[n] = w[n] + value


@kernel
def add_signal(p, w, value):
    """Append the next signal value of the element."""
    n = int(shared(p, W_SUMS)) + 2
    count = int(w[n].real)
    w[n + 1 + count] = value
    w[n] = count + 1.0


@kernel
def place_particle(p, w, mass, r0, r1, r2):
    """Add a point mass at r: its inertia and its first moment."""
    add_inertia(p, w, mass, r0, r1, r2)
    add_moment(p, w, mass * r0, mass * r1, mass * r2)


@kernel
def couple_particle(p, w, k, mass, r0, r1, r2, y0, y1, y2):
    """Add the coupling of a point mass at r to coordinate k, along y = dr/ds_k."""
    add_mass(p, w, 3 + k, 0, mass * (r1 * y2 - r2 * y1))
    add_mass(p, w, 3 + k, 1, mass * (r2 * y0 - r0 * y2))
    add_mass(p, w, 3 + k, 2, mass * (r0 * y1 - r1 * y0))
    add_mass(p, w, 3 + k, 3 + k, mass * (y0 * y0 + y1 * y1 + y2 * y2))
    add_moment_slope(p, w, k, mass * y0, mass * y1, mass * y2)


@kernel
def particle_velocity(p, w, r0, r1, r2, q0, q1, q2):
    """Return the velocity omega x r + q of a point mass at r that has the velocity q relative to the hub."""
    w0, w1, w2 = relative_rate(p, w, -3), relative_rate(p, w, -2), relative_rate(p, w, -1)
    return w1 * r2 - w2 * r1 + q0, w2 * r0 - w0 * r2 + q1, w0 * r1 - w1 * r0 + q2


@kernel
def particle_force(p, w, k, mass, v0, v1, v2, y0, y1, y2, a0, a1, a2):
    """Add 1/2 v'(dM/ds_k)v of a point mass of velocity v: m v . (omega x y + a).

    y = dr/ds_k; a = dy/dt in the hub frame.
    """
    b0, b1, b2 = particle_velocity(p, w, y0, y1, y2, a0, a1, a2)
    add_force(p, w, k, mass * (v0 * b0 + v1 * b1 + v2 * b2))
    moment_curvature(p, w, k, mass * a0, mass * a1, mass * a2)
