# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Linear blocks: state-space, transfer function, low-pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ....plant.checks import numbers, positive
from ....plant.errors import InputError
from ....plant.kernels.kernel import kernel
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...loop.sampled_plant import hold
from .signals import read_write

__all__ = ["low_pass", "state_space", "transfer_function"]


@kernel
def state_space_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """v = C z + D y, z = A z + B y for each channel; q holds n, then A, B, C, D of one channel."""
    n = int(q[0])
    for channel in range(v.size):
        first = channel * n
        told = q[1 + n * n + 2 * n] * y[channel]
        for i in range(n):
            told = told + q[1 + n * n + n + i] * z[first + i]
        v[channel] = told
        # the next state is stored behind the states of all channels, then copied
        spare = v.size * n
        for i in range(n):
            after = q[1 + n * n + i] * y[channel]
            for j in range(n):
                after = after + q[1 + i * n + j] * z[first + j]
            z[spare + i] = after
        for i in range(n):
            z[first + i] = z[spare + i]


def state_space(
    A: ArrayLike,
    B: ArrayLike,
    *,
    C: ArrayLike,
    D: ArrayLike,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "state-space",
    unit: str = "",
) -> Block:
    """Return z[k+1] = A z + B y, v = C z + D y on each channel of its input.

    Parameters
    ----------
    A, B, C, D : array_like
        (n, n), (n,), (n,) and a number: a single-input, single-output system.
    reads : str or sequence of str
        Signals.
    sample : float
        Period, s.
    writes : str, optional
        Name of the output signal; by default that of the input.
    width : int, optional
        Number of components read; needed for user-defined signals only.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample to its output, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output.

    Returns
    -------
    Block
        The block, with its linear form; its initial state is zero.

    Raises
    ------
    InputError
        When shapes do not fit.
    """
    names, written, size = read_write(reads, writes, width, unit=unit, smooths=True)
    a = np.atleast_2d(numbers("A", A)) if np.size(A) else np.zeros((0, 0))
    n = len(a)
    parts = [
        np.asarray(numbers(name, each) if np.size(each) else ()).ravel()
        for name, each in zip("BCD", (B, C, D), strict=True)
    ]
    if a.shape != (n, n) or [part.size for part in parts] != [n, n, 1]:
        raise InputError(
            f"A must be n x n, B and C n numbers, D one; got {a.shape}, {parts[0].size}, {parts[1].size}, "
            f"{parts[2].size}"
        )
    b, c, d = parts
    eye = np.eye(size)
    return Block(
        state_space_block,
        reads=names,
        writes=written,
        clock=Clock(sample, offset=offset, delay=delay),
        parameters=np.concatenate(([n], a.ravel(), b, c, d)),
        memory=np.zeros(n * size + n),
        linear=BlockForm(A=np.kron(eye, a), B=np.kron(eye, b[:, None]), C=np.kron(eye, c[None]), D=d[0] * eye),
        name=name,
    )


def transfer_function(
    numerator: ArrayLike,
    denominator: ArrayLike,
    *,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "transfer-function",
    unit: str = "",
) -> Block:
    """Return a continuous transfer function on each channel, discretised with a zero-order hold at its input.

    Parameters
    ----------
    numerator, denominator : array_like
        Polynomials in s, highest power first; proper.
    reads : str or sequence of str
        Signals.
    sample : float
        Period, s; the samples are exact for an input that changes at samples only.
    writes : str, optional
        Name of the output signal; by default that of the input.
    width : int, optional
        Number of components read; needed for user-defined signals only.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample to its output, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output.

    Returns
    -------
    Block
        The block, with its linear form; its initial state is zero.

    Raises
    ------
    InputError
        When a polynomial is empty, or the transfer function is improper.

    Examples
    --------
    >>> lag = transfer_function([1.0], [0.2, 1.0], reads="command", sample=0.1)
    >>> round(float(lag.linear.A[0, 0]), 12) == round(float(np.exp(-0.5)), 12)
    True
    """
    top, bottom = (
        np.trim_zeros(numbers(name, each).ravel(), "f")
        for name, each in (("numerator", numerator), ("denominator", denominator))
    )
    if not bottom.size or top.size > bottom.size:
        raise InputError(
            f"a transfer function must be proper: the numerator has degree {top.size - 1}, above degree "
            f"{bottom.size - 1} of the denominator"
        )
    n = bottom.size - 1
    ahead = np.concatenate((np.zeros(n + 1 - top.size), top)) / bottom[0]
    below = bottom / bottom[0]
    # the controllable canonical form
    A = np.vstack((-below[1:], np.eye(n - 1, n))) if n else np.zeros((0, 0))
    B = np.eye(n, 1)
    C, D = ahead[1:] - ahead[0] * below[1:], ahead[0]
    a, b = hold(A, B, duration=positive("sample", sample, "s")) if n else (A, B)
    return state_space(
        a,
        b,
        C=C,
        D=D,
        reads=reads,
        writes=writes,
        width=width,
        sample=sample,
        offset=offset,
        delay=delay,
        name=name,
        unit=unit,
    )


def low_pass(
    *,
    frequency: float,
    reads: str | Sequence[str],
    sample: float,
    order: int = 1,
    damping_ratio: float = 0.5**0.5,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "low-pass",
    unit: str = "",
) -> Block:
    """Return a low-pass filter of gain 1, of first or second order: a filter, or the lag of an actuator.

    Parameters
    ----------
    frequency : float
        Corner frequency, rad/s; for first order the inverse of the time constant.
    reads : str or sequence of str
        Signals.
    sample : float
        Period, s.
    order : int
        1 or 2.
    damping_ratio : float
        Damping ratio for order 2.
    writes : str, optional
        Name of the output signal; by default that of the input.
    width : int, optional
        Number of components read; needed for user-defined signals only.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample to its output, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output.

    Returns
    -------
    Block
        The block, with its linear form; its initial state is zero.

    Raises
    ------
    InputError
        When a number is not positive, or the order is neither 1 nor 2.
    """
    corner = positive("frequency", frequency, "rad/s")
    if order not in (1, 2):
        raise InputError(f"order must be 1 or 2; got {order!r}; for any other use transfer_function")
    bottom = [1.0, corner] if order == 1 else [1.0, 2.0 * positive("damping ratio", damping_ratio) * corner, corner**2]
    return transfer_function(
        [corner**order],
        bottom,
        reads=reads,
        writes=writes,
        width=width,
        sample=sample,
        offset=offset,
        delay=delay,
        name=name,
        unit=unit,
    )
