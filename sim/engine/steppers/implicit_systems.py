# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Decoupled systems in the iteration of an implicit step, one for each eigenvalue of the method.

The residuals of the stages are multiplied by P = A^-1 and rotated into the frames of their stages. In these frames,
stiffness is about equal for all stages: a step in which a stiff arm rotates through a large angle is solved like one in
which the arm is at rest. With A = sum lambda r l' over its eigenvalues, the result is weighted by l to give the
right-hand side of a system. The solution y of the system adds Re(lambda^2 r_i y) to stage i. Rotated back and
multiplied by P again, the sum is the change of the velocities.
"""

from ....plant.kernels.kernel import kernel
from .implicit_layout import (
    BUILDS,
    COEFFICIENTS,
    FRAMES,
    HEAD,
    MATRIX_STEP,
    META,
    NEW,
    PLANE,
    SCHEME,
    SPARE,
    SYSTEMS,
    UNIT,
    system_at,
)
from .implicit_matrix import build_matrix


@kernel
def build_systems(t, h, x, nu, u, p, w, s, slot, implicit):
    """Build and factor the matrix of every system, and store the factors in a slot."""
    scheme, meta = implicit[SCHEME], implicit[META]
    for system in range(int(scheme[SYSTEMS])):
        at = system_at(s, system)
        build_matrix(
            t, h, scheme[at] + 1j * scheme[at + 1], x, nu, u, p, w, implicit[UNIT], implicit[SPARE],
            implicit[SPARE + 1], implicit[SPARE + 2], int(meta[PLANE]) * (int(scheme[SYSTEMS]) * slot + system),
        )  # fmt: skip
    meta[MATRIX_STEP + slot] = h
    meta[BUILDS] += 1.0
    meta[NEW + slot] = 0.0


@kernel(inline=True)
def rests_of_stages(h, total, first, s, implicit):
    """Replace the momenta of the stages by the residuals of their equations."""
    scheme, momenta, forces, start = implicit[SCHEME], first + 3 * s, first + 4 * s, implicit[first + 5 * s]
    for i in range(s):
        rest, at = implicit[momenta + i], COEFFICIENTS + s * i
        for j in range(2, s):
            f, a = implicit[forces + j], h * scheme[at + j]
            for k in range(total):
                rest[k] -= a * f[k]
        f, g = implicit[forces], implicit[forces + min(1, s - 1)]
        a, b = h * scheme[at], h * scheme[at + 1] if s > 1 else 0.0
        for k in range(total):
            rest[k] = rest[k] - start[k] - a * f[k] - b * g[k]


@kernel(inline=True)
def mix_stages(total, source, to, s, implicit):
    """Write P times the rows of s stages to other rows, adding two stages at a time; see `stage_frames`."""
    for i in range(s):
        out, at = implicit[to + i], s * i
        for j in range(0, s, 2):
            low, high = implicit[source + j], implicit[source + min(j + 1, s - 1)]
            a, b = implicit[FRAMES, at + j], implicit[FRAMES, at + j + 1] if j + 1 < s else 0.0
            if j == 0:
                for k in range(total):
                    out[k] = a * low[k] + b * high[k]
            else:
                for k in range(total):
                    out[k] += a * low[k] + b * high[k]


@kernel(inline=True)
def right_side(system, total, rests, s, implicit, y):
    """Write the right-hand side of a system to y, adding two stages at a time."""
    scheme, left = implicit[SCHEME], system_at(s, system) + 2
    for i in range(0, s, 2):
        m = min(i + 1, s - 1)
        low, high = implicit[rests + i], implicit[rests + m]
        ar, ai = scheme[left + 2 * i], scheme[left + 2 * i + 1]
        br, bi = (scheme[left + 2 * m], scheme[left + 2 * m + 1]) if m > i else (0.0, 0.0)
        if i == 0:
            for k in range(total):
                y[k] = complex(-ar * low[k] - br * high[k], -ai * low[k] - bi * high[k])
        else:
            for k in range(total):
                y[k] = complex(y[k].real - ar * low[k] - br * high[k], y[k].imag - ai * low[k] - bi * high[k])


@kernel(inline=True)
def keep_change(system, total, s, implicit, y):
    """Add the contribution of the solution y of a system to the stages."""
    scheme, right, factor = implicit[SCHEME], system_at(s, system) + 2 + 2 * s, s * s + 2 * system
    share = implicit[FRAMES, factor] + 1j * implicit[FRAMES, factor + 1]
    for i in range(s):
        weight = share * (scheme[right + 2 * i] + 1j * scheme[right + 2 * i + 1])
        cr, ci, added = weight.real, weight.imag, implicit[HEAD + s + i]
        if system == 0:
            for k in range(total):
                added[k] = cr * y[k].real - ci * y[k].imag
        else:
            for k in range(total):
                added[k] += cr * y[k].real - ci * y[k].imag
