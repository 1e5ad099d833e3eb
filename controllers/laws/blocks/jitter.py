# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Sampling jitter: a block measures its input at a random time before each sample."""

import re
from collections.abc import Mapping
from copy import copy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import non_negative, of_kind
from ....plant.errors import InputError
from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ...contracts.block import Block
from ...contracts.block_draws import DRAW, draw_uniforms
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...sensing.sensors.sensor_kernels import rotated, turned_between

Array = NDArray[np.float64]

NUMBERS = fields(draw=DRAW.size, least=1, most=1, attitude=1)
"""Parameters: smallest and largest lead before the sample, in periods; index of the attitude in y, or -1."""

SHOWN = {"momentum": 3, "attitude": 4, "rate": 3}


@kernel
def jitter_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write y at a random time between the last sample and t into v; z: sample count, then the last y."""
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


def jitter(block: Block, width: float, *, widths: Mapping[str, int] | None = None) -> tuple[Block, Block]:
    """Return a block with sampling jitter, as two blocks: the jitter, and the block that reads its output.

    At each sample the block reads the signals at a time that precedes the sample by a random lead, uniform between 0
    and `width` and independent for each (seed, run, block, sample). This models the timing of a converter or a bus. The
    mean delay is width/2, and its standard deviation width/sqrt(12).

    The value at that time is interpolated between this sample and the last: along the rotation between the two
    attitudes for an attitude, linearly for other signals. The interpolation error of a signal y at a lead u is at most
    u (T - u) |y''|/2, with T the period, and thus of second order in T.

    Parameters
    ----------
    block : Block
        A block that reads outputs of the plant, such as a sensor or a filter. It may also have a delay.
    width : float
        Largest lead, s, up to the period.
    widths : mapping of str to int, optional
        Widths of input signals other than momentum, attitude and rate, such as coordinates of elements.

    Returns
    -------
    tuple of Block
        The two blocks, in the order required in the list of blocks.

    Raises
    ------
    InputError
        When the width is out of range, or the block reads a signal held between samples, such as a command.

    Examples
    --------
    >>> echo = Block(lambda t, y: y, reads="rate", writes={"gyro": 3}, clock=Clock(0.1), compiled=False)
    >>> [each.widths for each in jitter(echo, 0.01)]
    [{'rate_at_lambda': 3}, {'gyro': 3}]
    """
    of_kind("block", block, Block, such_as="blocks.low_pass(...)")
    long = non_negative("width", width, "s")
    if long > block.clock.period:
        raise InputError(
            f"width of the jitter of {block.name!r} is {long:g} s, beyond its period of {block.clock.period:g} s"
        )
    known = {**SHOWN, **(widths or {})}
    held = next((name for name in block.reads if name not in known), None)
    if held is not None:
        raise InputError(
            f"the block {block.name!r} reads {held!r}, which is held between samples or unknown: it does not "
            "depend on the sampling instant; apply jitter to outputs of the plant, and give "
            "widths={...} for coordinates of elements"
        )
    called = "_".join(re.findall(r"\w+", block.name))
    names = {name: f"{name}_at_{called}" for name in block.reads}
    size = sum(known[name] for name in block.reads)
    place = -1
    if "attitude" in block.reads:
        place = sum(known[name] for name in block.reads[: block.reads.index("attitude")])
    share, one = 0.5 * long / block.clock.period, np.eye(size)
    taking = Block(
        jitter_block,
        reads=block.reads,
        writes={names[name]: known[name] for name in block.reads},
        clock=Clock(block.clock.period, offset=block.clock.offset),
        parameters=(0.0, long / block.clock.period, place),
        memory=np.zeros(1 + size),
        name=f"jitter of {block.name}",
        random=True,
        linear=BlockForm(
            A=np.zeros((size, size)), B=one, C=share * one, D=(1.0 - share) * one, noise=(),
            words=f"its jitter is treated as the mean delay of {0.5 * long:g} s",
        ),
        noise_free=partial(_at_rest, (share, share, place)),
    )  # fmt: skip
    found = copy(block)
    object.__setattr__(found, "reads", tuple(names[name] for name in block.reads))
    return taking, found


def _at_rest(numbers: tuple[float, ...], y0: Array) -> tuple[tuple[float, ...], Array]:
    """Return parameters and memory that remove the jitter, for a constant input."""
    return numbers, np.concatenate(((1.0,), y0))
