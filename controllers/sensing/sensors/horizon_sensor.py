# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Horizon sensor: direction to the Earth's centre, with white noise and a slowly varying error."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.errors import InputError
from ....plant.kernels.fields import fields, filled, matrix_times
from ....plant.kernels.kernel import kernel
from ....plant.quantity import NUMBER, OPTIONAL_NUMBER, QUATERNION, declared, quantity
from ...contracts.block_draws import draw_normals
from ...guidance.inertial_vector import DIRECTION, InertialVector, vector_row
from ...guidance.inertial_vector_kernel import VECTOR
from ...laws.shaped_noise import ShapedNoise, coming_and_going
from .direction_sensor import DirectionSensor, direction_form, seen_from
from .line_of_sight import LineOfSight, boresight_cone
from .sensor import RIGHT_ANGLE, SMALL_ANGLE, UPRIGHT, WIDTHS, MeasurementKernel, head, mounted
from .sensor_kernels import SENSOR, gauss_markov_at, in_sensor_axes, tell

Array = NDArray[np.float64]

NUMBERS = fields(head=SENSOR.size, noise=1, radiance=1, radiance_time=1, edge=1, mounting=9, nadir=VECTOR.size)
MEMORY = fields(count=1, last=3, time=1, radiance=2)
RADIANCE = 1  # random number channel of the radiance error


@kernel
def horizon_sensor_kernel(t, y, q, z, v):
    """y = attitude, rate [, nadir signal] -> v = unit vector to nadir in body axes, validity flag, time."""
    s0, s1, s2 = in_sensor_axes(t, y, q, NUMBERS.nadir, NUMBERS.mounting)
    size = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    seen = size > 0.0 and s2 > q[NUMBERS.edge] * size
    one, other = draw_normals(q, z[0], 0)
    sigma, tau, at = q[NUMBERS.radiance], q[NUMBERS.radiance_time], MEMORY.radiance
    a0 = gauss_markov_at(t, q, z, at, MEMORY.time, sigma, tau, RADIANCE) + q[NUMBERS.noise] * one
    a1 = gauss_markov_at(t, q, z, at + 1, MEMORY.time, sigma, tau, RADIANCE + 1) + q[NUMBERS.noise] * other
    z[MEMORY.time] = t
    if seen:
        # errors about the sensor's x and y axes, which are nearly perpendicular to the measured direction
        s0, s1, s2 = s0 / size, s1 / size, s2 / size
        s0, s1, s2 = s0 + a1 * s2, s1 - a0 * s2, s2 + a0 * s1 - a1 * s0
        size = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
        v[0], v[1], v[2] = matrix_times(q, NUMBERS.mounting, s0 / size, s1 / size, s2 / size)
    tell(t, q, z, v, 3, seen)


@declared
class HorizonSensor(DirectionSensor):
    """A horizon sensor, which measures the direction to the centre of the Earth.

    The field of view is a cone about the boresight, the z axis of the sensor frame.

    Parameters
    ----------
    nadir : array_like, shape (3,), InertialVector or str
        Direction to the centre of the Earth, inertial components, of any length; or the name of a signal with this
        vector.
    noise : float
        Noise about each perpendicular axis, rad.
    half_angle : float
        Largest angle between boresight and nadir at which the sensor measures, rad.
    radiance : float
        Standard deviation about each axis of the radiance error, rad. This first-order Gauss-Markov error is due to the
        seasonal and latitudinal variation of the atmosphere's radiance.
    radiance_time : float or None
        Correlation time of the radiance error, s.
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
    >>> sensor = HorizonSensor.from_data_sheet(nadir=(0, 0, 1), noise_deg=0.05, half_angle_deg=30)
    >>> sensor.block(sample=1.0).widths
    {'horizon_sensor': 5}
    """

    nadir: Any = quantity(
        converter=DIRECTION, doc="direction to the centre of the Earth at t = 0, inertial axes, any length but zero"
    )
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
        "rad", converter=NUMBER, case="deg", positive=True, below=RIGHT_ANGLE, hint="degrees?",
        doc="largest angle between boresight and nadir at which the sensor measures",
    )  # fmt: skip
    radiance: float = quantity(
        "rad", converter=NUMBER, case="deg", non_negative=True, below=0.1, hint=SMALL_ANGLE, default=0.0,
        doc="error by the radiance of the atmosphere, slowly varying, 1 sigma",
    )  # fmt: skip
    radiance_time: float | None = quantity(
        "s", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None, doc="correlation time of that error"
    )
    mounting: Array = quantity(converter=QUATERNION, default=UPRIGHT, doc="Euler parameters of the sensor in the body")
    name: str = "horizon_sensor"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        if (self.radiance > 0.0) != (self.radiance_time is not None):
            raise InputError(f"radiance and radiance_time of {self.name} belong together; give both or none")

    @property
    def lines_of_sight(self) -> tuple[LineOfSight, ...]:
        """Field of view about the z axis of the sensor frame."""
        return boresight_cone(mounted(self.mounting), self.half_angle)

    @property
    def looks_for(self) -> Mapping[str, InertialVector | str]:
        """Measured direction, keyed by the label used in figures."""
        return {"nadir": self.nadir}

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
            radiance=self.radiance,
            radiance_time=self.radiance_time or 1.0,
            edge=math.cos(self.half_angle),
            mounting=mounted(self.mounting),
            nadir=vector_row(self.nadir, list(widths), widths),
        )
        memory = filled(MEMORY, count=0, last=(0, 0, 1), time=0, radiance=(0, 0))
        reading = MeasurementKernel(
            kernel=horizon_sensor_kernel, reads=widths, numbers=found, memory=memory, width=3, unit="1",
            form=partial(direction_form, self.nadir), noise=self._noise,
            silent=(NUMBERS.noise, NUMBERS.radiance),
        )  # fmt: skip
        return self.at_place(reading)

    def _noise(self, y0: NDArray[np.float64], sample: float) -> list[ShapedNoise]:
        """Return the noise, small rotations a about the sensor's x and y axes: s + a x s, normalised."""
        R = mounted(self.mounting)
        s = R.T @ seen_from(self.nadir, y0)
        s = s / np.linalg.norm(s)
        across = R @ np.array([[0.0, s[2]], [-s[2], 0.0], [s[1], -s[0]]])
        found = [ShapedNoise(source="noise", D=self.noise * across)]
        if self.radiance_time is not None:
            sigma, samples = (self.radiance, self.radiance), self.radiance_time / sample
            found.append(coming_and_going("radiance", sigma, samples=samples, rows=across))
        return found

    def _angle(self, lengths: Sequence[float]) -> float:
        del lengths
        return self.noise
