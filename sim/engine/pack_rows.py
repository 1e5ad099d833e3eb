# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Numbers of a run put into vectors and taken out again, and its reference."""

import math

from ...controllers.laws.law_layout import REFERENCE
from ...plant.kernels.kernel import kernel
from .simd import element_of, put_element

__all__ = ["gather", "has_reference_of", "refer", "scatter"]


@kernel
def gather(row, vectors, lane):
    """Put the numbers of a run into its elements."""
    for m in range(row.size):
        put_element(vectors, m, lane, row[m])


@kernel
def scatter(row, vectors, lane):
    """Take the numbers of a run out of its elements."""
    for m in range(row.size):
        row[m] = element_of(vectors, m, lane)


@kernel
def has_reference_of(b, one):
    """Return whether a run has the reference of another."""
    same = True
    for m in range(b.rq.size):
        same = same and b.rq[m] == one.rq[m]
    return same


@kernel
def refer(b, t, reference, lane, r):
    """Put the reference of a run at t into its elements of r."""
    b.r[REFERENCE.attitude] = math.nan
    reference(t, b.rq, b.r)
    for m in range(REFERENCE.size):
        put_element(r, m, lane, b.r[m])
