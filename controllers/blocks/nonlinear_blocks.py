# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Delay, quantisation and rate limit; margins count the last two as a gain of 1, and report it."""

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
    """The nearest whole number of steps; q holds the step of each component."""
    for n in range(v.size):
        v[n] = q[n] * math.floor(y[n] / q[n] + 0.5)


@kernel
def rate_limit_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Move towards the input by at most q[n] per sample; z stores the output."""
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
    """Return a block that delays a signal, and holds it between samples.

    Parameters
    ----------
    reads : str or sequence of str
        Signals.
    sample : float
        Period, s.
    delay : float
        Delay, s; any value.
    writes : str, optional
        Name of the output signal; by default that of the input.
    width : int, optional
        Number of components read; needed for user-defined signals only.
    offset : float
        Time of the first sample, s.
    name : str
        Name of the block.
    units : str
        Unit of the output.

    Returns
    -------
    Block
        The block; its linear form is exact.
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
        Step of each component, in its unit; one number applies to all.
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
    units : str
        Unit of the output.

    Returns
    -------
    Block
        The block; margins count it as a gain of 1. Other effects of rounding, such as limit cycles, appear in runs.

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
    """Return a block that limits the rate of change of a signal; its output starts at zero.

    Parameters
    ----------
    rate : float or array_like
        Largest rate of change of each component, its unit/s; one number applies to all.
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
    units : str
        Unit of the output.

    Returns
    -------
    Block
        The block; margins count it as a gain of 1, which is exact below the limit.

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
