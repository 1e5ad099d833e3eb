# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Where everything stands that an implicit step works on in the work space: rows of as many numbers as velocities.

At W_IMPLICIT the velocities, then their momenta, then a right side (complex); behind these what the chains of arms
leave at the hub (6 x 6, complex), the matrix of hub and coordinates (6 + n squared, complex), its pivots, and which
plane is in use.

A method that solves several systems has as many work spaces one behind the other: planes, of which all but the first
hold nothing but what was factored of a system, at the places it has in the first.
"""

from ..kernels.kernel import kernel
from .parameters import N_INTERNAL, N_MOMENTA, NEAR, W_IMPLICIT

__all__ = [
    "ANGULAR",
    "INNER",
    "LINEAR",
    "block_at",
    "choose_plane",
    "count_velocities",
    "implicit_size",
    "matrix_at",
    "momenta_at",
    "pivots_at",
    "plane_of",
    "side_at",
]

LINEAR, ANGULAR, INNER = 0, 3, 6
"""Velocities: V and Omega of the hub (inertial), those of the coordinates; then c', then the elements' own."""

BLOCK = 2 * 36
"""Numbers of a complex 6 x 6."""


def implicit_size(n: int, own: int) -> int:
    """Return the length of what implicit steps work on, for n coordinates and so many velocities of elements' own."""
    return 4 * (NEAR + n + own) + BLOCK + 2 * (INNER + n) ** 2 + (INNER + n) + 1


@kernel(inline=True)
def count_velocities(p):
    """How many velocities there are."""
    return NEAR + int(p[N_INTERNAL]) + int(p[N_MOMENTA])


@kernel(inline=True)
def momenta_at(p):
    """Where the momenta begin."""
    return int(p[W_IMPLICIT]) + count_velocities(p)


@kernel(inline=True)
def side_at(p):
    """Where the right side begins."""
    return int(p[W_IMPLICIT]) + 2 * count_velocities(p)


@kernel(inline=True)
def block_at(p):
    """Where the block that the chains leave begins."""
    return int(p[W_IMPLICIT]) + 4 * count_velocities(p)


@kernel(inline=True)
def matrix_at(p):
    """Where the matrix begins."""
    return block_at(p) + BLOCK


@kernel(inline=True)
def pivots_at(p):
    """Where its pivots begin."""
    size = INNER + int(p[N_INTERNAL])
    return matrix_at(p) + 2 * size * size


@kernel(inline=True)
def choose_plane(p, w, plane):
    """Let what is factored from now on, and what is solved with it, stand so far behind its place."""
    w[pivots_at(p) + INNER + int(p[N_INTERNAL])] = plane


@kernel(inline=True)
def plane_of(p, w):
    """How far behind its place what is factored stands now."""
    return int(w[pivots_at(p) + INNER + int(p[N_INTERNAL])].real)
