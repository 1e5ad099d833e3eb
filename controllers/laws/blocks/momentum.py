# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Momentum computed from a measured or estimated rate, for laws that use the momentum."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ....plant.hub.inertia import inertia_matrix
from ....plant.kernels.kernel import kernel
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.signal import Signal


@kernel
def momentum_kernel(t, y, q, z, v):
    """Write momentum + M rate into v; y: momentum, rate; q: matrix M."""
    for n in range(3):
        v[n] = y[n] + q[3 * n] * y[3] + q[3 * n + 1] * y[4] + q[3 * n + 2] * y[5]


def split_body_momentum(inertia: ArrayLike, *, sample: float, writes: str = "carried_momentum") -> Block:
    """Return a block that subtracts J omega from the momentum; place it before blocks that write "rate".

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Locked inertia J of the spacecraft, kg m^2.
    sample : float
        Period of the law, s.
    writes : str
        Name of the output signal, which is the momentum of elements in addition to J omega, N m s.

    Returns
    -------
    Block
        The block; `momentum_of_rate` reads its output.

    Raises
    ------
    InputError
        When the inertia is not physical or `sample` is out of range.
    """
    return _block(-inertia_matrix(inertia), ("momentum", "rate"), writes, sample, "momentum carried")


def momentum_of_rate(inertia: ArrayLike, *, sample: float, reads: str = "carried_momentum") -> Block:
    """Return a block that replaces the momentum by one computed from the measured rate.

    Place it after the blocks that write "rate". Without this block, a law that uses the momentum would combine the true
    momentum with a measured rate.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia J assumed by the law, kg m^2.
    sample : float
        Period of the law, s.
    reads : str
        Name of the signal with the momentum of the elements, N m s. The signal is assumed exact, as if measured by
        wheel tachometers.

    Returns
    -------
    Block
        The block; it writes "momentum".

    Raises
    ------
    InputError
        When the inertia is not physical or `sample` is out of range.

    Examples
    --------
    >>> sim_blocks = [split_body_momentum((3, 2, 1), sample=0.1), momentum_of_rate((3, 2, 1), sample=0.1)]
    >>> [block.widths for block in sim_blocks]
    [{'carried_momentum': 3}, {'momentum': 3}]
    """
    return _block(inertia_matrix(inertia), (reads, "rate"), "momentum", sample, "momentum of rate")


def _block(matrix: np.ndarray, reads: tuple[str, str], writes: str, sample: float, name: str) -> Block:
    return Block(
        momentum_kernel,
        reads=reads,
        writes={writes: Signal(3, "N m s")},
        clock=Clock(sample),
        parameters=matrix.ravel(),
        name=name,
        linear=BlockForm(D=np.hstack((np.eye(3), matrix))),
    )
