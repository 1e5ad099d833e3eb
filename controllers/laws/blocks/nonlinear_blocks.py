# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Delay, quantisation and rate limit.

Margins treat quantisation and rate limit as unity gain, and report this.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from ....plant.checks import positive
from ....plant.kernels.kernel import kernel
from ....plant.quantity import ONE_OR_SEVERAL, check_arguments, of_argument
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.copy_block import copy_block
from ..shaped_noise import rounding
from .signals import per_component, read_write


@kernel
def quantise_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Round each component to a whole number of steps; q: step of each component."""
    for n in range(v.size):
        v[n] = q[n] * math.floor(y[n] / q[n] + 0.5)


@kernel
def rate_limit_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Move the output towards the input by at most q[n] per sample; z: last output."""
    for n in range(v.size):
        z[n] = z[n] + min(max(y[n] - z[n], -q[n]), q[n])
        v[n] = z[n]


def delay(
    *,
    reads: str | Sequence[str],
    sample: float,
    delay: float = 0.0,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    name: str = "delay",
    unit: str = "",
) -> Block:
    """Return a block that delays a signal and holds it between samples.

    Parameters
    ----------
    reads : str or sequence of str
        Names of the input signals.
    sample : float
        Sampling period, s.
    delay : float
        Delay, s; any value.
    writes : str, optional
        Name of the output signal; by default the name of the input.
    width : int, optional
        Number of components of the input; needed only for user-defined signals.
    offset : float
        Time of the first sample, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output signal.

    Returns
    -------
    Block
        The block; its linear form is exact.
    """
    names, written, size = read_write(reads, writes, width, unit=unit)
    return Block(
        copy_block,
        reads=names,
        writes=written,
        clock=Clock(sample, offset=offset, delay=delay),
        linear=BlockForm(D=np.eye(size)),
        name=name,
    )


@check_arguments
def quantizer(
    step: Annotated[
        ArrayLike, of_argument(shape=ONE_OR_SEVERAL, positive=True, doc="step, in the unit of the signal: rad/s, N m")
    ],
    *,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "quantisation",
    unit: str = "",
) -> Block:
    """Return a block that rounds each component to a multiple of its step.

    Parameters
    ----------
    step : float or array_like
        Step of each component, in the unit of the signal; a scalar applies to all components.
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
        The block; margins treat it as unity gain. Other effects of rounding, such as limit cycles, are visible only in
        runs.

    Raises
    ------
    InputError
        When a step is not positive.
    """
    names, written, size = read_write(reads, writes, width, unit=unit)
    steps = per_component("step", step, size)
    return Block(
        quantise_block, reads=names, writes=written, clock=Clock(sample, offset=offset, delay=delay), parameters=steps,
        linear=BlockForm(
            D=np.eye(size), words="rounding is treated as unity gain", noise=[rounding("rounding", steps, size=size)]
        ), name=name,
    )  # fmt: skip


@check_arguments
def rate_limiter(
    rate: Annotated[
        ArrayLike,
        of_argument(
            shape=ONE_OR_SEVERAL,
            positive=True,
            case="=rate_per_s",
            doc="largest change in a second, in the unit of the signal",
        ),
    ],
    *,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "rate-limit",
    unit: str = "",
) -> Block:
    """Return a block that limits the rate of change of a signal; the output starts at zero.

    Parameters
    ----------
    rate : float or array_like
        Largest rate of change of each component, in the unit of the signal per second; a scalar applies to all
        components.
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
        The block; margins treat it as unity gain, which is exact below the limit.

    Raises
    ------
    InputError
        When a rate is not positive.
    """
    names, written, size = read_write(reads, writes, width, unit=unit, smooths=True)
    rates = per_component("rate", rate, size)
    return Block(
        rate_limit_block,
        reads=names,
        writes=written,
        clock=Clock(sample, offset=offset, delay=delay),
        memory=np.zeros(size),
        parameters=rates * positive("sample", sample, "s"),
        linear=BlockForm(D=np.eye(size), words="its limit is not met"),
        name=name,
    )
