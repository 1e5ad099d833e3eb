"""Orbit from a table of positions and velocities."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..frozen import frozen_arrays
from .epoch import Epoch
from .orbit import Orbit

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class EphemerisOrbit(Orbit):
    """Orbit through the rows of a table, by cubic Hermite interpolation of positions and velocities.

    The error between rows is (n h)^4 r/384, with the mean motion n and the step h: 0.35 m for 60 s in a low orbit.

    Parameters
    ----------
    epoch : Epoch
        Date of t = 0.
    t : array_like, shape (n,)
        Times of the rows, s, ascending; at least two.
    position : array_like, shape (n, 3)
        Positions, GCRF, m.
    velocity : array_like, shape (n, 3)
        Velocities, GCRF, m/s.

    Raises
    ------
    InputError
        When shapes differ, times do not ascend, or a velocity contradicts the positions.
    """

    name: ClassVar[str] = "the orbit of the ephemeris"

    epoch: Epoch
    t: Array
    position: Array
    velocity: Array

    def __post_init__(self) -> None:
        t, r, v = (np.array(each, dtype=np.float64) for each in (self.t, self.position, self.velocity))
        if t.ndim != 1 or t.size < 2 or r.shape != (t.size, 3) or v.shape != (t.size, 3):
            raise InputError(
                "an ephemeris needs n >= 2 times and positions and velocities of shape (n, 3); got shapes "
                f"{t.shape}, {r.shape} and {v.shape}"
            )
        if not (np.isfinite(t).all() and np.isfinite(r).all() and np.isfinite(v).all()):
            raise InputError("the times, positions and velocities of an ephemeris must be finite")
        steps = np.diff(t)
        if not (steps > 0.0).all():
            row = int(np.flatnonzero(steps <= 0.0)[0]) + 1
            raise InputError(
                f"the times of an ephemeris must ascend; row {row} is at {t[row]:g} s, after {t[row - 1]:g} s"
            )
        moved = np.diff(r, axis=0) / steps[:, None]
        mean = 0.5 * (v[1:] + v[:-1])
        off = np.linalg.norm(moved - mean, axis=1) / np.maximum(np.linalg.norm(moved, axis=1), 1e-300)
        if off.max() > 0.1:
            row = int(np.argmax(off))
            raise InputError(
                f"the velocities of an ephemeris do not match its positions (by {100 * off[row]:.3g} % between rows "
                f"{row} and {row + 1}): check km against m, or give rows closer together"
            )
        for name, value in (("t", t), ("position", r), ("velocity", v)):
            object.__setattr__(self, name, value)

    @property
    def span(self) -> tuple[float, float]:
        """First and last times in the table, s."""
        return float(self.t[0]), float(self.t[-1])

    @cached_property
    def _curve(self) -> Any:
        from scipy.interpolate import CubicHermiteSpline

        return CubicHermiteSpline(self.t, self.position, self.velocity, axis=0, extrapolate=True)

    def state(self, t: ArrayLike) -> tuple[Array, Array]:
        """Return position and velocity at given times.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s, within the table.

        Returns
        -------
        tuple of numpy.ndarray
            Position (m) and velocity (m/s) in GCRF, shape (..., 3).

        Raises
        ------
        InputError
            When a time is outside the table.
        """
        times = np.asarray(t, dtype=np.float64)
        first, last = self.span
        if times.size and not (first <= times.min() and times.max() <= last):
            raise InputError(
                f"the ephemeris covers {first:g} to {last:g} s; got {float(times.min()):g} to {float(times.max()):g} s"
            )
        return np.asarray(self._curve(times)), np.asarray(self._curve(times, 1))
