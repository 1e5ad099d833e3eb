"""Measurement model that a filter uses for a sensor's messages."""

from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.frozen import frozen_arrays
from ...guidance.inertial_vector import InertialVector

MESSAGE = 2
"""Width of a message after the measurement: validity flag (1 or 0), and time of validity, s."""


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class Observation:
    """Measurement model of an attitude or a direction, with its noise.

    Parameters
    ----------
    covariance : numpy.ndarray, shape (3, 3), or None
        Noise covariance of a measured attitude e_m = e o Exp(noise), body axes, rad^2; None for a direction.
    direction : InertialVector or str or None
        Inertial components of a measured direction, or the signal that contains them; None for an attitude.
    sigma : float
        Noise of a direction about each perpendicular axis, rad.
    """

    covariance: NDArray[np.float64] | None = None
    direction: InertialVector | str | None = None
    sigma: float = 0.0

    __repr__ = brief

    def scaled(self, factor: float) -> "Observation":
        """Return the model with a different noise.

        Parameters
        ----------
        factor : float
            Factor on the standard deviations.

        Returns
        -------
        Observation
            The model.
        """
        covariance = None if self.covariance is None else factor**2 * self.covariance
        return replace(self, covariance=covariance, sigma=factor * self.sigma)

    @property
    def width(self) -> int:
        """Width of the measurement: 4 for an attitude, 3 for a direction."""
        return 4 if self.direction is None else 3

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the innovations: 3 for an attitude, 2 for a direction."""
        return 3 if self.direction is None else 2


@runtime_checkable
class Observer(Protocol):
    """A sensor of attitudes or directions, whose `observation()` returns its measurement model."""

    name: Any

    def observation(self) -> Observation:
        """Return the measurement model of the sensor's messages.

        Returns
        -------
        Observation
            Attitude with covariance, or direction with sigma.
        """
        ...
