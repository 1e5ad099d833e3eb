# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Fine Sun sensor, which measures the tangents of two angles."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.kernels.fields import fields, filled, matrix_times
from ....plant.kernels.kernel import kernel
from ....plant.quantity import NUMBER, QUATERNION, declared, quantity
from ...contracts.block_draws import draw_normals
from ...guidance.inertial_vector import DIRECTION, InertialVector, vector_row
from ...guidance.inertial_vector_kernel import VECTOR
from ...laws.shaped_noise import ShapedNoise, rounding
from .direction_sensor import DirectionSensor, direction_form, seen_from
from .line_of_sight import LineOfSight, boresight_cone
from .sensor import RIGHT_ANGLE, SMALL_ANGLE, UPRIGHT, WIDTHS, MeasurementKernel, head, mounted
from .sensor_kernels import SENSOR, in_sensor_axes, rounded, tell

Array = NDArray[np.float64]

NUMBERS = fields(head=SENSOR.size, noise=1, bias=1, step=1, edge=1, mounting=9, sun=VECTOR.size)
MEMORY = fields(count=1, last=3, bias=2)
BIAS = 1  # random number channel of the bias


@kernel
def fine_sun_sensor_kernel(t, y, q, z, v):
    """y = attitude, rate [, Sun signal] -> v = unit vector to the Sun in body axes, validity flag, time."""
    s0, s1, s2 = in_sensor_axes(t, y, q, NUMBERS.sun, NUMBERS.mounting)
    edge = q[NUMBERS.edge]
    seen = s2 > 0.0 and abs(s0) < edge * s2 and abs(s1) < edge * s2
    one, other = draw_normals(q, z[0], 0)
    if z[0] == 0.0:
        b0, b1 = draw_normals(q, 0, BIAS)
        z[MEMORY.bias], z[MEMORY.bias + 1] = q[NUMBERS.bias] * b0, q[NUMBERS.bias] * b1
    if seen:
        m0 = rounded(s0 / s2 + z[MEMORY.bias] + q[NUMBERS.noise] * one, q[NUMBERS.step])
        m1 = rounded(s1 / s2 + z[MEMORY.bias + 1] + q[NUMBERS.noise] * other, q[NUMBERS.step])
        size = math.sqrt(m0 * m0 + m1 * m1 + 1.0)
        v[0], v[1], v[2] = matrix_times(q, NUMBERS.mounting, m0 / size, m1 / size, 1.0 / size)
    tell(t, q, z, v, 3, seen)


@declared
class FineSunSensor(DirectionSensor):
    """A two-axis fine Sun sensor whose boresight is the z axis of the sensor frame.

    The image on the detector is at (tan a, tan b), with a and b the Sun's two angles from the boresight. Bias and noise
    act on these coordinates, so that at an angle a the direction error is smaller by a factor of cos^2 a.

    Parameters
    ----------
    sun : array_like, shape (3,), InertialVector or str
        Direction to the Sun, inertial components, of any length; or the name of a signal with this vector, in which
        (0, 0, 0) means eclipse.
    noise : float
        Noise of each tangent, which equals the angle noise in rad on the boresight.
    half_angle : float
        Largest value of each of the Sun's two angles, rad.
    bias : float
        Standard deviation of a constant error of each tangent, rad.
    step : float
        Resolution of the tangents, rad on the boresight; 0 for none.
    mounting : array_like, shape (4,)
        Euler parameters of the sensor axes in the body.
    loss : float
        Probability that a sample is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without samples, s.
    modal_slopes : array_like, shape (3, n), optional
        Rotation of the sensor relative to the hub per unit of each modal coordinate; see `MountedSensor`.
    modal_coordinates : sequence of str, optional
        Names of the modal coordinates; by default mode_1 to mode_n.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When a noise is not a small angle, or the half-angle is out of range.

    Examples
    --------
    >>> sensor = FineSunSensor.from_data_sheet(sun=(0, 0, 1), noise_deg=0.1, half_angle_deg=60)
    >>> sensor.record([0.0], [(1, 0, 0, 0)], seed=1).body.shape
    (1, 3)
    """

    sun: Any = quantity(converter=DIRECTION, doc="direction to the Sun at t = 0, inertial axes, any length but zero")
    noise: float = quantity(
        "rad",
        converter=NUMBER,
        case="deg",
        positive=True,
        below=0.1,
        hint=SMALL_ANGLE,
        doc="noise about each axis, 1 sigma",
    )
    half_angle: float = quantity(
        "rad",
        converter=NUMBER,
        case="deg",
        positive=True,
        below=RIGHT_ANGLE,
        hint="degrees?",
        doc="half of its field of view",
    )
    bias: float = quantity(
        "rad", converter=NUMBER, case="deg", non_negative=True, below=0.1, hint=SMALL_ANGLE, default=0.0,
        doc="bias of each axis, drawn once, 1 sigma",
    )  # fmt: skip
    step: float = quantity(
        "rad",
        converter=NUMBER,
        case="deg",
        non_negative=True,
        below=0.1,
        hint=SMALL_ANGLE,
        default=0.0,
        doc="resolution",
    )
    mounting: Array = quantity(converter=QUATERNION, default=UPRIGHT, doc="Euler parameters of the sensor in the body")
    name: str = "sun_sensor"

    __repr__ = brief

    @property
    def lines_of_sight(self) -> tuple[LineOfSight, ...]:
        """Field of view about the z axis of the sensor frame."""
        return boresight_cone(mounted(self.mounting), self.half_angle)

    @property
    def looks_for(self) -> Mapping[str, InertialVector | str]:
        """Measured direction, keyed by the label used in figures."""
        return {"Sun": self.sun}

    def reading(self) -> MeasurementKernel:
        """Return the kernel and parameters of this sensor, for replay.

        Returns
        -------
        MeasurementKernel
            Kernel, signals, parameters and memory.
        """
        widths = dict(WIDTHS)
        found = filled(
            NUMBERS,
            head=head(self),
            noise=self.noise,
            bias=self.bias,
            step=self.step,
            edge=math.tan(self.half_angle),
            mounting=mounted(self.mounting),
            sun=vector_row(self.sun, list(widths), widths),
        )
        memory = filled(MEMORY, count=0, last=(0, 0, 1), bias=(0, 0))
        reading = MeasurementKernel(
            kernel=fine_sun_sensor_kernel, reads=widths, numbers=found, memory=memory, width=3, unit="1",
            form=partial(direction_form, self.sun), noise=self._noise,
            silent=(NUMBERS.noise, NUMBERS.bias, NUMBERS.step),
        )  # fmt: skip
        return self.at_place(reading)

    def _noise(self, y0: NDArray[np.float64], sample: float) -> list[ShapedNoise]:
        """Return the noise of the tangents m, mapped to s = (m0, m1, 1)/norm: ds = s_z (1 - s s') dm."""
        del sample
        R = mounted(self.mounting)
        s = R.T @ seen_from(self.sun, y0)
        s = s / np.linalg.norm(s)
        across = R @ (s[2] * (np.eye(3) - np.outer(s, s)))[:, :2]
        found = [ShapedNoise(source="noise", D=self.noise * across)]
        if self.bias > 0.0:
            found.append(ShapedNoise(source="bias", D=self.bias * across, constant=True))
        if self.step > 0.0:
            found.append(rounding("steps", self.step, size=2).through(across))
        return found

    def _angle(self, lengths: Sequence[float]) -> float:
        del lengths
        return self.noise
