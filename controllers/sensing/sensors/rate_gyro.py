"""Rate gyro: random walks, bias instability, scale errors, misalignment, angle counts and range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polhode import provided

from ....plant.brief import brief
from ....plant.checks import numbers, positive
from ....plant.errors import InputError
from ....plant.frozen import frozen_results
from ....plant.kernels.fields import filled
from ....plant.quantity import NUMBER, OPTIONAL_NUMBER, QUATERNION, SMALL_MATRIX, declared, quantity
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...laws.shaped_noise import ShapedNoise, rounding
from ...loop.linear_blocks import error_of
from ..estimators.filter_tuning import RADIANS
from ..estimators.observation import MESSAGE
from ..estimators.sightings import RateRecord
from ..estimators.turning import turning
from .gyro_kernel import GYRO, GYRO_MEMORY, gyro_kernel
from .mounted_sensor import MountedSensor
from .sensor import NO_ERRORS, UPRIGHT, WIDTHS, MeasurementKernel, head, message_block, motion_rows, mounted
from .sensor_kernels import gauss_markov

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

FLOOR = 0.664 / 0.6175  # Gauss-Markov sigma / B: its Allan deviation peaks at 0.664 B, at 1.89 correlation times


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class GyroRecord:
    """Measurements of a gyro, and its true bias, which is unknown to a filter.

    Attributes
    ----------
    measured : RateRecord
        Mean rates over each interval, rad/s.
    bias : numpy.ndarray, shape (m + 1, 3)
        True bias at the start and at each time, bias instability included, body axes, rad/s.
    """

    measured: RateRecord
    bias: Array

    __repr__ = brief


@declared
class RateGyro(MountedSensor):
    """A three-axis rate gyro: random walks, bias instability, scale errors, misalignment, counts, range.

    The gyro measures the rotation angle in each interval T: ``(1 + M) integral(omega) + b0 T + n1``, ``b1 = b0 + n2``,
    with

        cov(n1, n2) = [[noise^2 T + walk^2 T^3/3, walk^2 T^2/2], [walk^2 T^2/2, walk^2 T]]   per axis

    so that the statistics do not depend on the sampling period. The gyro then counts whole steps of angle, with the
    remainder carried to the next reading, and rounds the mean rate to its resolution. Beyond the range the output is
    the limit, and the reading is invalid. The rotation during a lost reading is lost.

    Parameters
    ----------
    angle_random_walk : float
        N or sigma_v, angle random walk, rad/sqrt(s). Multiply a one-sided density in rad/s/sqrt(Hz) by 1/sqrt(2).
    rate_random_walk : float
        K or sigma_u, rate random walk of the bias, rad/s^(3/2).
    bias : float
        Standard deviation of the bias at switch-on, which is drawn once for each axis, rad/s.
    bias_instability : float
        B, rad/s. A slowly varying bias (first-order Gauss-Markov) contributes 0.664 B to the Allan deviation near an
        averaging time of 1.89 `correlation_time`, and less elsewhere. If the data sheet gives the flat part of the
        Allan deviation, divide this value by 0.664.
    correlation_time : float or None
        Correlation time of the slowly varying bias, s.
    errors : array_like, shape (3, 3)
        M: scale errors on the diagonal, misalignments (rad) elsewhere; it need not be symmetric.
    mounting : array_like, shape (4,)
        Euler parameters of the sensor axes in the body: a_body = R(mounting) a_sensor. The output is in body axes.
    step : float
        Angle of one count, rad; 0 for none.
    rate_step : float
        Resolution of the rate output, rad/s; 0 for none. The rounding remainder is lost.
    limit : float or None
        Measurement range about each sensor axis, rad/s; None for no limit.
    loss : float
        Probability that a reading is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without readings, s.
    modal_slopes : array_like, shape (3, n), optional
        Rotation of the gyro relative to the hub per unit of each modal coordinate; see `MountedSensor`.
    modal_coordinates : sequence of str, optional
        Names of the modal coordinates; by default mode_1 to mode_n.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When an argument is negative or too large.

    Notes
    -----
    R. L. Farrenkopf (1978); IEEE Std 952, annex C for the names. The angle of rotation is the rotation vector between
    two attitudes, which neglects coning within an interval.

    Examples
    --------
    >>> gyro = RateGyro.from_data_sheet(angle_random_walk_deg_sqrt_h=0.01, rate_random_walk_deg_h_sqrt_h=0.005)
    >>> print(f"{gyro.angle_random_walk:.6e} {gyro.rate_random_walk:.6e}")
    2.908882e-06 4.040114e-10
    >>> gyro.block(sample=0.1).widths
    {'gyro': 5}
    """

    shadows: ClassVar[str] = "rate"

    angle_random_walk: float = quantity(
        "rad/sqrt(s)", converter=NUMBER, case="deg/sqrt(h)", non_negative=True, below=1.0, hint=RADIANS,
        doc="N, angle random walk",
    )  # fmt: skip
    rate_random_walk: float = quantity(
        "rad/s^(3/2)", converter=NUMBER, case="deg/h/sqrt(h)", non_negative=True, below=1.0, hint=RADIANS,
        default=0.0, doc="K, rate random walk of the bias",
    )  # fmt: skip
    bias: float = quantity(
        "rad/s", converter=NUMBER, case="deg/h", non_negative=True, below=1.0, hint=RADIANS, default=0.0,
        doc="bias at switch-on, 1 sigma",
    )  # fmt: skip
    bias_instability: float = quantity(
        "rad/s", converter=NUMBER, case="deg/h", non_negative=True, below=1.0, hint=RADIANS, default=0.0,
        doc="B: the flat part of the Allan deviation is 0.664 B",
    )  # fmt: skip
    correlation_time: float | None = quantity(
        "s", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="correlation time of the Gauss-Markov bias that models the instability",
    )  # fmt: skip
    errors: Array = quantity(
        converter=SMALL_MATRIX, default=NO_ERRORS,
        doc="scale errors on the diagonal, misalignments off it: 100 ppm is 1e-4",
    )  # fmt: skip
    mounting: Array = quantity(converter=QUATERNION, default=UPRIGHT, doc="Euler parameters of the sensor in the body")
    step: float = quantity(
        "rad", converter=NUMBER, case="arcsec", non_negative=True, below=1.0, hint=RADIANS, default=0.0,
        doc="angle of one count; 0 for none",
    )  # fmt: skip
    rate_step: float = quantity(
        "rad/s", converter=NUMBER, case="deg/h", non_negative=True, below=1.0, hint=RADIANS, default=0.0,
        doc="resolution of the rate output; 0 for none",
    )  # fmt: skip
    limit: float | None = quantity(
        "rad/s", converter=OPTIONAL_NUMBER, case="deg/s", positive=True, optional=True, default=None,
        doc="range about each sensor axis",
    )  # fmt: skip
    name: str = "gyro"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        if (self.bias_instability > 0.0) != (self.correlation_time is not None):
            raise InputError(f"bias_instability and correlation_time of {self.name} belong together; give both or none")

    @property
    def flicker(self) -> float:
        """Standard deviation of the Gauss-Markov bias that models the bias instability, rad/s."""
        return self.bias_instability * FLOOR

    def block(self, *, sample: float, offset: float = 0.0, delay: float = 0.0, shadows: bool = False) -> Block:
        """Return the gyro as a block.

        Parameters
        ----------
        sample : float
            Time between readings, s.
        offset : float
            Time of the first reading, s. This reading assumes that the spacecraft rotated at the current rate before
            that time.
        delay : float
            Time from the end of an interval until its reading takes effect, s.
        shadows : bool
            Whether the block writes "rate" instead of a signal with the name of the gyro, so that the law uses it
            without changes. A lost reading then repeats the last one.

        Returns
        -------
        Block
            The block writes a signal with the name of the gyro: mean rate since the last reading (3, rad/s, body axes),
            validity flag (1, or 0 if the last value is held), end of the interval (s).

        Raises
        ------
        InputError
            When a time is out of range.
        """
        return message_block(self, self.reading(sample), sample=sample, offset=offset, delay=delay, shadows=shadows)

    def reading(  # pyright: ignore[reportIncompatibleMethodOverride] # its numbers depend on the period
        self, sample: float
    ) -> MeasurementKernel:
        """Return the kernel and parameters of this sensor, for replay.

        Parameters
        ----------
        sample : float
            Time between readings, s.

        Returns
        -------
        MeasurementKernel
            Kernel, signals, parameters and memory.
        """
        mounting = mounted(self.mounting)
        found = filled(
            GYRO,
            head=head(self),
            period=positive("sample", sample, "s"),
            angle_random_walk=self.angle_random_walk,
            rate_random_walk=self.rate_random_walk,
            bias=self.bias,
            flicker=self.flicker,
            correlation_time=self.correlation_time or 1.0,
            step=self.step,
            rate_step=self.rate_step,
            limit=self.limit or 0.0,
            errors=np.eye(3) + np.asarray(self.errors),
            mounting=mounting,
        )
        errors = mounting @ (np.eye(3) + np.asarray(self.errors)) @ mounting.T
        rounds = self.step > 0.0 or self.rate_step > 0.0
        words = "rounding of the gyro is treated as unity gain" if rounds else ""

        reading = MeasurementKernel(
            kernel=gyro_kernel, reads=WIDTHS, numbers=found, memory=[0.0] * GYRO_MEMORY.size, width=3, unit="rad/s",
            shadows="rate", form=partial(_form, errors, words, sample), noise=self._noise,
            silent=(GYRO.angle_random_walk, GYRO.rate_random_walk, GYRO.bias, GYRO.flicker, GYRO.step, GYRO.rate_step),
        )  # fmt: skip
        return self.at_place(reading)

    def _noise(self, y0: Array, T: float) -> list[ShapedNoise]:
        """Return the noise of the mean rate in body axes, in the form in which `gyro_kernel` draws it."""
        R = mounted(self.mounting)
        del y0
        found = [ShapedNoise(source="angle random walk", D=self.angle_random_walk / sqrt(T) * R)]
        if self.bias > 0.0:
            found.append(ShapedNoise(source="bias at switch-on", D=self.bias * R, constant=True, bias=self.bias * R))
        if (
            self.rate_random_walk > 0.0
        ):  # bias at the start of an interval, half of the bias step, and the independent remainder
            step = self.rate_random_walk * sqrt(T)
            halves = np.hstack((0.5 * step * R, step / sqrt(12.0) * R))
            found.append(
                ShapedNoise(source="rate random walk", A=np.eye(3), B=step * np.eye(3, 6), C=R, D=halves, bias=R)
            )
        if self.correlation_time is not None:
            x = T / self.correlation_time
            noise = [gauss_markov(0.0, self.flicker, x, *each) for each in ((1.0, 0.0), (0.0, 1.0))]
            kept, mean = gauss_markov(1.0, 0.0, x, 0.0, 0.0)
            (first, shared), (_, rest) = noise
            both = np.hstack((shared * R, rest * R))
            found.append(
                ShapedNoise(source="flicker", A=kept * np.eye(3), B=first * np.eye(3, 6), C=mean * R, D=both, bias=R)
            )
        if self.step > 0.0:  # counts carry their remainder: difference of errors that are uniform within a count
            error = self.step / sqrt(12.0) / T
            found.append(ShapedNoise(source="counts", A=np.zeros((3, 3)), B=np.eye(3), C=-error * R, D=error * R))
        if self.rate_step > 0.0:
            found.append(rounding("rate word", self.rate_step, size=3).through(R))
        return found

    def record(
        self,
        t: ArrayLike,
        attitude: ArrayLike,
        *,
        seed: int,
        run_index: int = 0,
        signals: Mapping[str, ArrayLike] | None = None,
    ) -> GyroRecord:
        """Return the gyro's record of a motion, equal to the output of its block.

        Parameters
        ----------
        t : array_like, shape (m + 1,)
            Times of the readings, s; the first is the switch-on time, for example `run["t"]`.
        attitude : array_like, shape (m + 1, 4)
            Euler parameters at these times; successive attitudes must differ by less than 180 deg.
        seed : int
            Seed of all sensors of a simulation.
        run_index : int
            Index of the run; each run has different random numbers.
        signals : mapping of str to array_like, optional
            Modal coordinates and rates, with one row for each time, for a gyro with modal slopes.

        Returns
        -------
        GyroRecord
            The readings and the true bias; a lost reading repeats the last one.

        Raises
        ------
        InputError
            When times do not ascend, or shapes differ.
        """
        times = numbers("t", t, "s").ravel()
        period = float(times[1] - times[0]) if times.size > 1 and times[1] > times[0] else 1.0
        reading = self.reading(period)
        times, rows = motion_rows(reading, t, attitude, signals)
        block = message_block(self, reading, sample=period, more={f"{self.name}_bias": 3})
        found = block.replay(times, rows, seed=seed, run_index=run_index)
        return GyroRecord(
            measured=RateRecord(times[1:], found[1:, :3], start=float(times[0])), bias=found[:, 3 + MESSAGE :]
        )

    def allan_deviation(self, tau: ArrayLike) -> Array:
        """Return the theoretical Allan deviation, computed from the parameters of the gyro.

        Parameters
        ----------
        tau : array_like, shape (k,)
            Averaging times, s.

        Returns
        -------
        numpy.ndarray, shape (k,)
            ``sqrt(noise^2/tau + walk^2 tau/3 + step^2/(4 tau^2) + F)``, rad/s (IEEE Std 952, annex C). F is the Allan
            variance of the Gauss-Markov bias, ``(2 s^2/x) (1 - (3 - 4 e^-x + e^-2x)/(2 x))``, x = tau/correlation_time.
            The rate resolution is omitted, because its error depends on the motion.
        """
        each = numbers("tau", tau, "s")
        found = (
            self.angle_random_walk**2 / each + self.rate_random_walk**2 * each / 3.0 + self.step**2 / (4.0 * each**2)
        )
        if self.correlation_time is not None:
            x = each / self.correlation_time
            # for small x the subtraction cancels, so the first term of the series is used
            rest = np.where(x < 1e-3, x * x / 3.0, 1.0 - (3.0 - 4.0 * np.exp(-x) + np.exp(-2.0 * x)) / (2.0 * x))
            found = found + 2.0 * self.flicker**2 / x * rest
        return np.asarray(np.sqrt(found))

    def plot_allan(self, rate: ArrayLike, *, sample: float) -> Figure:
        """Return a plot of the Allan deviation of a record, with the theoretical curve and its parts.

        Parameters
        ----------
        rate : array_like, shape (n, 3)
            Mean rates over equal intervals of a gyro at rest, rad/s: `record(...).measured.rate`, or real data.
        sample : float
            Length of an interval, s.

        Returns
        -------
        matplotlib.figure.Figure
            The figure, with the 1-sigma errors from `allan_deviation`.

        Raises
        ------
        InputError
            When the record is too short or does not have three columns.
        """
        rows = numbers("rate", rate, "rad/s")
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise InputError(f"rate must be n x 3 mean rates, rad/s; got shape {rows.shape}")
        return provided("allan plot")(self, rows, sample=positive("sample", sample, "s"))


def _form(errors: Array, words: str, sample: float, y0: Array) -> BlockForm:
    """Return the linear form of the mean rate, whose state is the attitude at the last sample."""
    small = np.hstack((error_of(y0[:4]), np.zeros((3, 3))))
    flow, gain = turning(y0[4:7], sample)
    E = errors @ np.linalg.inv(gain)
    return BlockForm(
        A=np.zeros((3, 3)), B=small, C=-E @ flow, D=E @ small, rests=errors @ y0[4:7], words=words, spins=True
    )  # fmt: skip
