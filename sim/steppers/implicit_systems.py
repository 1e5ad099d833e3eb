# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The systems that the iteration of an implicit step falls apart into, one for each eigenvalue of the method.

With A = sum lambda r l' over its eigenvalues, what is left of the equations of the stages is weighed by l to the right
side of a system, and the solution y adds Re(r_i y) to the velocities of stage i.
"""

from ...plant.kernels.kernel import kernel
from .implicit_layout import (
    BUILDS,
    COEFFICIENTS,
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

__all__ = ["build_systems", "first_side", "keep_change", "right_side"]


@kernel
def build_systems(t, h, x, nu, u, p, w, s, implicit):
    """Build and factor the matrix of every system."""
    scheme, meta = implicit[SCHEME], implicit[META]
    for system in range(int(scheme[SYSTEMS])):
        at = system_at(s, system)
        build_matrix(
            t, h, scheme[at] + 1j * scheme[at + 1], x, nu, u, p, w, implicit[UNIT], implicit[SPARE],
            implicit[SPARE + 1], implicit[SPARE + 2], int(meta[PLANE]) * system,
        )  # fmt: skip
    meta[MATRIX_STEP] = h
    meta[BUILDS] += 1.0
    meta[NEW] = 0.0


@kernel(inline=True)
def first_side(h, total, first, s, implicit, y):
    """Put what is left of the stages' equations in place of their momenta, and the right side of the first system."""
    scheme, momenta, forces, start = implicit[SCHEME], first + 3 * s, first + 4 * s, implicit[first + 5 * s]
    left = system_at(s, 0) + 2
    for k in range(total):
        y[k] = 0.0
    for i in range(s):
        rest, at = implicit[momenta + i], COEFFICIENTS + s * i
        cr, ci = scheme[left + 2 * i], scheme[left + 2 * i + 1]
        for j in range(2, s):
            f, a = implicit[forces + j], h * scheme[at + j]
            for k in range(total):
                rest[k] -= a * f[k]
        f, g = implicit[forces], implicit[forces + min(1, s - 1)]
        a, b = h * scheme[at], h * scheme[at + 1] if s > 1 else 0.0
        for k in range(total):
            r = rest[k] - start[k] - a * f[k] - b * g[k]
            rest[k] = r
            y[k] = complex(y[k].real - cr * r, y[k].imag - ci * r)


@kernel
def right_side(system, total, rests, s, implicit, y):
    """Put in the right side of another system."""
    scheme, left = implicit[SCHEME], system_at(s, system) + 2
    for k in range(total):
        y[k] = 0.0
    for i in range(s):
        cr, ci, rest = scheme[left + 2 * i], scheme[left + 2 * i + 1], implicit[rests + i]
        for k in range(total):
            y[k] = complex(y[k].real - cr * rest[k], y[k].imag - ci * rest[k])


@kernel
def keep_change(system, total, s, implicit, y):
    """Keep what the solution of a system, not the last one, adds to the stage velocities."""
    scheme, right = implicit[SCHEME], system_at(s, system) + 2 + 2 * s
    for i in range(s):
        cr, ci, added = scheme[right + 2 * i], scheme[right + 2 * i + 1], implicit[HEAD + i]
        for k in range(total):
            added[k] = cr * y[k].real - ci * y[k].imag + (added[k] if system > 0 else 0.0)
