# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Blocks that lose samples and hold the last value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from ....plant.checks import positive
from ....plant.errors import InputError
from ....plant.kernels.kernel import kernel
from ....plant.quantity import OPTIONAL_NUMBER, OPTIONAL_SEVERAL, check_arguments, of_argument
from ...contracts.block import Block
from ...contracts.block_draws import DRAW, draw_uniforms
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from .signals import read_write

HALF = 0.5  # periods: a sample closer than this to a listed time is lost


@kernel
def random_dropout_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Hold the last value at random; q: random words, then the probability; z: sample count, then last values."""
    lost = z[0] > 0.0 and draw_uniforms(q, z[0], 0)[0] < q[DRAW.size]
    for n in range(v.size):
        if not lost:
            z[1 + n] = y[n]
        v[n] = z[1 + n]
    z[0] += 1.0


@kernel
def timed_dropout_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Hold the last value at samples within q[0] of a time in q[1:]; z: sample count, then last values."""
    lost = False
    for k in range(1, q.size):
        lost = lost or abs(t - q[k]) < q[0]
    lost = lost and z[0] > 0.0
    for n in range(v.size):
        if not lost:
            z[1 + n] = y[n]
        v[n] = z[1 + n]
    z[0] += 1.0


@check_arguments
def dropout(
    *,
    reads: str | Sequence[str],
    sample: float,
    probability: Annotated[
        float | None,
        of_argument(
            shape=OPTIONAL_NUMBER, non_negative=True, below=1.0, optional=True, doc="probability that a sample is lost"
        ),
    ] = None,
    times: Annotated[
        ArrayLike | None,
        of_argument("s", shape=OPTIONAL_SEVERAL, optional=True, doc="times of the lost samples; within half a period"),
    ] = None,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "dropout",
    unit: str = "",
) -> Block:
    """Return a block that loses samples and then holds the last value; the first sample is never lost.

    Parameters
    ----------
    reads : str or sequence of str
        Names of the input signals.
    sample : float
        Sampling period, s.
    probability : float, optional
        Probability, below 1, that a sample is lost, independently of other samples. Random numbers depend on the seed
        of the run. Give either `probability` or `times`.
    times : array_like, optional
        Times of the lost samples, s. Samples within half a period of a listed time are lost.
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
        The block. Margins treat it as unity gain, because samples are lost only in simulation.

    Raises
    ------
    InputError
        When neither `probability` nor `times` is given, both are given, or the probability is out of range.
    """
    names, written, size = read_write(reads, writes, width, unit=unit)
    if (probability is None) == (times is None):
        raise InputError("a dropout needs either probability or times; give exactly one of them")
    form = BlockForm(D=np.eye(size), words="lost samples are not in the margins", noise=())
    memory = np.zeros(1 + size)
    period = positive("sample", sample, "s")
    if times is None:
        return Block(
            random_dropout_block,
            reads=names,
            writes=written,
            clock=Clock(period, offset=offset, delay=delay),
            parameters=(0.0 if probability is None else probability,),
            memory=memory,
            random=True,
            linear=form,
            name=name,
        )
    return Block(
        timed_dropout_block,
        reads=names,
        writes=written,
        clock=Clock(period, offset=offset, delay=delay),
        parameters=np.concatenate(([HALF * period], np.asarray(times))),
        memory=memory,
        linear=form,
        name=name,
    )
