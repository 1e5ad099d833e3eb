# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Layout of the work space of an implicit step, in rows of one number per velocity.

From W_IMPLICIT on: the velocities, their momenta, a right-hand side (complex); the Schur complements of the arms at the
hub (6 x 6, complex), the matrix of hub and coordinates ((6 + n) squared, complex), its pivots, and the offset of the
active plane.

A method that solves several systems has one such work space per system, called planes, one after the other. All but the
first hold only the factors of a system, at the same relative places.
"""

from ..kernels.kernel import kernel
from .parameters import N_INTERNAL, N_MOMENTA, NEAR, W_IMPLICIT

LINEAR, ANGULAR, INNER = 0, 3, 6
"""Velocities: V and Omega of the hub (inertial), those of the coordinates, c', then those of elements' own states."""

BLOCK = 2 * 36
"""Numbers of a complex 6 x 6 block."""


def implicit_size(n: int, own: int) -> int:
    """Return the size of the work space of implicit steps, for n coordinates and `own` velocities of elements."""
    return 4 * (NEAR + n + own) + BLOCK + 2 * (INNER + n) ** 2 + (INNER + n) + 1


@kernel(inline=True)
def count_velocities(p):
    """Number of velocities."""
    return NEAR + int(p[N_INTERNAL]) + int(p[N_MOMENTA])


@kernel(inline=True)
def momenta_at(p):
    """Start of the momenta."""
    return int(p[W_IMPLICIT]) + count_velocities(p)


@kernel(inline=True)
def side_at(p):
    """Start of the right-hand side."""
    return int(p[W_IMPLICIT]) + 2 * count_velocities(p)


@kernel(inline=True)
def block_at(p):
    """Start of the Schur complements of the arms."""
    return int(p[W_IMPLICIT]) + 4 * count_velocities(p)


@kernel(inline=True)
def matrix_at(p):
    """Start of the matrix."""
    return block_at(p) + BLOCK


@kernel(inline=True)
def pivots_at(p):
    """Start of its pivots."""
    size = INNER + int(p[N_INTERNAL])
    return matrix_at(p) + 2 * size * size


@kernel(inline=True)
def choose_plane(p, w, plane):
    """Set the offset of the plane for all following factorisations and solutions."""
    w[pivots_at(p) + INNER + int(p[N_INTERNAL])] = plane


@kernel(inline=True)
def plane_of(p, w):
    """Offset of the active plane."""
    return int(w[pivots_at(p) + INNER + int(p[N_INTERNAL])].real)
