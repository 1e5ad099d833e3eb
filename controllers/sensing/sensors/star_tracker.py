"""Star tracker: attitude with larger noise about the boresight, delay, rate limit, exclusion zones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import positive
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ....plant.kernels.fields import filled
from ....plant.quantity import NUMBER, OPTIONAL_NUMBER, QUATERNION, declared, quantity
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...guidance.inertial_vector import known_vector, vector_row
from ...laws.shaped_noise import ShapedNoise, coming_and_going
from ...loop.linear_blocks import error_of
from ..estimators.observation import Observation
from ..estimators.sightings import AttitudeSightings
from .line_of_sight import LineOfSight, boresight_cone
from .mounted_sensor import MountedSensor
from .sensor import SMALL_ANGLE, UPRIGHT, WIDTHS, MeasurementKernel, head, message_block, motion_rows, mounted
from .star_tracker_kernel import TRACKER, TRACKER_MEMORY, ZONE, star_tracker_kernel

Array = NDArray[np.float64]

LARGE = 1e150  # rad/s: represents no limit


@frozen_arrays
@dataclass(frozen=True, repr=False)
class ExclusionZone:
    """A cone around a direction, such as the Sun or the Earth, within which a star tracker is blind.

    Parameters
    ----------
    direction : array_like, shape (3,), InertialVector or str
        Direction in inertial components, of any length; or the name of a signal with this vector. While the signal is
        (0, 0, 0), there is no zone.
    angle : float
        Angle between boresight and direction below which the star tracker is blind, rad. For the Earth, include the
        angular radius of the Earth.

    Raises
    ------
    InputError
        When the angle is not between 0 and pi.
    """

    direction: Any
    angle: float

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        object.__setattr__(self, "direction", known_vector(self.direction))
        if positive("angle of an exclusion zone", self.angle, "rad") >= pi:
            raise InputError(f"the angle of an exclusion zone must be below pi rad; got {self.angle:g} (degrees?)")


@declared
class StarTracker(MountedSensor):
    """A star tracker with noise, field-of-view errors, delay, rate limit and exclusion zones.

    The boresight is the z axis of the sensor frame. The measurement is ``e_m = e o Exp(R(mounting) (nu + f))``. The
    noise nu is normal with variances ``(noise^2, noise^2, roll_noise^2)``. The field-of-view error f is a first-order
    Gauss-Markov error that changes slowly, while stars cross the field of view. A filter that models f as white noise
    is overconfident.

    Parameters
    ----------
    noise : float
        Noise about each axis across the boresight, rad (noise-equivalent angle).
    roll_noise : float
        Noise about the boresight, rad; five to twenty times `noise`.
    mounting : array_like, shape (4,)
        Euler parameters of the sensor axes in the body: a_body = R(mounting) a_sensor.
    delay : float
        Time from mid-exposure until the measured attitude is available, s.
    field_noise, field_roll_noise : float
        Standard deviations of f across and about the boresight, rad.
    field_time : float or None
        Correlation time of f, s: approximately the time that a star takes to cross the field of view.
    rate_limit : float or None
        Body rate above which no attitude is valid, rad/s.
    exclusions : sequence of ExclusionZone
        Exclusion zones.
    loss : float
        Probability that an attitude is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without attitudes, s.
    modal_slopes : array_like, shape (3, n), optional
        Rotation of the star tracker relative to the hub per unit of each modal coordinate; see `MountedSensor`.
    modal_coordinates : sequence of str, optional
        Names of the modal coordinates; by default mode_1 to mode_n.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When a noise is not a small angle.

    Notes
    -----
    F. L. Markley & J. L. Crassidis (2014), ch. 4. Aberration is assumed to be corrected inside the tracker.

    Examples
    --------
    >>> tracker = StarTracker(noise=2e-5, roll_noise=2e-4)
    >>> seen = tracker.record([0.0, 1.0], [(1, 0, 0, 0)] * 2, seed=1)
    >>> seen.attitude.shape
    (2, 4)
    >>> tracker.block(sample=0.5).widths
    {'star_tracker': 6}
    """

    shadows: ClassVar[str] = "attitude"

    noise: float = quantity(
        "rad", converter=NUMBER, case="arcsec", positive=True, below=0.1, hint=SMALL_ANGLE,
        doc="temporal noise across the boresight, 1 sigma",
    )  # fmt: skip
    roll_noise: float = quantity(
        "rad", converter=NUMBER, case="arcsec", positive=True, below=0.1, hint=SMALL_ANGLE,
        doc="temporal noise about the boresight, 5 to 20 times that across, 1 sigma",
    )  # fmt: skip
    mounting: Array = quantity(
        converter=QUATERNION, default=UPRIGHT, doc="Euler parameters of the sensor in the body, boresight z"
    )
    delay: float = quantity(
        "s", converter=NUMBER, case=None, non_negative=True, default=0.0, doc="time from mid-exposure to the attitude"
    )
    field_noise: float = quantity(
        "rad", converter=NUMBER, case="arcsec", non_negative=True, below=0.1, hint=SMALL_ANGLE, default=0.0,
        doc="error of the field of view across the boresight, 1 sigma",
    )  # fmt: skip
    field_roll_noise: float = quantity(
        "rad", converter=NUMBER, case="arcsec", non_negative=True, below=0.1, hint=SMALL_ANGLE, default=0.0,
        doc="error of the field of view about the boresight, 1 sigma",
    )  # fmt: skip
    field_time: float | None = quantity(
        "s", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="correlation time of the field-of-view error: field of view over rate",
    )  # fmt: skip
    rate_limit: float | None = quantity(
        "rad/s", converter=OPTIONAL_NUMBER, case="deg/s", positive=True, optional=True, default=None,
        doc="largest rate at which it sees stars",
    )  # fmt: skip
    exclusions: Any = ()
    name: str = "star_tracker"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        if (self.field_noise > 0.0 or self.field_roll_noise > 0.0) != (self.field_time is not None):
            raise InputError(
                f"errors of the field of {self.name} need a correlation time: field_noise or field_roll_noise and "
                "field_time belong together; give both or none"
            )
        object.__setattr__(self, "exclusions", tuple(self.exclusions))
        for each in self.exclusions:
            if not isinstance(each, ExclusionZone):
                raise InputError(f"exclusions of {self.name} must be ExclusionZone(direction, angle); got {each!r}")

    @property
    def lines_of_sight(self) -> tuple[LineOfSight, ...]:
        """Boresight of the star tracker; the model has no field of view."""
        return boresight_cone(mounted(self.mounting))

    def block(  # pyright: ignore[reportIncompatibleMethodOverride] # the sensor has its delay itself
        self, *, sample: float, offset: float = 0.0, shadows: bool = False
    ) -> Block:
        """Return the star tracker as a block, with its delay.

        Parameters
        ----------
        sample : float
            Time between exposures, s.
        offset : float
            Time of mid-exposure of the first sample, s.
        shadows : bool
            Whether the block writes "attitude" instead of a signal with the name of the star tracker, so that the law
            uses it without changes. An invalid sample repeats the last attitude, or (1, 0, 0, 0) before the first one.

        Returns
        -------
        Block
            The block writes a signal with the name of the star tracker: Euler parameters (4), validity flag (1, or 0 if
            the last value is held), time of mid-exposure (s).

        Raises
        ------
        InputError
            When a time is out of range.
        """
        return message_block(self, self.reading(), sample=sample, offset=offset, delay=self.delay, shadows=shadows)

    def reading(self) -> MeasurementKernel:
        """Return the kernel and parameters of this sensor, for replay.

        Returns
        -------
        MeasurementKernel
            Kernel, signals, parameters and memory.
        """
        reads, widths = list(WIDTHS), dict(WIDTHS)
        zones = [
            number
            for each in self.exclusions
            for number in filled(ZONE, cosine=cos(each.angle), vector=vector_row(each.direction, reads, widths))
        ]
        found = filled(
            TRACKER,
            head=head(self),
            noise=(self.noise, self.noise, self.roll_noise),
            field=(self.field_noise, self.field_noise, self.field_roll_noise),
            field_time=self.field_time or 1.0,
            mounting=mounted(self.mounting),
            rate_limit=self.rate_limit or LARGE,
            zones=len(self.exclusions),
        )
        memory = filled(TRACKER_MEMORY, count=0, last=(1, 0, 0, 0), time=0, field=(0, 0, 0))
        reading = MeasurementKernel(
            kernel=star_tracker_kernel, reads=widths, numbers=[*found, *zones], memory=memory, width=4, unit="1",
            shadows="attitude", form=_form, noise=self._noise,
            silent=(*range(TRACKER.noise, TRACKER.noise + 3), *range(TRACKER.field, TRACKER.field + 3)),
        )  # fmt: skip
        return self.at_place(reading)

    def _noise(self, y0: Array, sample: float) -> list[ShapedNoise]:
        """Return the noise of the measured attitude, as small rotations in sensor axes."""
        R = mounted(self.mounting)
        turned = 0.25 * error_of(y0[:4]).T @ R
        across, roll = np.diag([1.0, 1.0, 0.0]), np.diag([0.0, 0.0, 1.0])
        found = [
            ShapedNoise(source="noise across", D=self.noise * turned @ across),
            ShapedNoise(source="noise about the boresight", D=self.roll_noise * turned @ roll),
        ]
        if self.field_time is not None:
            sigma = (self.field_noise, self.field_noise, self.field_roll_noise)
            found.append(coming_and_going("errors of the field", sigma, samples=self.field_time / sample, rows=turned))
        return found

    def observation(self) -> Observation:
        """Return the measurement model of the star tracker's messages for a filter.

        Returns
        -------
        Observation
            An attitude with temporal noise; field-of-view errors are not included.
        """
        R = mounted(self.mounting)
        return Observation(covariance=R @ np.diag([self.noise**2, self.noise**2, self.roll_noise**2]) @ R.T)

    def record(
        self,
        t: ArrayLike,
        attitude: ArrayLike,
        *,
        seed: int,
        run_index: int = 0,
        signals: Mapping[str, ArrayLike] | None = None,
    ) -> AttitudeSightings:
        """Return the star tracker's record of a motion, equal to the output of its block.

        Parameters
        ----------
        t : array_like, shape (m,)
            Times of the exposures, s.
        attitude : array_like, shape (m, 4)
            Euler parameters at these times; the body rate is the mean rate since the previous time.
        seed : int
            Seed of all sensors of a simulation.
        run_index : int
            Index of the run; each run has different random numbers.
        signals : mapping of str to array_like, optional
            The signals of exclusion zones, with one row for each time.

        Returns
        -------
        AttitudeSightings
            The valid measurements.

        Raises
        ------
        InputError
            When times do not ascend, or shapes differ.
        """
        reading = self.reading()
        times, rows = motion_rows(reading, t, attitude, signals)
        found = message_block(self, reading, sample=1.0).replay(times, rows, seed=seed, run_index=run_index)
        kept = found[:, 4] > 0.0
        return AttitudeSightings(
            times[kept], found[kept, :4], sigma=(self.noise, self.noise, self.roll_noise), mounting=self.mounting,
            delay=self.delay, name=self.name,
        )  # fmt: skip


def _form(y0: Array) -> BlockForm:
    return BlockForm(D=np.eye(4, y0.size), rests=y0[:4], spins=True)
