# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Linear blocks: state-space, transfer function, low-pass, lag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from ....plant.checks import positive
from ....plant.errors import InputError
from ....plant.kernels.kernel import kernel
from ....plant.quantity import COUNT, MATRIX, NUMBER, OPTIONAL_NUMBER, ROW, check_arguments, of_argument
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...loop.sampled_plant import hold
from .signals import read_write


@kernel
def state_space_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write v = C z + D y and update z = A z + B y for each channel; q: n, A, B, C, D of one channel."""
    n = int(q[0])
    for channel in range(v.size):
        first = channel * n
        output = q[1 + n * n + 2 * n] * y[channel]
        for i in range(n):
            output = output + q[1 + n * n + n + i] * z[first + i]
        v[channel] = output
        # the next state is stored after the states of all channels, then copied
        spare = v.size * n
        for i in range(n):
            after = q[1 + n * n + i] * y[channel]
            for j in range(n):
                after = after + q[1 + i * n + j] * z[first + j]
            z[spare + i] = after
        for i in range(n):
            z[first + i] = z[spare + i]


@check_arguments
def state_space(
    A: Annotated[ArrayLike, of_argument(shape=MATRIX, doc="n rows of n numbers")],
    B: Annotated[ArrayLike, of_argument(shape=ROW, doc="n numbers")],
    *,
    C: Annotated[ArrayLike, of_argument(shape=ROW, doc="n numbers")],
    D: Annotated[float, of_argument(shape=NUMBER, doc="direct feedthrough")] = 0.0,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "state-space",
    unit: str = "",
) -> Block:
    """Return a block that applies a discrete system to each channel, z[k+1] = A z + B y and v = C z + D y.

    Parameters
    ----------
    A, B, C, D : array_like
        Matrices (n, n), (n,), (n,) and a scalar D of a single-input, single-output system.
    reads : str or sequence of str
        Names of the input signals.
    sample : float
        Sampling period, s.
    writes : str, optional
        Name of the output signal; by default the name of the input.
    width : int, optional
        Number of components of the input; needed only for user-defined signals.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its output takes effect, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output signal.

    Returns
    -------
    Block
        The block, with its linear form; its initial state is zero.

    Raises
    ------
    InputError
        When shapes do not match.
    """
    names, written, size = read_write(reads, writes, width, unit=unit, smooths=True)
    a, b, c = np.asarray(A), np.asarray(B), np.asarray(C)
    n = len(a)
    if (b.size, c.size) != (n, n):
        raise InputError(f"B and C must have {n} numbers each, one per row of A; got {b.size} and {c.size}")
    eye = np.eye(size)
    return Block(
        state_space_block,
        reads=names,
        writes=written,
        clock=Clock(sample, offset=offset, delay=delay),
        parameters=np.concatenate(([n], a.ravel(), b, c, [D])),
        memory=np.zeros(n * size + n),
        linear=BlockForm(A=np.kron(eye, a), B=np.kron(eye, b[:, None]), C=np.kron(eye, c[None]), D=D * eye),
        name=name,
    )


@check_arguments
def transfer_function(
    numerator: Annotated[ArrayLike, of_argument(shape=ROW, doc="coefficients in s, highest power first")],
    denominator: Annotated[ArrayLike, of_argument(shape=ROW, doc="coefficients in s, highest power first")],
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
    """Return a block that applies a continuous transfer function to each channel, by zero-order hold.

    Parameters
    ----------
    numerator, denominator : array_like
        Coefficients of the polynomials in s, highest power first; the transfer function must be proper.
    reads : str or sequence of str
        Names of the input signals.
    sample : float
        Sampling period, s. The output is exact at the samples if the input changes only at samples.
    writes : str, optional
        Name of the output signal; by default the name of the input.
    width : int, optional
        Number of components of the input; needed only for user-defined signals.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its output takes effect, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output signal.

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
    top, bottom = (np.trim_zeros(np.asarray(each), "f") for each in (numerator, denominator))
    if not bottom.size or top.size > bottom.size:
        raise InputError(
            f"a transfer function must be proper: the numerator has degree {top.size - 1}, but the "
            f"denominator only {bottom.size - 1}"
        )
    n = bottom.size - 1
    ahead = np.concatenate((np.zeros(n + 1 - top.size), top)) / bottom[0]
    below = bottom / bottom[0]
    # controllable canonical form
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


@check_arguments
def low_pass(
    *,
    frequency: Annotated[float, of_argument("rad/s", shape=NUMBER, positive=True, doc="corner frequency")],
    reads: str | Sequence[str],
    sample: float,
    order: Annotated[
        int, of_argument(shape=COUNT, at_most=2, hint="a transfer function has any order", doc="order, 1 or 2")
    ] = 1,
    damping_ratio: Annotated[
        float | None,
        of_argument(
            shape=OPTIONAL_NUMBER, positive=True, optional=True, doc="damping ratio for order 2; by default 0.707"
        ),
    ] = None,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "low-pass",
    unit: str = "",
) -> Block:
    """Return a block that applies a low-pass filter of unity gain, of first or second order.

    Parameters
    ----------
    frequency : float
        Corner frequency, rad/s. For order 1, this is the inverse of the time constant.
    reads : str or sequence of str
        Names of the input signals.
    sample : float
        Sampling period, s.
    order : int
        1 or 2.
    damping_ratio : float, optional
        Damping ratio for order 2; by default 1/sqrt(2).
    writes : str, optional
        Name of the output signal; by default the name of the input.
    width : int, optional
        Number of components of the input; needed only for user-defined signals.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its output takes effect, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output signal.

    Returns
    -------
    Block
        The block, with its linear form; its initial state is zero.

    Raises
    ------
    InputError
        When a value is not positive, the order is neither 1 nor 2, or a damping ratio is given for order 1.
    """
    if order == 1 and damping_ratio is not None:
        raise InputError(f"damping ratio {damping_ratio:g} is for order 2; remove it, or give order 2")
    damping = 0.5**0.5 if damping_ratio is None else damping_ratio
    return transfer_function(
        [frequency**order],
        [1.0, frequency] if order == 1 else [1.0, 2.0 * damping * frequency, frequency**2],
        reads=reads,
        writes=writes,
        width=width,
        sample=sample,
        offset=offset,
        delay=delay,
        name=name,
        unit=unit,
    )


@check_arguments
def lag(
    *,
    time_constant: Annotated[
        float,
        of_argument("s", shape=NUMBER, positive=True, doc="time constant; a step response reaches 63 % after it"),
    ],
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "lag",
    unit: str = "",
) -> Block:
    """Return a block that applies a first-order lag of unity gain, such as an actuator or sensor lag.

    Parameters
    ----------
    time_constant : float
        Time after which a step response reaches 63 %, s.
    reads : str or sequence of str
        Names of the input signals.
    sample : float
        Sampling period, s.
    writes : str, optional
        Name of the output signal; by default the name of the input.
    width : int, optional
        Number of components of the input; needed only for user-defined signals.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its output takes effect, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output signal.

    Returns
    -------
    Block
        The block, with its linear form; its initial state is zero.

    Raises
    ------
    InputError
        When the time constant is not positive.

    Examples
    --------
    >>> block = lag(time_constant=0.2, reads="command", sample=0.1)
    >>> round(float(block.linear.A[0, 0]), 12) == round(float(np.exp(-0.5)), 12)
    True
    """
    return low_pass(
        frequency=1.0 / time_constant,
        reads=reads,
        writes=writes,
        width=width,
        sample=sample,
        offset=offset,
        delay=delay,
        name=name,
        unit=unit,
    )
