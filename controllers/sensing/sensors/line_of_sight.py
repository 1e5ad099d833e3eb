"""Lines of sight of sensors, and the inertial directions that they measure, for figures.

A sensor with a method `lines_of_sight` has a field of view; a sensor with `looks_for` provides the inertial directions
that it measures, by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class LineOfSight:
    """Field of view of a sensor as a cone.

    Parameters
    ----------
    axis : sequence of float, shape (3,)
        Boresight, a unit vector, body components.
    half_angle : float or None
        Half of the field of view, rad; None if the model has no field of view.
    """

    axis: Sequence[float]
    half_angle: float | None = None


def boresight_cone(mounting: NDArray[np.float64], half_angle: float | None = None) -> tuple[LineOfSight, ...]:
    """Return the field of view about the z axis of a sensor; mounting (3, 3): from sensor to body components."""
    return (LineOfSight(axis=boresight(mounting), half_angle=half_angle),)


def boresight(mounting: NDArray[np.float64]) -> list[float]:
    """Return the z axis of a sensor in body components; mounting (3, 3): from sensor to body components."""
    axis: Any = mounting[:, 2]
    return axis.tolist()
