# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Horizon sensor: direction to the centre of the Earth, with white noise and a slowly varying error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.brief import brief
from ...plant.checks import positive, unit_quaternion
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import fields, filled, matrix_times, transposed_times
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import to_body
from ..guidance.inertial_vector import InertialVector, known_vector, vector_row
from ..guidance.inertial_vector_kernel import VECTOR, inertial_vector
from ..laws.block_draws import draw_normals
from ..laws.shaped_noise import ShapedNoise, coming_and_going
from .direction_sensor import DirectionSensor, direction_form, mounted, seen_from
from .sensor import WIDTHS, Reading, check_losses, head, require_small_angle
from .sensor_kernels import SENSOR, gauss_markov_at, tell

__all__ = ["HorizonSensor"]

NUMBERS = fields(head=SENSOR.size, noise=1, radiance=1, radiance_time=1, edge=1, mounting=9, nadir=VECTOR.size)
MEMORY = fields(count=1, last=3, time=1, radiance=2)
RADIANCE = 1  # channels


@kernel
def horizon_sensor_kernel(t, y, q, z, v):
    """y = attitude, rate, nadir signal if any -> v = unit vector to nadir in body axes, validity flag, time."""
    s0, s1, s2 = inertial_vector(t, y, q, NUMBERS.nadir)
    s0, s1, s2 = to_body(y[0], y[1], y[2], y[3], s0, s1, s2)
    s0, s1, s2 = transposed_times(q, NUMBERS.mounting, s0, s1, s2)
    size = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    seen = size > 0.0 and s2 > q[NUMBERS.edge] * size
    one, other = draw_normals(q, z[0], 0)
    sigma, tau, at = q[NUMBERS.radiance], q[NUMBERS.radiance_time], MEMORY.radiance
    a0 = gauss_markov_at(t, q, z, at, MEMORY.time, sigma, tau, RADIANCE) + q[NUMBERS.noise] * one
    a1 = gauss_markov_at(t, q, z, at + 1, MEMORY.time, sigma, tau, RADIANCE + 1) + q[NUMBERS.noise] * other
    z[MEMORY.time] = t
    if seen:
        # errors about the sensor's x and y axes, which are perpendicular to a direction near the boresight
        s0, s1, s2 = s0 / size, s1 / size, s2 / size
        s0, s1, s2 = s0 + a1 * s2, s1 - a0 * s2, s2 + a0 * s1 - a1 * s0
        size = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
        v[0], v[1], v[2] = matrix_times(q, NUMBERS.mounting, s0 / size, s1 / size, s2 / size)
    tell(t, q, z, v, 3, seen)


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class HorizonSensor(DirectionSensor):
    """A horizon sensor, boresight along the z axis of the sensor frame, that measures the direction to nadir.

    Parameters
    ----------
    nadir : array_like, shape (3,), InertialVector or str
        Direction to the centre of the Earth, inertial components, any length; or a signal name (three numbers).
    noise : float
        Noise about each perpendicular axis, rad.
    half_angle : float
        Largest angle between boresight and nadir at which it measures, rad.
    radiance : float
        Standard deviation about each axis of the error due to seasonal and latitudinal variation of the atmosphere's
        radiance, rad: first-order Gauss-Markov.
    radiance_time : float or None
        Correlation time of that error, s.
    mounting : array_like, shape (4,)
        Euler parameters of the sensor axes in the body.
    loss : float
        Probability that a sample is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without samples, s.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When a noise is not a small angle, or the half-angle is out of range.

    Examples
    --------
    >>> sensor = HorizonSensor.from_data_sheet(nadir=(0, 0, 1), noise_deg=0.05, half_angle_deg=30)
    >>> dict(sensor.block(sample=1.0).writes)
    {'horizon_sensor': 5}
    """

    nadir: Any
    noise: float
    half_angle: float
    radiance: float = 0.0
    radiance_time: float | None = None
    mounting: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    loss: float = 0.0
    outages: Any = ()
    name: str = "horizon_sensor"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_losses(self)
        object.__setattr__(self, "nadir", known_vector(self.nadir))
        for name in ("noise", "radiance"):
            object.__setattr__(self, name, require_small_angle(self.name, name, getattr(self, name)))
        positive("noise", self.noise, "rad")
        if (self.radiance > 0.0) != (self.radiance_time is not None):
            raise InputError(f"radiance and radiance_time of {self.name} belong together; give both or none")
        if self.radiance_time is not None:
            positive("radiance_time", self.radiance_time, "s")
        if positive("half_angle", self.half_angle, "rad") >= 0.5 * math.pi:
            raise InputError(f"half_angle of {self.name} must be below pi/2 rad; got {self.half_angle:g} (degrees?)")
        object.__setattr__(self, "mounting", unit_quaternion("mounting", self.mounting))

    @classmethod
    def from_data_sheet(
        cls,
        *,
        nadir: Any,
        noise_deg: float,
        half_angle_deg: float,
        radiance_deg: float = 0.0,
        radiance_time_s: float | None = None,
        mounting: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        name: str = "horizon_sensor",
    ) -> "HorizonSensor":
        """Return a horizon sensor from data-sheet values.

        Parameters
        ----------
        nadir : array_like, shape (3,), InertialVector or str
            Direction to the centre of the Earth.
        noise_deg : float
            Noise about each axis, deg, 1 sigma.
        half_angle_deg : float
            Half of its field of view, deg.
        radiance_deg : float
            Error due to the radiance of the atmosphere, deg, 1 sigma.
        radiance_time_s : float or None
            Correlation time of that error, s.
        mounting : array_like, shape (4,)
            Euler parameters of the sensor axes in the body.
        name : str
            Name of the sensor.

        Returns
        -------
        HorizonSensor
            The sensor, in radians.

        Raises
        ------
        InputError
            When a number is out of range.
        """
        deg = math.pi / 180.0
        return cls(
            nadir=nadir, noise=noise_deg * deg, half_angle=half_angle_deg * deg, radiance=radiance_deg * deg,
            radiance_time=radiance_time_s, mounting=mounting, name=name,
        )  # fmt: skip

    def reading(self) -> Reading:
        """Return the kernel and parameters of this sensor, for replay.

        Returns
        -------
        Reading
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
        return Reading(
            kernel=horizon_sensor_kernel, reads=widths, numbers=found, memory=memory, width=3, unit="1",
            form=partial(direction_form, self.nadir), noise=self._noise,
            silent=(NUMBERS.noise, NUMBERS.radiance),
        )  # fmt: skip

    def _noise(self, y0: NDArray[np.float64], sample: float) -> list[ShapedNoise]:
        """Return the noise as small rotations about the sensor's x and y axes: s + a x s, normalised."""
        R = mounted(self.mounting)
        s = R.T @ seen_from(self.nadir, y0)
        s = s / np.linalg.norm(s)
        across = R @ np.array([[0.0, s[2]], [-s[2], 0.0], [s[1], -s[0]]])
        found = [ShapedNoise(source="noise", D=self.noise * across)]
        if self.radiance_time is not None:
            sigma, samples = (self.radiance, self.radiance), self.radiance_time / sample
            found.append(coming_and_going("radiance", sigma, samples=samples, rows=across))
        return found

    @property
    def _source(self) -> InertialVector | str:
        return self.nadir

    def _angle(self, lengths: Sequence[float]) -> float:
        del lengths
        return self.noise
