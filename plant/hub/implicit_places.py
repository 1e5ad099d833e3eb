# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Layout of the workspace of an implicit step, in arrays with one entry per velocity.

Starting at W_IMPLICIT, the workspace holds: the velocities, their momenta, a right-hand side (complex); the Schur
complements of the arms at the hub (6 x 6, complex), the matrix of hub and coordinates ((6 + n)^2 entries, complex), its
pivots, and the offset of the active plane.

A method that solves several systems has one such workspace per system. These workspaces, called planes, are stored one
after another. All planes but the first hold only the factors of a system, at the same relative indices.
"""

from ..kernels.kernel import kernel
from .parameters import N_INTERNAL, N_MOMENTA, NEAR, W_IMPLICIT

LINEAR, ANGULAR, INNER = 0, 3, 6
"""First velocity of each kind: V of the hub, Omega of the hub (both inertial), then the coordinates.

The linear velocity c' and the velocities of elements with their own states follow.
"""

BLOCK = 2 * 36
"""Length of a complex 6 x 6 block, in real entries."""


def implicit_size(n: int, own: int) -> int:
    """Return the workspace length of implicit steps for n coordinates and `own` velocities of elements."""
    return 4 * (NEAR + n + own) + BLOCK + 2 * (INNER + n) ** 2 + (INNER + n) + 1


@kernel(inline=True)
def count_velocities(p):
    """Return the number of velocities."""
    return NEAR + int(p[N_INTERNAL]) + int(p[N_MOMENTA])


@kernel(inline=True)
def momenta_at(p):
    """Return the start of the momenta in w."""
    return int(p[W_IMPLICIT]) + count_velocities(p)


@kernel(inline=True)
def side_at(p):
    """Return the start of the right-hand side in w."""
    return int(p[W_IMPLICIT]) + 2 * count_velocities(p)


@kernel(inline=True)
def block_at(p):
    """Return the start of the Schur complements of the arms in w."""
    return int(p[W_IMPLICIT]) + 4 * count_velocities(p)


@kernel(inline=True)
def matrix_at(p):
    """Return the start of the matrix in w."""
    return block_at(p) + BLOCK


@kernel(inline=True)
def pivots_at(p):
    """Return the start of the matrix pivots in w."""
    size = INNER + int(p[N_INTERNAL])
    return matrix_at(p) + 2 * size * size


@kernel(inline=True)
def choose_plane(p, w, plane):
    """Set the offset of the plane that all following factorisations and solutions use."""
    w[pivots_at(p) + INNER + int(p[N_INTERNAL])] = plane


@kernel(inline=True)
def plane_of(p, w):
    """Return the offset of the active plane."""
    return int(w[pivots_at(p) + INNER + int(p[N_INTERNAL])].real)
