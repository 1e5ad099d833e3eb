# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Rows of vectors, each with one number of several runs: the access functions, in their version for one run.

The engine's library replaces these functions by those of `polhode.sim.codegen.simd_calls`, for the number of runs in a
vector register of the processor. In plain Python a vector has one element.
"""


def width():
    """Return the number of runs in a vector."""
    return 1


def run_of(tables, n):
    """Return the arrays of run `n`, a `LoopArrays`; compiled code has a table of their addresses for each run."""
    return tables[n]


def vector_row(work, first, size):
    """Return a row of vectors in work space, from vector `first` on."""
    return work[first : first + size]


def element_of(row, n, lane):
    """Return the number of one run in vector `n` of a row."""
    return row[n]


def put_element(row, n, lane, number):
    """Put the number of one run into vector `n` of a row."""
    row[n] = number


def spread(number):
    """Return a vector with the same number for every run."""
    return number


def verdict(mask, lane):
    """Return the result of a comparison for one run."""
    return mask
