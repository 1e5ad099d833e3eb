# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Wheel tachometers that count whole steps of angle, with a coarse resolution at low rates."""

import math

from ....plant.brief import brief
from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ....plant.quantity import COUNT, NAMES, declared, quantity
from .sensor import MeasurementKernel, Sensor, head
from .sensor_kernels import SENSOR, tell

NUMBERS = fields(head=SENSOR.size, counts=1, wheels=1)


@kernel
def tachometer_kernel(t, y, q, z, v):
    """y = wheel angles -> v = mean relative rates since the last sample, validity flag, time.

    z: sample count, last values, time, counts.
    """
    m = int(q[NUMBERS.wheels])
    first = z[0] == 0.0
    T = t - z[1 + m]
    for n in range(m):
        count = math.floor(y[n] * q[NUMBERS.counts] / (2.0 * math.pi))
        v[n] = 0.0 if first else (count - z[2 + m + n]) * 2.0 * math.pi / (q[NUMBERS.counts] * T)
        z[2 + m + n] = count
    z[1 + m] = t
    tell(t, q, z, v, m, not first)


@declared
class Tachometer(Sensor):
    """Wheel tachometers: whole counts in each sampling interval.

    The measured rates are ``2 pi/(N T)`` times the counts in each interval T; no count is lost between intervals. The
    first sample is invalid, because no interval precedes it.

    Parameters
    ----------
    wheels : str or sequence of str
        Signals of the wheel angles relative to the spacecraft, such as "wheel_angle" (`craft.layout.coordinates`).
    counts_per_revolution : int
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
        When there is no wheel, or `counts_per_revolution` is not positive.

    Examples
    --------
    >>> Tachometer(wheels="wheel_angle", counts_per_revolution=12).block(sample=0.1).widths
    {'tachometer': 3}
    """

    wheels: tuple[str, ...] = quantity(
        converter=NAMES, doc="angles of the wheels by name, as `polhode linearize` lists them: wheel_angle"
    )
    counts_per_revolution: int = quantity(converter=COUNT, doc="marks that pass in a turn")
    name: str = "tachometer"

    __repr__ = brief

    def reading(self) -> MeasurementKernel:
        """Return the kernel and parameters of this sensor, for replay.

        Returns
        -------
        MeasurementKernel
            Kernel, signals, parameters and memory.
        """
        m = len(self.wheels)
        found = filled(NUMBERS, head=head(self), counts=self.counts_per_revolution, wheels=m)
        return MeasurementKernel(
            kernel=tachometer_kernel, reads=dict.fromkeys(self.wheels, 1), numbers=found, memory=[0.0] * (2 + 2 * m),
            width=m, unit="rad/s",
        )  # fmt: skip
