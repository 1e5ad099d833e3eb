# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Blocks that hold, round and limit what they read; all count as a gain of 1 in the margins, and say so."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...plant.checks import positive
from ...plant.kernels.kernel import kernel
from ..laws.block import Block
from ..laws.block_form import BlockForm
from ..laws.shaped_noise import rounding
from .signals import read_write

__all__ = ["copy_block", "delayed", "quantised", "rate_limited"]


@kernel
def copy_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """v = y."""
    for n in range(v.size):
        v[n] = y[n]


@kernel
def quantise_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """The nearest whole number of steps; q holds the step of each."""
    for n in range(v.size):
        v[n] = q[n] * math.floor(y[n] / q[n] + 0.5)


@kernel
def rate_limit_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Nearer to what it reads by at most q[n] a sample; z holds where it is."""
    for n in range(v.size):
        z[n] = z[n] + min(max(y[n] - z[n], -q[n]), q[n])
        v[n] = z[n]


def delayed(
    *,
    reads: str | Sequence[str],
    sample: float,
    delay: float = 0.0,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    name: str = "delay",
    units: str = "",
) -> Block:
    """Return a block that hands on what it read, some time later, and holds it until its next answer.

    Parameters
    ----------
    reads : str or sequence of str
        Signals.
    sample : float
        Period, s.
    delay : float
        s; any.
    writes : str, optional
        The signal written; the one read if left out.
    width : int, optional
        How many numbers are read; known of the signals that are always there.
    offset : float
        Time of its first sample, s.
    name : str
        What it is called.
    units : str
        Of what it writes.

    Returns
    -------
    Block
        Its linear form is exact.
    """
    names, written, size = read_write(reads, writes, width)
    return Block(
        copy_block, reads=names, writes=written, sample=sample, delay=delay, linear=BlockForm(D=np.eye(size)),
        offset=offset, name=name, units=units,
    )  # fmt: skip


def quantised(
    step: ArrayLike,
    *,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "quantisation",
    units: str = "",
) -> Block:
    """Return a block that rounds to whole steps.

    Parameters
    ----------
    step : float or array_like
        Of each number, in its unit; or one for all.
    reads : str or sequence of str
        Signals.
    sample : float
        Period, s.
    writes : str, optional
        The signal written; the one read if left out.
    width : int, optional
        How many numbers are read; known of the signals that are always there.
    offset : float
        Time of its first sample, s.
    delay : float
        From a sample to its answer, s.
    name : str
        What it is called.
    units : str
        Of what it writes.

    Returns
    -------
    Block
        In margins a gain of 1: what rounding does beyond that, such as limit cycles of a step, shows in runs.

    Raises
    ------
    InputError
        When a step is not positive.
    """
    names, written, size = read_write(reads, writes, width)
    steps = [positive("step", each) for each in np.broadcast_to(np.asarray(step, dtype=np.float64), (size,))]
    return Block(
        quantise_block, reads=names, writes=written, sample=sample, parameters=steps,
        linear=BlockForm(
            D=np.eye(size), words="rounding counts with gain 1", noise=[rounding("rounding", steps, size=size)]
        ),
        offset=offset, delay=delay, name=name, units=units,
    )  # fmt: skip


def rate_limited(
    rate: ArrayLike,
    *,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "rate-limit",
    units: str = "",
) -> Block:
    """Return a block that follows what it reads no faster than a rate; it starts at zero.

    Parameters
    ----------
    rate : float or array_like
        Largest change of each number, its unit/s; or one for all.
    reads : str or sequence of str
        Signals.
    sample : float
        Period, s.
    writes : str, optional
        The signal written; the one read if left out.
    width : int, optional
        How many numbers are read; known of the signals that are always there.
    offset : float
        Time of its first sample, s.
    delay : float
        From a sample to its answer, s.
    name : str
        What it is called.
    units : str
        Of what it writes.

    Returns
    -------
    Block
        In margins a gain of 1, as it is where its limit is not met.

    Raises
    ------
    InputError
        When a rate is not positive.
    """
    names, written, size = read_write(reads, writes, width, smooths=True)
    rates = np.array([positive("rate", each) for each in np.broadcast_to(np.asarray(rate, dtype=np.float64), (size,))])
    return Block(
        rate_limit_block, reads=names, writes=written, sample=sample, memory=np.zeros(size),
        parameters=rates * positive("sample", sample, "s"),
        linear=BlockForm(D=np.eye(size), words="its limit is not met"),
        offset=offset, delay=delay, name=name, units=units,
    )  # fmt: skip
