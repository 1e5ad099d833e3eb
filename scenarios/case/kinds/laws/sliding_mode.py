"""Law kind for sliding-mode control."""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .....controllers import SlidingMode
from .declared_law import declared_law
from .kind import Numbers

Array = NDArray[np.float64]


def _tuning(table: Any, J: Array) -> tuple[float, float]:
    """Return the tuning within the boundary layer, (d/dt + L/2)(d/dt + K / (phi J)) theta = 0."""
    slow = 0.5 * np.full(3, table.slope_1_s)
    fast = np.full(3, table.reach_N_m) / (np.full(3, table.boundary_layer_rad_s) * J)
    wn = np.sqrt(slow * fast)
    return float(wn.mean()), float(((slow + fast) / (2.0 * wn)).mean())


def _tuned(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return the keys that give two real poles with product wn^2, equal poles if the ratio is below 1."""
    spread = ratio + sqrt(max(ratio**2 - 1.0, 0.0)) if ratio > 1.0 else 1.0
    slow, fast = frequency / spread, frequency * spread
    layer = 2.0 * slow * 0.1  # rate on the sliding surface at an error angle of 0.2 rad
    return {
        "slope_1_s": 2.0 * slow,
        "boundary_layer_rad_s": layer,
        "reach_N_m": tuple((fast * layer * J).tolist()),
    }


KIND = declared_law(
    SlidingMode,
    doc="Sliding mode with a boundary layer, s = rate error + slope x vector part of the error.",
    module=__name__,
    keys={"slope": "", "reach": "", "boundary_layer": ""},
    supplied={"inertia": lambda craft: craft.locked_inertia(craft.at_rest())},
    tuning=_tuning,
    tuned=_tuned,
)
