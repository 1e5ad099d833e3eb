"""Keys of direction sensors in a case: the direction and its rate."""

from math import pi
from typing import Any

import numpy as np

from ....controllers.guidance.inertial_vector import InertialVector
from ...case.located import located
from ...case.schema.fields import Vector3

__all__ = ["DEG", "STILL", "direction_of"]

DEG = pi / 180.0
STILL = (0.0, 0.0, 0.0)


def direction_of(key: str, value: Vector3, rate_deg_s: Vector3, *, unit: float = 1.0) -> InertialVector:
    """Return the direction and its rate from two keys; unit: unit of the direction. InputError names the key."""
    with located(key):
        rate: Any = DEG * np.asarray(rate_deg_s)
        return InertialVector(unit * np.asarray(value), rate=rate)
