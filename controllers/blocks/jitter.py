# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Jitter of the sampling instant: what a block measures is of some time before its sample, another one each time."""

import re
from collections.abc import Mapping
from copy import copy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import non_negative, of_kind
from ...plant.errors import InputError
from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from ..laws.block import Block
from ..laws.block_draws import DRAW, draw_uniforms
from ..laws.block_form import BlockForm
from ..sensors.sensor_kernels import rotated, turned_between

__all__ = ["jittered"]

Array = NDArray[np.float64]

NUMBERS = fields(draw=DRAW.size, least=1, most=1, attitude=1)
"""Least and most of the time before the sample, as shares of the period; where the attitude begins, -1: nowhere."""

SHOWN = {"momentum": 3, "attitude": 4, "rate": 3}


@kernel
def jitter_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """v = y at a time before t, between its last sample and this; z = count, what was read last."""
    share = q[NUMBERS.least] + (q[NUMBERS.most] - q[NUMBERS.least]) * draw_uniforms(q, z[0], 0)[0]
    if z[0] == 0.0:
        share = 0.0
    first = int(q[NUMBERS.attitude])
    for n in range(v.size):
        v[n] = y[n] - share * (y[n] - z[1 + n])
    if first >= 0 and z[0] > 0.0:
        k = 1 + first
        a0, a1, a2 = turned_between(
            z[k], z[k + 1], z[k + 2], z[k + 3], y[first], y[first + 1], y[first + 2], y[first + 3]
        )
        v[first], v[first + 1], v[first + 2], v[first + 3] = rotated(
            y[first], y[first + 1], y[first + 2], y[first + 3], -share * a0, -share * a1, -share * a2
        )
    for n in range(v.size):
        z[1 + n] = y[n]
    z[0] += 1.0


def jittered(block: Block, width: float, *, widths: Mapping[str, int] | None = None) -> tuple[Block, Block]:
    """Return a block that measures at an uncertain instant, as two: what it measures, and itself on that.

    At each sample it is shown what the plant showed a time before that is drawn evenly from 0 to `width`, another for
    each (seed, run, block, sample), and hands on at the sample: the time of a conversion, of a bus. The mean delay is
    width/2, the scatter width/sqrt(12).

    The value of then is taken between those of this sample and the one before: along the turn between the two
    attitudes, and along the chord of all else. A signal y is off by at most u (T - u) |y''|/2 for a time u before, T
    the period: of second order.

    Parameters
    ----------
    block : Block
        One that reads what the plant shows: a sensor, a filter. It may have a delay of its own beside.
    width : float
        s, up to its period.
    widths : mapping of str to int, optional
        How many numbers the signals have that it reads beside momentum, attitude and rate: coordinates of elements.

    Returns
    -------
    tuple of Block
        In this order in the list of blocks.

    Raises
    ------
    InputError
        When the time is out of range, or it reads what is held between samples, such as a command.

    Examples
    --------
    >>> echo = Block(lambda t, y: y, reads="rate", writes={"gyro": 3}, sample=0.1, compiled=False)
    >>> [dict(each.writes) for each in jittered(echo, 0.01)]
    [{'rate_at_lambda': 3}, {'gyro': 3}]
    """
    of_kind("block", block, Block, such_as="blocks.low_pass(...)")
    long = non_negative("width", width, "s")
    if long > block.sample:
        raise InputError(
            f"width of the jitter of {block.name!r} is {long:g} s, beyond its period of {block.sample:g} s"
        )
    known = {**SHOWN, **(widths or {})}
    held = next((name for name in block.reads if name not in known), None)
    if held is not None:
        raise InputError(
            f"the block {block.name!r} reads {held!r}, which is held between samples or not known here: it does not "
            "depend on the instant within one; jitter belongs to what the plant shows, and coordinates of elements "
            "want widths={...}"
        )
    called = "_".join(re.findall(r"\w+", block.name))
    names = {name: f"{name}_at_{called}" for name in block.reads}
    size = sum(known[name] for name in block.reads)
    place = -1
    if "attitude" in block.reads:
        place = sum(known[name] for name in block.reads[: block.reads.index("attitude")])
    share, one = 0.5 * long / block.sample, np.eye(size)
    taking = Block(
        jitter_block,
        reads=block.reads,
        writes={names[name]: known[name] for name in block.reads},
        sample=block.sample,
        offset=block.offset,
        parameters=(0.0, long / block.sample, place),
        memory=np.zeros(1 + size),
        name=f"jitter of {block.name}",
        random=True,
        linear=BlockForm(
            A=np.zeros((size, size)), B=one, C=share * one, D=(1.0 - share) * one, noise=(),
            words=f"its jitter counts as its mean delay of {0.5 * long:g} s",
        ),
        steady=partial(_at_rest, (share, share, place)),
    )  # fmt: skip
    found = copy(block)
    object.__setattr__(found, "reads", tuple(names[name] for name in block.reads))
    return taking, found


def _at_rest(numbers: tuple[float, ...], y0: Array) -> tuple[tuple[float, ...], Array]:
    """Its numbers and memory without jitter, where it holds what it reads."""
    return numbers, np.concatenate(((1.0,), y0))
