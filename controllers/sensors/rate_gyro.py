"""Rate gyro: white noise, bias random walk and flicker, scale errors and misalignment, angle counts, range."""

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import pi, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import rotation_matrix
from ...plant.brief import brief
from ...plant.checks import non_negative, numbers, positive, unit_quaternion
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays, frozen_results
from ...plant.kernels.fields import filled
from ..estimators.observation import MESSAGE
from ..estimators.sightings import RateRecord
from ..estimators.turning import turning
from ..laws.block import Block
from ..laws.block_form import BlockForm
from ..laws.shaped_noise import ShapedNoise, rounding
from ..loop.surroundings import error_of
from .gyro_kernel import GYRO, GYRO_MEMORY, gyro_kernel
from .sensor import WIDTHS, Reading, check_losses, head, message_block, motion_rows
from .sensor_kernels import gauss_markov

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["GyroRecord", "RateGyro"]

Array = NDArray[np.float64]

DEG_SQRT_H = pi / 180.0 / 60.0  # 1 deg/sqrt(h) in rad/sqrt(s)
DEG_H = pi / 180.0 / 3600.0  # 1 deg/h in rad/s
FLOOR = 0.664 / 0.6175  # sigma of a Gauss-Markov bias whose Allan deviation peaks at 0.664 B, at 1.89 times its time
NO_ERRORS = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class GyroRecord:
    """Measurements of a gyro, and its true bias, which a filter does not have.

    Attributes
    ----------
    measured : RateRecord
        Mean rates over each interval, rad/s.
    bias : numpy.ndarray, shape (m + 1, 3)
        True bias at the start and at each time, flicker included, body axes, rad/s.
    """

    measured: RateRecord
    bias: Array

    __repr__ = brief


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class RateGyro:
    """A three-axis rate gyro.

    It measures the rotation angle in each interval T: ``(1 + M) integral(omega) + b0 T + n1``, ``b1 = b0 + n2``, with

        cov(n1, n2) = [[noise^2 T + walk^2 T^3/3, walk^2 T^2/2], [walk^2 T^2/2, walk^2 T]]   per axis

    so that the statistics do not depend on the sampling period. It then counts whole steps of angle, with the remainder
    carried to the next reading, and rounds the mean rate to its resolution. Beyond its range the output is the limit,
    and the reading is invalid. The angle of a lost reading is lost.

    Parameters
    ----------
    noise : float
        sigma_v, angle random walk, rad/sqrt(s).
    walk : float
        sigma_u, rate random walk of the bias, rad/s^(3/2).
    bias : float
        Standard deviation of the bias at switch-on, rad/s, drawn once for each axis.
    flicker : float
        Standard deviation of an additional, slowly varying bias (first-order Gauss-Markov), rad/s. It makes the Allan
        deviation flat about 1.89 `flicker_time`, and nowhere else.
    flicker_time : float or None
        Correlation time of that bias, s.
    errors : array_like, shape (3, 3)
        M: scale errors on the diagonal, misalignments off it (rad); it need not be symmetric.
    mounting : array_like, shape (4,)
        Euler parameters of the sensor axes in the body: a_body = R(mounting) a_sensor. The output is in body axes.
    step : float
        Angle of one count, rad; 0 for none.
    rate_step : float
        Resolution of the rate output, rad/s; 0 for none. Its remainder is lost.
    limit : float or None
        Range about each sensor axis, rad/s.
    loss : float
        Probability that a reading is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without readings, s.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When a number is negative or not small.

    Notes
    -----
    R. L. Farrenkopf (1978); IEEE Std 952, annex C for the names. The angle of rotation is the rotation vector between
    two attitudes, which neglects coning within an interval.

    Examples
    --------
    >>> gyro = RateGyro.from_data_sheet(angle_random_walk_deg_sqrt_h=0.01, rate_random_walk_deg_h_sqrt_h=0.005)
    >>> print(f"{gyro.noise:.6e} {gyro.walk:.6e}")
    2.908882e-06 4.040114e-10
    >>> dict(gyro.block(sample=0.1).writes)
    {'gyro': 5}
    """

    noise: float
    walk: float = 0.0
    bias: float = 0.0
    flicker: float = 0.0
    flicker_time: float | None = None
    errors: ArrayLike = NO_ERRORS
    mounting: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    step: float = 0.0
    rate_step: float = 0.0
    limit: float | None = None
    loss: float = 0.0
    outages: Any = ()
    name: str = "gyro"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_losses(self)
        units = {
            "noise": "rad/sqrt(s)", "walk": "rad/s^(3/2)", "bias": "rad/s", "flicker": "rad/s", "step": "rad",
            "rate_step": "rad/s",
        }  # fmt: skip
        for name, unit in units.items():
            value = non_negative(name, getattr(self, name), unit)
            if value >= 1.0:
                raise InputError(f"{name} of {self.name} must be below 1 {unit}; got {value:g}: give it in radians")
            object.__setattr__(self, name, value)
        if (self.flicker > 0.0) != (self.flicker_time is not None):
            raise InputError(f"flicker and flicker_time of {self.name} belong together; give both or none")
        errors = numbers("errors", self.errors)
        if errors.shape != (3, 3) or not (np.abs(errors) < 0.5).all():
            raise InputError(
                f"errors of {self.name} must be 3 x 3 numbers below 0.5, added to the unit matrix; a scale "
                "error of 100 ppm is 1e-4"
            )
        object.__setattr__(self, "errors", errors)
        object.__setattr__(self, "mounting", unit_quaternion("mounting", self.mounting))
        for name, unit in (("limit", "rad/s"), ("flicker_time", "s")):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(name, getattr(self, name), unit))

    @classmethod
    def from_data_sheet(
        cls,
        *,
        angle_random_walk_deg_sqrt_h: float,
        rate_random_walk_deg_h_sqrt_h: float = 0.0,
        bias_deg_h: float = 0.0,
        bias_instability_deg_h: float = 0.0,
        correlation_time_s: float | None = None,
        errors: ArrayLike = NO_ERRORS,
        step_arcsec: float = 0.0,
        rate_step_deg_h: float = 0.0,
        limit_deg_s: float | None = None,
        name: str = "gyro",
    ) -> "RateGyro":
        """Return a gyro from data-sheet values.

        Parameters
        ----------
        angle_random_walk_deg_sqrt_h : float
            N, deg/sqrt(h). Multiply a one-sided value in deg/s/sqrt(Hz) by 60/sqrt(2).
        rate_random_walk_deg_h_sqrt_h : float
            K, deg/h/sqrt(h).
        bias_deg_h : float
            Standard deviation of the bias at switch-on, deg/h.
        bias_instability_deg_h : float
            B, deg/h: the flat part of the Allan deviation is 0.664 B. Divide by 0.664 if the data sheet gives the flat
            part.
        correlation_time_s : float or None
            Correlation time of the Gauss-Markov bias that models it, s; its Allan deviation peaks at 1.89 times this.
        errors : array_like, shape (3, 3)
            Scale errors and misalignments: 100 ppm is 1e-4 on the diagonal, 1 mrad is 1e-3 off it.
        step_arcsec : float
            Angle of one count, arcsec.
        rate_step_deg_h : float
            Resolution of the rate output, deg/h.
        limit_deg_s : float or None
            Range, deg/s.
        name : str
            Name of the sensor.

        Returns
        -------
        RateGyro
            The gyro, in SI units; `dataclasses.replace` sets mounting, loss and outages.

        Raises
        ------
        InputError
            When a number is negative or not small.
        """
        return cls(
            noise=angle_random_walk_deg_sqrt_h * DEG_SQRT_H,
            walk=rate_random_walk_deg_h_sqrt_h * DEG_H / 60.0,
            bias=bias_deg_h * DEG_H,
            flicker=bias_instability_deg_h * DEG_H * FLOOR,
            flicker_time=correlation_time_s,
            errors=errors,
            step=step_arcsec * DEG_H,
            rate_step=rate_step_deg_h * DEG_H,
            limit=None if limit_deg_s is None else limit_deg_s * pi / 180.0,
            name=name,
        )

    def block(self, *, sample: float, offset: float = 0.0, delay: float = 0.0, shadows: bool = False) -> Block:
        """Return the gyro as a block.

        Parameters
        ----------
        sample : float
            Time between readings, s.
        offset : float
            Time of the first, s; that reading assumes that the craft turned at the current rate before.
        delay : float
            Time from the end of an interval until its reading takes effect, s.
        shadows : bool
            Whether it writes "rate" instead of a signal of its name, so that the law uses it without changes; a lost
            reading then repeats the last.

        Returns
        -------
        Block
            It writes a signal of its name: mean rate since the last reading (3, rad/s, body axes), the validity flag
            (1, or 0 where the last value is held), the end of the interval (s).

        Raises
        ------
        InputError
            When a time is out of range.
        """
        return message_block(self, self.reading(sample), sample=sample, offset=offset, delay=delay, shadows=shadows)

    def reading(self, sample: float) -> Reading:
        """Return the kernel and parameters of this sensor, for replay.

        Parameters
        ----------
        sample : float
            Time between readings, s.

        Returns
        -------
        Reading
            Kernel, signals, parameters and memory.
        """
        mounting = rotation_matrix(unit_quaternion("mounting", self.mounting))
        found = filled(
            GYRO,
            head=head(self),
            period=positive("sample", sample, "s"),
            noise=self.noise,
            walk=self.walk,
            bias=self.bias,
            flicker=self.flicker,
            flicker_time=self.flicker_time or 1.0,
            step=self.step,
            rate_step=self.rate_step,
            limit=self.limit or 0.0,
            errors=np.eye(3) + np.asarray(self.errors),
            mounting=mounting,
        )
        errors = mounting @ (np.eye(3) + np.asarray(self.errors)) @ mounting.T
        words = "counts and words of the gyro count with gain 1" if self.step > 0.0 or self.rate_step > 0.0 else ""

        return Reading(
            kernel=gyro_kernel, reads=WIDTHS, numbers=found, memory=[0.0] * GYRO_MEMORY.size, width=3, unit="rad/s",
            shadows="rate", form=partial(_form, errors, words, sample), noise=self._noise,
            silent=(GYRO.noise, GYRO.walk, GYRO.bias, GYRO.flicker, GYRO.step, GYRO.rate_step),
        )  # fmt: skip

    def _noise(self, y0: Array, T: float) -> list[ShapedNoise]:
        """Return the noise of the mean rate in body axes, as drawn by `gyro_kernel`."""
        R = rotation_matrix(unit_quaternion("mounting", self.mounting))
        del y0
        found = [ShapedNoise(source="angle random walk", D=self.noise / sqrt(T) * R)]
        if self.bias > 0.0:
            found.append(ShapedNoise(source="bias at switch-on", D=self.bias * R, constant=True))
        if self.walk > 0.0:  # the bias at the start of an interval, half its step, and the independent remainder
            step = self.walk * sqrt(T)
            halves = np.hstack((0.5 * step * R, step / sqrt(12.0) * R))
            found.append(ShapedNoise(source="rate random walk", A=np.eye(3), B=step * np.eye(3, 6), C=R, D=halves))
        if self.flicker_time is not None:
            x = T / self.flicker_time
            noise = [gauss_markov(0.0, self.flicker, x, *each) for each in ((1.0, 0.0), (0.0, 1.0))]
            kept, mean = gauss_markov(1.0, 0.0, x, 0.0, 0.0)
            (first, shared), (_, rest) = noise
            both = np.hstack((shared * R, rest * R))
            found.append(ShapedNoise(source="flicker", A=kept * np.eye(3), B=first * np.eye(3, 6), C=mean * R, D=both))
        if self.step > 0.0:  # counts carry their remainder: differences of an error that is uniform within a count
            error = self.step / sqrt(12.0) / T
            found.append(ShapedNoise(source="counts", A=np.zeros((3, 3)), B=np.eye(3), C=-error * R, D=error * R))
        if self.rate_step > 0.0:
            found.append(rounding("rate word", self.rate_step, size=3).through(R))
        return found

    def record(self, t: ArrayLike, attitude: ArrayLike, *, seed: int, run: int = 0) -> GyroRecord:
        """Return the record of a motion, as its block would write it.

        Parameters
        ----------
        t : array_like, shape (m + 1,)
            Times of its readings, s, the first at switch-on: `run["t"]`, say.
        attitude : array_like, shape (m + 1, 4)
            Euler parameters at these times; successive ones differ by less than half a turn.
        seed : int
            Seed of all sensors of a simulation.
        run : int
            Number of the run; each run has its own random numbers.

        Returns
        -------
        GyroRecord
            The readings and the true bias; a lost reading repeats the last.

        Raises
        ------
        InputError
            When times do not ascend, or shapes differ.
        """
        times = numbers("t", t, "s").ravel()
        period = float(times[1] - times[0]) if times.size > 1 and times[1] > times[0] else 1.0
        reading = self.reading(period)
        times, rows = motion_rows(reading, t, attitude, None)
        block = message_block(self, reading, sample=period, more={f"{self.name}_bias": 3})
        found = block.replay(times, rows, seed=seed, run=run)
        return GyroRecord(
            measured=RateRecord(times[1:], found[1:, :3], start=float(times[0])), bias=found[:, 3 + MESSAGE :]
        )

    def allan_deviation(self, tau: ArrayLike) -> Array:
        """Return the Allan deviation computed from its parameters.

        Parameters
        ----------
        tau : array_like, shape (k,)
            Averaging times, s.

        Returns
        -------
        numpy.ndarray, shape (k,)
            ``sqrt(noise^2/tau + walk^2 tau/3 + step^2/(4 tau^2) + F)``, rad/s (IEEE Std 952, annex C). F is that of the
            Gauss-Markov bias, ``(2 s^2/x) (1 - (3 - 4 e^-x + e^-2x)/(2 x))``, x = tau/flicker_time. The rate resolution
            is omitted: its error depends on the motion.
        """
        each = numbers("tau", tau, "s")
        found = self.noise**2 / each + self.walk**2 * each / 3.0 + self.step**2 / (4.0 * each**2)
        if self.flicker_time is not None:
            x = each / self.flicker_time
            # the subtracted term is 1 - x^2/3 + ..., and must not cancel
            rest = np.where(x < 1e-3, x * x / 3.0, 1.0 - (3.0 - 4.0 * np.exp(-x) + np.exp(-2.0 * x)) / (2.0 * x))
            found = found + 2.0 * self.flicker**2 / x * rest
        return np.asarray(np.sqrt(found))

    def plot_allan(self, rate: ArrayLike, *, sample: float) -> "Figure":
        """Return a plot of the Allan deviation of a record, with the theoretical curve and its parts.

        Parameters
        ----------
        rate : array_like, shape (n, 3)
            Mean rates over equal intervals of a gyro at rest, rad/s: `record(...).measured.rate`, or measured ones.
        sample : float
            The interval, s.

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
        # plotting belongs to polhode.sim, which this package must not import at the top
        return import_module("polhode.sim.results.allan_plot").draw_allan(
            self, rows, sample=positive("sample", sample, "s")
        )


def _form(errors: Array, words: str, sample: float, y0: Array) -> BlockForm:
    """Return the form of the mean rate: the rotation since the last sample, whose attitude is its state."""
    small = np.hstack((error_of(y0[:4]), np.zeros((3, 3))))
    flow, gain = turning(y0[4:7], sample)
    E = errors @ np.linalg.inv(gain)
    return BlockForm(
        A=np.zeros((3, 3)), B=small, C=-E @ flow, D=E @ small, rests=errors @ y0[4:7], words=words, spins=True
    )  # fmt: skip
