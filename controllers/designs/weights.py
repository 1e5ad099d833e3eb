"""Weights of a linear-quadratic design."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import weight
from ...plant.frozen import frozen_arrays
from ..contracts.checks import read_only

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Weights:
    """Weights of a linear-quadratic design.

    The cost is the sum over samples of delta' `attitude` delta + rate error' `rate` rate error + torque' `effort`
    torque, with the attitude error delta.

    attitude (3, 3): per rad^2.
    rate (3, 3): per (rad/s)^2.
    effort (3, 3): per (N m)^2, on the components of the plant's torque basis.
    """

    attitude: Array
    rate: Array
    effort: Array

    def __post_init__(self) -> None:
        """Store read-only copies."""
        for name in ("attitude", "rate", "effort"):
            object.__setattr__(self, name, read_only(weight(f"{name} weight", getattr(self, name), 3)))

    def to_dict(self) -> dict[str, Any]:
        """Return nested lists for JSON."""
        return {
            "attitude_weight": self.attitude.tolist(),
            "rate_weight": self.rate.tolist(),
            "effort_weight": self.effort.tolist(),
        }
