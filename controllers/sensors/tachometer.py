# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Wheel tachometers that count whole steps of angle, so that the resolution of a slow rate is coarse."""

import math
from dataclasses import dataclass
from typing import Any

from ...plant.brief import brief
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import fields, filled
from ...plant.kernels.kernel import kernel
from ..laws.block import Block
from .sensor import Reading, check_losses, head, message_block
from .sensor_kernels import SENSOR, tell

__all__ = ["Tachometer"]

NUMBERS = fields(head=SENSOR.size, counts=1, wheels=1)


@kernel
def tachometer_kernel(t, y, q, z, v):
    """y = wheel angles -> v = mean relative rates since the last sample; z: sample count, last values, time, counts."""
    m = int(q[NUMBERS.wheels])
    first = z[0] == 0.0
    T = t - z[1 + m]
    for n in range(m):
        count = math.floor(y[n] * q[NUMBERS.counts] / (2.0 * math.pi))
        v[n] = 0.0 if first else (count - z[2 + m + n]) * 2.0 * math.pi / (q[NUMBERS.counts] * T)
        z[2 + m + n] = count
    z[1 + m] = t
    tell(t, q, z, v, m, not first)


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class Tachometer:
    """Tachometers of wheels: ``2 pi/(N T)`` times the counts in each interval T; no count is lost between intervals.

    The first sample has no interval, and is invalid.

    Parameters
    ----------
    wheels : str or sequence of str
        Signals of the wheels' angles relative to the craft, such as "wheel_angle" (`craft.layout.coordinates`).
    counts : int
        N, counts per revolution.
    loss : float
        Probability that a sample is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without samples, s.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When there is no wheel, or counts is not positive.

    Examples
    --------
    >>> dict(Tachometer(wheels="wheel_angle", counts=12).block(sample=0.1).writes)
    {'tachometer': 3}
    """

    wheels: Any
    counts: int
    loss: float = 0.0
    outages: Any = ()
    name: str = "tachometer"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_losses(self)
        names = (self.wheels,) if isinstance(self.wheels, str) else tuple(self.wheels)
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError(f"wheels of {self.name} must be names of signals; got {self.wheels!r}")
        object.__setattr__(self, "wheels", names)
        if isinstance(self.counts, bool) or not isinstance(self.counts, int) or self.counts < 1:
            raise InputError(
                f"counts of {self.name} must be a whole number per revolution, 1 or more; got {self.counts!r}"
            )

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
            It writes a signal of its name: relative rates of the wheels (rad/s), the validity flag (1, or 0 where the
            last values are held), the time of the sample (s).

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
        m = len(self.wheels)
        found = filled(NUMBERS, head=head(self), counts=self.counts, wheels=m)
        return Reading(
            kernel=tachometer_kernel, reads=dict.fromkeys(self.wheels, 1), numbers=found, memory=[0.0] * (2 + 2 * m),
            width=m, unit="rad/s",
        )  # fmt: skip
