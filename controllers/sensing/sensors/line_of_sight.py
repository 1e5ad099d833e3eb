"""Lines of sight of sensors, and the inertial directions that they look for, for pictures.

A sensor with `lines_of_sight` has a field of view; one with `looks_for` knows inertial directions by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class LineOfSight:
    """Field of view as a cone.

    Parameters
    ----------
    axis : sequence of float, shape (3,)
        Boresight, a unit vector, body components.
    half_angle : float or None
        Half of the field of view, rad; None where the model has none.
    """

    axis: Sequence[float]
    half_angle: float | None = None


def boresight(mounting: NDArray[np.float64]) -> list[float]:
    """Return the z axis of a sensor in the body; mounting (3, 3): from sensor to body components."""
    axis: Any = mounting[:, 2]
    return axis.tolist()
