"""Sensor records for filters: times of validity, measurements, noise and delay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import rotation_matrix
from ....plant.brief import brief
from ....plant.checks import non_negative, numbers, unit_quaternion
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays

Array = NDArray[np.float64]

WIDTH = 11
"""Length of a packed measurement, whose last number is 0 for an attitude and 1 for a direction."""


@frozen_arrays
@dataclass(frozen=True, repr=False, init=False)
class RateRecord:
    """Body rates measured by a gyro: mean rates over successive intervals.

    Parameters
    ----------
    t : array_like, shape (m,)
        Times at which the intervals end, s, ascending.
    rate : array_like, shape (m, 3)
        Mean rate over each interval, rad/s, body components.
    start : float
        Beginning of the first interval, s.

    Raises
    ------
    InputError
        When shapes differ or times do not ascend from `start`.
    """

    t: Array
    rate: Array
    start: float

    __repr__ = brief

    def __init__(self, t: ArrayLike, rate: ArrayLike, *, start: float = 0.0) -> None:
        times = _times("t", t, start)
        object.__setattr__(self, "t", times)
        object.__setattr__(self, "rate", _rows("rate", rate, len(times), 3, "rad/s"))
        object.__setattr__(self, "start", float(start))


@frozen_arrays
@dataclass(frozen=True, repr=False, init=False)
class AttitudeSightings:
    """Attitudes measured by a star tracker.

    Parameters
    ----------
    t : array_like, shape (m,)
        Times of validity (mid-exposure), s, ascending; may be empty.
    attitude : array_like, shape (m, 4)
        Euler parameters, scalar first, of either sign.
    sigma : array_like, scalar or shape (3,)
        Noise about each sensor axis, rad: e_m = e o Exp(noise).
    mounting : array_like, shape (4,)
        Euler parameters of the sensor axes in the body: a_body = R(mounting) a_sensor.
    delay : float
        Time from validity until the filter receives it, s.
    name : str
        Name of the sensor.

    Raises
    ------
    InputError
        When shapes differ, times do not ascend, an attitude does not have norm 1, or sigma is not a small angle.
    """

    t: Array
    attitude: Array
    sigma: Array
    mounting: Array
    delay: float
    name: str

    __repr__ = brief

    def __init__(
        self,
        t: ArrayLike,
        attitude: ArrayLike,
        *,
        sigma: ArrayLike,
        mounting: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        delay: float = 0.0,
        name: str = "star_tracker",
    ) -> None:
        times = _times("t", t)
        seen = _rows("attitude", attitude, len(times), 4, "")
        size = np.linalg.norm(seen, axis=1)
        if (np.abs(size - 1.0) > 1e-6).any():
            raise InputError(
                f"{name}: attitudes must be unit Euler parameters; one has length {size[np.abs(size - 1.0).argmax()]:g}"
            )
        object.__setattr__(self, "t", times)
        object.__setattr__(self, "attitude", seen)
        object.__setattr__(self, "sigma", _sigma(name, sigma, 3))
        object.__setattr__(self, "mounting", unit_quaternion("mounting", mounting))
        object.__setattr__(self, "delay", non_negative("delay", delay, "s"))
        object.__setattr__(self, "name", str(name))

    def packed(self) -> Array:
        """Return rows (m, WIDTH): attitude, then the lower triangle of the noise covariance in body axes."""
        M = rotation_matrix(self.mounting)
        R = M @ np.diag(self.sigma**2) @ M.T
        return _packed(len(self.t), (self.attitude, np.tile(R[np.tril_indices(3)], (len(self.t), 1))), 0.0)


@frozen_arrays
@dataclass(frozen=True, repr=False, init=False)
class VectorSightings:
    """Directions measured by a sun sensor or a magnetometer.

    Parameters
    ----------
    t : array_like, shape (m,)
        Times of validity, s, ascending.
    body : array_like, shape (m, 3)
        Measured directions, body components, of any nonzero length.
    inertial : array_like, shape (m, 3) or (3,)
        Inertial components of the directions.
    sigma : float
        Noise about each axis perpendicular to the direction, rad.
    delay : float
        Time from validity until the filter receives it, s.
    name : str
        Name of the sensor.

    Raises
    ------
    InputError
        When shapes differ, times do not ascend, a direction is zero, or sigma is not a small angle.
    """

    t: Array
    body: Array
    inertial: Array
    sigma: float
    delay: float
    name: str

    __repr__ = brief

    def __init__(
        self,
        t: ArrayLike,
        body: ArrayLike,
        *,
        inertial: ArrayLike,
        sigma: float,
        delay: float = 0.0,
        name: str = "vector_sensor",
    ) -> None:
        times = _times("t", t)
        known = numbers("inertial", inertial)
        object.__setattr__(self, "t", times)
        object.__setattr__(self, "body", _unit(name, _rows("body", body, len(times), 3, "")))
        rows = np.broadcast_to(known, (len(times), 3)) if known.shape == (3,) else known
        object.__setattr__(self, "inertial", _unit(name, _rows("inertial", rows, len(times), 3, "")))
        object.__setattr__(self, "sigma", float(_sigma(name, sigma, 1)[0]))
        object.__setattr__(self, "delay", non_negative("delay", delay, "s"))
        object.__setattr__(self, "name", str(name))

    def packed(self) -> Array:
        """Return rows (m, WIDTH): measured direction, expected direction, sigma."""
        return _packed(len(self.t), (self.body, self.inertial, np.full((len(self.t), 1), self.sigma)), 1.0)


def _packed(m: int, parts: tuple[Array, ...], kind: float) -> Array:
    rows = np.zeros((m, WIDTH))
    together = np.hstack(parts)
    rows[:, : together.shape[1]] = together
    rows[:, -1] = kind
    return rows


def _times(name: str, value: ArrayLike, start: float = -np.inf) -> Array:
    times = numbers(name, value, "s")
    if times.ndim != 1:
        raise InputError(f"{name} must be a sequence of times, s; got shape {times.shape}")
    if times.size and not (times[0] >= start and (np.diff(times) > 0.0).all()):
        raise InputError(f"{name} must ascend{'' if start == -np.inf else f' from {start:g} s'}")
    return times


def _rows(name: str, value: ArrayLike, m: int, width: int, unit: str) -> Array:
    rows = numbers(name, value, unit)
    if rows.shape != (m, width):
        raise InputError(f"{name} must have a row for each of {m} times, shape ({m}, {width}); got {rows.shape}")
    return rows


def _unit(name: str, rows: Array) -> Array:
    size = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (size > 0.0).all():
        raise InputError(f"{name} contains a direction of length zero; omit that sample")
    return np.asarray(rows / size)


def require_small(words: str, sigma: Array) -> None:
    """Raise if a standard deviation of an angle, rad, is not between 0 and 1: its unit is probably wrong."""
    if not ((sigma > 0.0) & (sigma < 1.0)).all():
        raise InputError(
            f"{words} must be above 0 and below 1 rad; got {sigma.max():g} rad (degrees or arcsec? "
            "1 arcsec is 4.85e-6 rad)"
        )


def _sigma(name: str, value: ArrayLike, count: int) -> Array:
    given = numbers("sigma", value, "rad").ravel()
    if given.size not in {1, count}:
        raise InputError(
            f"{name}: sigma must be one number{'' if count == 1 else f' or {count}'}, rad; got {given.size}"
        )
    require_small(f"{name}: sigma", given)
    return np.broadcast_to(given, (count,)).astype(np.float64)
