"""A rate gyro: white noise, a bias that walks, scale and misalignment, the step of its angle, its range."""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.brief import brief
from ...plant.checks import non_negative, numbers, positive
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays, frozen_results
from ..estimators.sightings import RateRecord
from .attitudes import history, increments
from .draws import normals

__all__ = ["GyroRecord", "RateGyro"]

Array = NDArray[np.float64]

DEG_SQRT_H = pi / 180.0 / 60.0  # 1 deg/sqrt(h) in rad/sqrt(s)
DEG_H = pi / 180.0 / 3600.0  # 1 deg/h in rad/s


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class GyroRecord:
    """What a gyro recorded, and what a filter does not see.

    Attributes
    ----------
    measured : RateRecord
        Mean rates over each interval, rad/s.
    bias : numpy.ndarray, shape (m + 1, 3)
        Its true bias at the start and at each time, rad/s.
    """

    measured: RateRecord
    bias: Array

    __repr__ = brief


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class RateGyro:
    """A three-axis rate gyro.

    It measures the angle turned in each interval T: ``(1 + M) integral(omega) + b0 T + n1``, ``b1 = b0 + n2``, with

        cov(n1, n2) = [[noise^2 T + walk^2 T^3/3, walk^2 T^2/2], [walk^2 T^2/2, walk^2 T]]   per axis

    so that what is drawn does not depend on how often it is read. It then counts whole steps of angle and keeps the
    rest for the next reading, and stops at its range.

    Parameters
    ----------
    noise : float
        sigma_v, angle random walk, rad/sqrt(s).
    walk : float
        sigma_u, rate random walk of the bias, rad/s^(3/2).
    bias : float
        Standard deviation of the bias at switch-on, rad/s, drawn once for each axis.
    errors : array_like, shape (3, 3)
        M: scale errors on the diagonal, misalignments off it (rad); need not be symmetric.
    step : float
        Angle of one count, rad; 0: none.
    limit : float or None
        Largest mean rate it can tell, rad/s.
    name : str
        What it is called; another name draws other numbers.

    Raises
    ------
    InputError
        When a number is negative or not small.

    Notes
    -----
    R. L. Farrenkopf (1978); IEEE Std 952, annex C for the names. The angle turned is taken as the rotation vector
    between two attitudes, which leaves out coning within an interval.

    Examples
    --------
    >>> gyro = RateGyro.from_data_sheet(angle_random_walk_deg_sqrt_h=0.01, rate_random_walk_deg_h_sqrt_h=0.005)
    >>> print(f"{gyro.noise:.6e} {gyro.walk:.6e}")
    2.908882e-06 4.040114e-10
    """

    noise: float
    walk: float = 0.0
    bias: float = 0.0
    errors: ArrayLike = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    step: float = 0.0
    limit: float | None = None
    name: str = "gyro"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, unit in (("noise", "rad/sqrt(s)"), ("walk", "rad/s^(3/2)"), ("bias", "rad/s"), ("step", "rad")):
            value = non_negative(name, getattr(self, name), unit)
            if value >= 1.0:
                raise InputError(f"{name} of {self.name} must be below 1 {unit}; got {value:g}: give it in radians")
            object.__setattr__(self, name, value)
        errors = numbers("errors", self.errors)
        if errors.shape != (3, 3) or not (np.abs(errors) < 0.5).all():
            raise InputError(
                f"errors of {self.name} must be 3 x 3 numbers below 0.5, what is added to the unit matrix; a scale "
                "error of 100 ppm is 1e-4"
            )
        object.__setattr__(self, "errors", errors)
        if self.limit is not None:
            object.__setattr__(self, "limit", positive("limit", self.limit, "rad/s"))

    @classmethod
    def from_data_sheet(
        cls,
        *,
        angle_random_walk_deg_sqrt_h: float,
        rate_random_walk_deg_h_sqrt_h: float = 0.0,
        bias_deg_h: float = 0.0,
        errors: ArrayLike = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        step_arcsec: float = 0.0,
        limit_deg_s: float | None = None,
        name: str = "gyro",
    ) -> "RateGyro":
        """Return a gyro from the numbers that data sheets print.

        Parameters
        ----------
        angle_random_walk_deg_sqrt_h : float
            N, deg/sqrt(h); one printed in deg/s/sqrt(Hz), one-sided, times 60/sqrt(2) is this.
        rate_random_walk_deg_h_sqrt_h : float
            K, deg/h/sqrt(h).
        bias_deg_h : float
            Standard deviation at switch-on, deg/h.
        errors : array_like, shape (3, 3)
            Scale errors and misalignments.
        step_arcsec : float
            Angle of one count, arcsec.
        limit_deg_s : float or None
            Largest rate, deg/s.
        name : str
            What it is called.

        Returns
        -------
        RateGyro
            In SI units.

        Raises
        ------
        InputError
            When a number is negative or not small.
        """
        return cls(
            noise=angle_random_walk_deg_sqrt_h * DEG_SQRT_H,
            walk=rate_random_walk_deg_h_sqrt_h * DEG_H / 60.0,
            bias=bias_deg_h * DEG_H,
            errors=errors,
            step=step_arcsec * DEG_H,
            limit=None if limit_deg_s is None else limit_deg_s * pi / 180.0,
            name=name,
        )

    def record(self, t: ArrayLike, attitude: ArrayLike, *, seed: int, run: int = 0) -> GyroRecord:
        """Return what it would have recorded of a motion.

        Parameters
        ----------
        t : array_like, shape (m + 1,)
            Times of its readings, s, the first when it is switched on: `run["t"]`, say.
        attitude : array_like, shape (m + 1, 4)
            Euler parameters at these times; between two it turns by less than half a turn.
        seed : int
            Of all sensors of an experiment.
        run : int
            Which of many runs it is; each draws its own numbers.

        Returns
        -------
        GyroRecord
            The readings and the true bias.

        Raises
        ------
        InputError
            When times do not ascend or shapes differ.
        """
        times, e = history(t, attitude)
        T = np.diff(times)[:, np.newaxis]
        drawn = normals(self.name, len(times), 3, seed=seed, run=run)
        one, other = drawn[1:, :, 0], drawn[1:, :, 1]
        steps = self.walk * np.sqrt(T) * one
        # given the step of the bias, the angle has mean T/2 times it and this variance left
        angles = 0.5 * T * steps + np.sqrt(self.noise**2 * T + self.walk**2 * T**3 / 12.0) * other
        bias = self.bias * drawn[0, :, 0] + np.vstack((np.zeros(3), np.cumsum(steps, axis=0)))
        turned = increments(e) @ (np.eye(3) + np.asarray(self.errors)).T + bias[:-1] * T + angles
        if self.step > 0.0:
            counts = np.round(np.cumsum(turned, axis=0) / self.step)
            turned = self.step * np.diff(counts, axis=0, prepend=0.0)
        rate = turned / T
        if self.limit is not None:
            rate = np.clip(rate, -self.limit, self.limit)
        return GyroRecord(measured=RateRecord(times[1:], rate, start=float(times[0])), bias=bias)

    def allan_deviation(self, tau: ArrayLike) -> Array:
        """Return the Allan deviation that its numbers make.

        Parameters
        ----------
        tau : array_like, shape (k,)
            Averaging times, s.

        Returns
        -------
        numpy.ndarray, shape (k,)
            ``sqrt(noise^2/tau + walk^2 tau/3 + step^2/(4 tau^2))``, rad/s (IEEE Std 952, annex C).
        """
        each = numbers("tau", tau, "s")
        return np.asarray(np.sqrt(self.noise**2 / each + self.walk**2 * each / 3.0 + self.step**2 / (4.0 * each**2)))
