"""Reference that points body axes relative to the orbit and the Sun: nadir, Sun and yaw steering."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import from_rotation_matrix, rotation_matrix
from ...plant.checks import choice, positive
from ...plant.environment.orbit import Orbit
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.checks import read_only
from .pointing_attitude import pointing_attitude
from .sampled_reference import SampledReference

Array = NDArray[np.float64]

TARGETS = ("nadir", "sun", "velocity", "orbit-normal")
ACCURACY = 1e-7
"""Largest interpolation error, rad."""
FINEST = 1.0  # s


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class OrbitPointing(SampledReference):
    """Reference that points one body axis at a target and a second axis near a second target.

    The target "nadir" with the clock target "sun" is yaw steering: the second axis stays on the side of the Sun, so
    that solar panels rotating about the third axis can face the Sun. The direction to the Sun is geometric, without
    aberration (20 arcsec). Attitudes are computed along the orbit and interpolated with an error of at most 1e-7 rad.

    Parameters
    ----------
    orbit : Orbit
        Orbit from `polhode.plant.environment`.
    duration : float
        Duration of the run, s.
    boresight : array_like, shape (3,)
        First body axis, of any nonzero length.
    clock : array_like, shape (3,)
        Second body axis, not parallel to the first.
    target : {"nadir", "sun", "velocity", "orbit-normal"}
        Target of the first axis.
    clock_target : {"orbit-normal", "velocity", "sun", "nadir"} or array_like, shape (3,)
        Target of the second axis; a vector is in inertial components.

    Raises
    ------
    InputError
        When the targets are equal, or pass each other so closely that the attitude changes too fast to be interpolated,
        or when the axes are parallel.

    Examples
    --------
    >>> from polhode.plant.environment import Epoch, MeanOrbit
    >>> orbit = MeanOrbit(epoch=Epoch("2026-03-20T12:00:00Z"), semi_major_axis=6878137.0, inclination=1.7)
    >>> nadir = OrbitPointing(orbit, 600.0, boresight=(0, 0, 1), clock=(0, -1, 0))
    >>> nadir.at(300.0)[4:6].round(6).tolist()  # the orbital rate, about minus the second body axis
    [0.0, -0.001105]
    """

    orbit: Orbit
    boresight: Array
    clock: Array
    target: str
    clock_target: Any

    def __init__(
        self,
        orbit: Orbit,
        duration: float,
        *,
        boresight: ArrayLike,
        clock: ArrayLike,
        target: str = "nadir",
        clock_target: str | ArrayLike = "orbit-normal",
    ) -> None:
        choice("target", target, TARGETS)
        if isinstance(clock_target, str):
            choice("clock target", clock_target, TARGETS)
            if clock_target == target:
                raise InputError(f"target and clock target are both {target!r}: give two different directions")
        else:
            clock_target = np.asarray(clock_target, dtype=np.float64)
        stop = positive("duration", duration, "s")
        body = rotation_matrix(pointing_attitude(boresight, (1, 0, 0), clock=clock, clock_target=(0, 1, 0)))
        for name, value in (("orbit", orbit), ("target", target), ("clock_target", clock_target)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "boresight", read_only(boresight))
        object.__setattr__(self, "clock", read_only(clock))
        t, e = _sampled(lambda t: _frames(orbit, t, target, clock_target) @ body, stop, orbit.period)
        super().__init__(t, e)

    def center_direction(self, t: float) -> Array:
        """Return the direction to the centre of the Earth.

        Parameters
        ----------
        t : float
            Time, s.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Unit vector in inertial components.
        """
        return _direction(self.orbit, np.array([t]), "nadir")[0]

    @property
    def follows_orbit(self) -> bool:
        """True if the reference rotates with the orbit instead of only with the Sun."""
        return {self.target, str(self.clock_target)} & {"nadir", "velocity"} != set()

    @property
    def steady(self) -> tuple[Array, Array]:
        """Attitude and rate at t = 0; the rate is zero if the reference rotates only with the Sun.

        With nadir and orbit normal on a circular orbit, the rate is constant in body axes.
        """
        r = self.at(0.0)
        return r[:4], r[4:7] if self.follows_orbit else np.zeros(3)


def _sampled(frames: Callable[[Array], Array], stop: float, period: float) -> tuple[Array, Array]:
    """Return times and attitudes whose spline is accurate to `ACCURACY`; frames returns matrices at times."""
    from scipy.interpolate import CubicSpline

    step = min(period / 60.0, stop / 4.0) if np.isfinite(period) else min(60.0, stop / 4.0)
    count = int(np.ceil(stop / step))
    while True:
        t = np.linspace(0.0, stop, 2 * count + 1)
        e = _continuous(from_rotation_matrix(frames(t)))
        spline: Any = CubicSpline(t[::2], e[::2])
        error = 2.0 * float(np.linalg.norm(spline(t[1::2]) - e[1::2], axis=1).max())
        if error <= ACCURACY:
            return t[::2], e[::2]
        if stop / count < FINEST:
            rate = float(np.linalg.norm(np.diff(e, axis=0), axis=1).max()) * 4.0 * count / stop
            raise InputError(
                f"the attitude rotates at {np.degrees(rate):.3g} deg/s along the orbit, too fast for steps of "
                f"{FINEST:g} s (error {error:.2g} rad): the clock target comes too close to the line of the target; "
                "choose a different clock target"
            )
        count *= 2


def _continuous(e: Array) -> Array:
    """Return Euler parameters (n, 4) with signs chosen for continuity."""
    products = (e[1:] * e[:-1]).sum(axis=1)
    return e * np.cumprod(np.concatenate(([1.0], np.where(products < 0.0, -1.0, 1.0))))[:, None]


def _direction(orbit: Orbit, t: Array, name: str | Array) -> Array:
    """Return the unit vectors (n, 3) to a target in inertial components."""
    if not isinstance(name, str):
        vectors = np.broadcast_to(name, (t.size, 3))
    elif name == "sun":
        from ...plant.environment import sun_position

        vectors = sun_position(orbit.epoch, t) - orbit.state(t)[0]
    else:
        r, v = orbit.state(t)
        vectors = {"nadir": -r, "velocity": v, "orbit-normal": np.cross(r, v)}[name]
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / size, dtype=np.float64)


def _frames(orbit: Orbit, t: Array, target: str, clock_target: str | Array) -> Array:
    """Return rotation matrices (n, 3, 3): first column to target, second nearest to clock target."""
    first, other = _direction(orbit, t, target), _direction(orbit, t, clock_target)
    third = np.cross(first, other)
    size = np.linalg.norm(third, axis=1)
    if not float(size.min(initial=1.0)) > 1e-6:
        at = float(t[int(np.argmin(size))])
        raise InputError(_too_close(target, clock_target, at, float(size.min())))
    third = third / size[:, None]
    return np.asarray(np.stack([first, np.cross(third, first), third], axis=2), dtype=np.float64)


def _too_close(target: str, clock_target: str | Array, t: float, sine: float) -> str:
    other = clock_target if isinstance(clock_target, str) else "the clock target"
    return (
        f"{other} comes within {np.degrees(sine):.2g} degrees of the line of {target} at t = {t:.6g} s, where the "
        "rotation about the boresight is not defined; choose another clock target"
    )
