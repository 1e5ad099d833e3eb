# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Access to rows of vectors, whose elements belong to different runs: functions for a single run.

The engine's library replaces these functions by those of `polhode.sim.codegen.simd_calls`, for as many runs as fit in a
vector register of the processor. In plain Python, a vector has one element.
"""


def width():
    """Return the number of runs in a vector."""
    return 1


def run_of(tables, n):
    """Return the `LoopArrays` of run `n`; in compiled code, `tables` holds an address table per run."""
    return tables[n]


def vector_row(work, first, size):
    """Return a row of `size` vectors in the workspace, starting at vector `first`."""
    return work[first : first + size]


def element_of(row, n, lane):
    """Return one run's element of vector `n` in a row."""
    return row[n]


def put_element(row, n, lane, number):
    """Set one run's element of vector `n` in a row."""
    row[n] = number


def spread(number):
    """Return a vector with the same value for every run."""
    return number


def verdict(mask, lane):
    """Return the result of a comparison for one run."""
    return mask
