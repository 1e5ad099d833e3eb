"""A star tracker: attitudes with noise that is worse about its boresight, late, and lost when it turns too fast."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import from_rotation_vector, quaternion_product, rotation_matrix
from ...plant.brief import brief
from ...plant.checks import non_negative, positive, unit_quaternion, vector
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..estimators.sightings import AttitudeSightings
from .attitudes import history, increments
from .draws import normals

__all__ = ["StarTracker"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class StarTracker:
    """A star tracker, its boresight along z of its own axes.

    It measures ``e_m = e o Exp(R(mounting) nu)``, nu normal with the variances ``(across^2, across^2, roll^2)``.

    Parameters
    ----------
    across : float
        Noise about each axis across the boresight, rad (noise-equivalent angle).
    roll : float
        Noise about the boresight, rad; five to twenty times `across`.
    mounting : array_like, shape (4,)
        Euler parameters of its axes in the body: a_body = R(mounting) a_sensor.
    delay : float
        From mid-exposure to when its attitude is told, s.
    rate_limit : float or None
        Body rate above which it loses the stars, rad/s.
    name : str
        What it is called; another name draws other numbers.

    Raises
    ------
    InputError
        When a noise is not a small angle.

    Notes
    -----
    F. L. Markley & J. L. Crassidis (2014), ch. 4. Errors of the field of view, which stay while a star crosses it, are
    not white and not part of this noise. Aberration is taken to be corrected by the unit.

    Examples
    --------
    >>> tracker = StarTracker(across=2e-5, roll=2e-4)
    >>> seen = tracker.record([0.0, 1.0], [(1, 0, 0, 0)] * 2, seed=1)
    >>> seen.attitude.shape
    (2, 4)
    """

    across: float
    roll: float
    mounting: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    delay: float = 0.0
    rate_limit: float | None = None
    name: str = "star tracker"

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name in ("across", "roll"):
            value = positive(name, getattr(self, name), "rad")
            if value >= 0.1:
                raise InputError(
                    f"{name} of {self.name} must be a small angle, below 0.1 rad; got {value:g} rad (arcsec? 1 arcsec "
                    "is 4.85e-6 rad)"
                )
            object.__setattr__(self, name, value)
        object.__setattr__(self, "mounting", unit_quaternion("mounting", self.mounting))
        object.__setattr__(self, "delay", non_negative("delay", self.delay, "s"))
        if self.rate_limit is not None:
            object.__setattr__(self, "rate_limit", positive("rate_limit", self.rate_limit, "rad/s"))

    def record(self, t: ArrayLike, attitude: ArrayLike, *, seed: int, run: int = 0) -> AttitudeSightings:
        """Return what it would have seen of a motion.

        Parameters
        ----------
        t : array_like, shape (m,)
            Times of its exposures, s.
        attitude : array_like, shape (m, 4)
            Euler parameters at these times.
        seed : int
            Of all sensors of an experiment.
        run : int
            Which of many runs it is; each draws its own numbers.

        Returns
        -------
        AttitudeSightings
            Those it could see: where it turned faster than `rate_limit` since the exposure before, there is none.

        Raises
        ------
        InputError
            When times do not ascend or shapes differ.
        """
        times, e = history(t, attitude)
        drawn = normals(self.name, len(times), 2, seed=seed, run=run)
        sigma = vector("sigma", (self.across, self.across, self.roll))
        noise = sigma * np.column_stack((drawn[:, 0], drawn[:, 1, 0])) @ rotation_matrix(self.mounting).T
        seen = quaternion_product(e, from_rotation_vector(noise))
        kept = np.ones(len(times), dtype=bool)
        if self.rate_limit is not None and len(times) > 1:
            rates = np.linalg.norm(increments(e), axis=1) / np.diff(times)
            kept = np.append(rates[:1], rates) <= self.rate_limit
        return AttitudeSightings(
            times[kept], seen[kept], sigma=sigma, mounting=self.mounting, delay=self.delay, name=self.name
        )
