# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""White noise on a signal, to model sensor noise, actuator noise or a random torque."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.kernels.kernel import kernel
from ....plant.quantity import ONE_OR_SEVERAL, check_arguments, of_argument
from ...contracts.block import Block
from ...contracts.block_draws import DRAW, draw_normals
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ..shaped_noise import ShapedNoise
from .signals import per_component, read_write

Array = NDArray[np.float64]


@kernel
def noise_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write y + sigma n into v, with n standard normal; q: random words, then sigma; z: sample count."""
    for n in range(v.size):
        v[n] = y[n] + q[DRAW.size + n] * draw_normals(q, z[0], n)[0]
    z[0] += 1.0


@check_arguments
def noise(
    sigma: Annotated[
        ArrayLike,
        of_argument(shape=ONE_OR_SEVERAL, non_negative=True, doc="standard deviation, in the unit of the signal"),
    ],
    *,
    reads: str | Sequence[str],
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "noise",
    unit: str = "",
) -> Block:
    """Return a block that adds white Gaussian noise at each sample and holds its output between samples.

    On "command" the noise is a random torque: a density q in N m/sqrt(Hz) corresponds to sigma = q/sqrt(sample).

    Parameters
    ----------
    sigma : float or array_like
        Standard deviation of each component, in the unit of the signal; a scalar applies to all components.
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
        Name of the block; different names give different random numbers.
    unit : str
        Unit of the output signal.

    Returns
    -------
    Block
        The block; margins treat it as unity gain, and pointing budgets include its noise.

    Raises
    ------
    InputError
        When a standard deviation is negative, or the signal is an attitude.

    Examples
    --------
    >>> noise(1e-3, reads="command", sample=0.1).widths
    {'command': 3}
    """
    names, written, size = read_write(reads, writes, width, unit=unit, smooths=True)
    each = per_component("sigma", sigma, size)
    return Block(
        noise_block,
        reads=names,
        writes=written,
        clock=Clock(sample, offset=offset, delay=delay),
        parameters=each,
        memory=np.zeros(1),
        random=True,
        linear=BlockForm(D=np.eye(size), noise=[ShapedNoise(source="noise", D=np.diag(each))]),
        noise_free=partial(_at_rest, size),
        name=name,
    )


def _at_rest(size: int, _: Array) -> tuple[Array, Array]:
    """Return parameters and memory that remove the noise."""
    return np.zeros(size), np.zeros(1)
