# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Receiver of position and time, with position noise and a clock error."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...plant.brief import brief
from ...plant.checks import non_negative
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import fields, filled
from ...plant.kernels.kernel import kernel
from ..laws.block import Block
from ..laws.block_draws import draw_normals
from ..laws.block_form import BlockForm
from ..laws.shaped_noise import ShapedNoise
from .sensor import Reading, check_losses, head, message_block
from .sensor_kernels import SENSOR, tell

__all__ = ["PositionSource"]

NUMBERS = fields(head=SENSOR.size, noise=1, clock=1)
MEMORY = fields(count=1, last=4)


@kernel
def position_source_kernel(t, y, q, z, v):
    """y = position -> v = position with noise, receiver time, validity flag, time."""
    n0, n1 = draw_normals(q, z[0], 0)
    n2, clock = draw_normals(q, z[0], 1)
    v[0], v[1], v[2] = y[0] + q[NUMBERS.noise] * n0, y[1] + q[NUMBERS.noise] * n1, y[2] + q[NUMBERS.noise] * n2
    v[3] = t + q[NUMBERS.clock] * clock
    tell(t, q, z, v, 4, True)


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class PositionSource:
    """A receiver of position and time: position (3) plus noise, and receiver time.

    Parameters
    ----------
    noise : float
        Noise of each component of the position, m.
    clock : float
        Noise of the receiver time, s.
    position : str or sequence of str
        Signals of the position: three scalars, such as those of a craft with translation, or one of three numbers.
    loss : float
        Probability that a sample is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without samples, s.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When a noise is negative, or the signals do not have three numbers.

    Examples
    --------
    >>> dict(PositionSource(noise=10.0).block(sample=1.0).writes)
    {'position': 6}
    """

    noise: float
    clock: float = 0.0
    position: Any = ("position_x", "position_y", "position_z")
    loss: float = 0.0
    outages: Any = ()
    name: str = "position"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_losses(self)
        object.__setattr__(self, "noise", non_negative(f"noise of {self.name}", self.noise, "m"))
        object.__setattr__(self, "clock", non_negative(f"clock of {self.name}", self.clock, "s"))
        names = (self.position,) if isinstance(self.position, str) else tuple(self.position)
        if len(names) not in {1, 3} or not all(isinstance(name, str) for name in names):
            raise InputError(
                f"position of {self.name} must be one signal of three numbers, or three; got {self.position!r}"
            )
        object.__setattr__(self, "position", names)

    def block(self, *, sample: float, offset: float = 0.0, delay: float = 0.0) -> Block:
        """Return the sensor as a block.

        Parameters
        ----------
        sample : float
            Time between samples, s.
        offset : float
            Time of the first sample, s.
        delay : float
            Time from a sample until its output takes effect, s.

        Returns
        -------
        Block
            It writes a signal of its name: position (3, m), receiver time (s), the validity flag (1, or 0 where the
            last value is held), the time of the sample (s).

        Raises
        ------
        InputError
            When a time is out of range.
        """
        return message_block(self, self.reading(), sample=sample, offset=offset, delay=delay)

    def reading(self) -> Reading:
        """Return the kernel and parameters of this sensor, for replay.

        Returns
        -------
        Reading
            Kernel, signals, parameters and memory.
        """
        return Reading(
            kernel=position_source_kernel, reads=dict.fromkeys(self.position, 3 // len(self.position)),
            numbers=filled(NUMBERS, head=head(self), noise=self.noise, clock=self.clock), memory=[0.0] * MEMORY.size,
            width=4, form=_form, noise=self._noise,
            silent=(NUMBERS.noise, NUMBERS.clock),
        )  # fmt: skip

    def _noise(self, y0: Any, sample: float) -> list[ShapedNoise]:
        del y0, sample
        return [ShapedNoise(source="noise", D=np.diag((self.noise, self.noise, self.noise, self.clock)))]


def _form(y0: Any) -> BlockForm:
    return BlockForm(D=np.eye(4, 3), rests=np.append(y0, 0.0))
