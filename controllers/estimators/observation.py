"""What a filter takes the messages of a sensor to be."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...plant.brief import brief
from ...plant.frozen import frozen_arrays
from ..guidance.inertial_vector import InertialVector

__all__ = ["MESSAGE", "Observation", "Observer"]

MESSAGE = 2
"""Numbers behind the measurement in a message: valid (1 or 0), and the time of validity, s."""


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class Observation:
    """An attitude, or a direction, and how well it is known.

    Parameters
    ----------
    covariance : numpy.ndarray, shape (3, 3), or None
        Of a measured attitude's noise, body axes, rad^2: e_m = e o Exp(noise).
    direction : InertialVector or str or None
        What a measured direction is in inertial components; or the name of a signal of three numbers.
    sigma : float
        Noise of a direction about each axis across it, rad.
    """

    covariance: NDArray[np.float64] | None = None
    direction: InertialVector | str | None = None
    sigma: float = 0.0

    __repr__ = brief

    @property
    def width(self) -> int:
        """Numbers of its measurement: 4 of an attitude, 3 of a direction."""
        return 4 if self.direction is None else 3

    @property
    def degrees(self) -> int:
        """Degrees of freedom of its innovations: 3 of an attitude, 2 of a direction."""
        return 3 if self.direction is None else 2


@runtime_checkable
class Observer(Protocol):
    """A sensor of attitudes or directions: `observation()` says what a filter should take its messages to be."""

    name: Any

    def observation(self) -> Observation:
        """Return what its messages are and how well they are known.

        Returns
        -------
        Observation
            Attitude with covariance, or direction with sigma.
        """
        ...
