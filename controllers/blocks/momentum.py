# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The momentum that goes with a measured or an estimated rate, for laws that look at it."""

import numpy as np
from numpy.typing import ArrayLike

from ...plant.hub.inertia import inertia_matrix
from ...plant.kernels.kernel import kernel
from ..laws.block import Block
from ..laws.block_form import BlockForm

__all__ = ["momentum_apart", "momentum_of_rate"]


@kernel
def momentum_kernel(t, y, q, z, v):
    """y = a momentum, a rate; q = a matrix -> v = the momentum and the matrix times the rate."""
    for n in range(3):
        v[n] = y[n] + q[3 * n] * y[3] + q[3 * n + 1] * y[4] + q[3 * n + 2] * y[5]


def momentum_apart(inertia: ArrayLike, *, sample: float, writes: str = "carried_momentum") -> Block:
    """Return a block that takes J omega out of the momentum, to stand before what writes another "rate".

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        J, locked, of the craft, kg m^2.
    sample : float
        Period, s: that of the law.
    writes : str
        The signal it writes: what elements carry beside J omega, N m s.

    Returns
    -------
    Block
        For `momentum_of_rate`.

    Raises
    ------
    InputError
        When the inertia is not physical or `sample` out of range.
    """
    return _block(-inertia_matrix(inertia), ("momentum", "rate"), writes, sample, "momentum carried")


def momentum_of_rate(inertia: ArrayLike, *, sample: float, reads: str = "carried_momentum") -> Block:
    """Return a block that makes the momentum a law sees of the rate it sees.

    It stands behind what writes "rate". A law that looks at the momentum would otherwise see the true one beside a
    measured rate.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        J as the law takes it to be, kg m^2.
    sample : float
        Period, s: that of the law.
    reads : str
        What elements carry beside, N m s: taken to be known, as tachometers of wheels tell it.

    Returns
    -------
    Block
        It writes "momentum".

    Raises
    ------
    InputError
        When the inertia is not physical or `sample` out of range.

    Examples
    --------
    >>> sim_blocks = [momentum_apart((3, 2, 1), sample=0.1), momentum_of_rate((3, 2, 1), sample=0.1)]
    >>> [dict(block.writes) for block in sim_blocks]
    [{'carried_momentum': 3}, {'momentum': 3}]
    """
    return _block(inertia_matrix(inertia), (reads, "rate"), "momentum", sample, "momentum of rate")


def _block(matrix: np.ndarray, reads: tuple[str, str], writes: str, sample: float, name: str) -> Block:
    return Block(
        momentum_kernel, reads=reads, writes={writes: 3}, sample=sample, parameters=matrix.ravel(), name=name,
        linear=BlockForm(D=np.hstack((np.eye(3), matrix))), units="N m s",
    )  # fmt: skip
