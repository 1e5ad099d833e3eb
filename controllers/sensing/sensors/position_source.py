# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Receiver of position and time, with position noise and a clock error."""

from typing import Any

import numpy as np

from ....plant.brief import brief
from ....plant.errors import InputError
from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ....plant.quantity import NAMES, NUMBER, declared, quantity
from ...contracts.block_draws import draw_normals
from ...contracts.block_form import BlockForm
from ...laws.shaped_noise import ShapedNoise
from .sensor import MeasurementKernel, Sensor, head
from .sensor_kernels import SENSOR, tell

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


@declared
class PositionSource(Sensor):
    """A receiver of position and time: position (3) plus noise, and receiver time.

    Parameters
    ----------
    noise : float
        Noise of each component of the position, m.
    clock : float
        Noise of the receiver time, s.
    position : str or sequence of str
        Position signals: three scalars, such as the coordinates of a spacecraft with translation, or one signal of
        width 3.
    loss : float
        Probability that a sample is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without samples, s.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When a noise is negative, or the signals do not have three components in total.

    Examples
    --------
    >>> PositionSource(noise=10.0).block(sample=1.0).widths
    {'position': 6}
    """

    noise: float = quantity("m", converter=NUMBER, non_negative=True, doc="noise of each component of the position")
    clock: float = quantity("s", converter=NUMBER, non_negative=True, default=0.0, doc="noise of the receiver time")
    position: tuple[str, ...] = quantity(
        converter=NAMES, default=("position_x", "position_y", "position_z"), doc="signals of the position, three or one"
    )
    name: str = "position"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        if len(self.position) not in {1, 3}:
            raise InputError(
                f"position of {self.name} must be one signal of width 3, or three scalars; got {self.position!r}"
            )

    def reading(self) -> MeasurementKernel:
        """Return the kernel and parameters of this sensor, for replay.

        Returns
        -------
        MeasurementKernel
            Kernel, signals, parameters and memory.
        """
        return MeasurementKernel(
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
