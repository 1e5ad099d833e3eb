"""Sliding mode in a case."""

from collections.abc import Callable
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ....controllers import SlidingMode
from ....plant import LinearModel, Spacecraft
from ...case.schema.fields import Weight
from ...case.schema.sampled import SampledTable
from .kind import LawKind, Numbers

__all__ = ["KIND", "SlidingModeTable"]

Array = NDArray[np.float64]


class SlidingModeTable(SampledTable):
    """Sliding mode with a boundary layer, s = rate error + slope x vector part of the error."""

    kind: Literal["sliding-mode"] = Field(description="which law")
    slope_1_s: Weight = Field(description="L, 1/s; one or per axis")
    reach_N_m: Weight = Field(description="K, N m, more than the disturbance; one or per axis")
    boundary_layer_rad_s: Weight = Field(description="phi, rad/s; one or per axis")


def _make(table: SlidingModeTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> SlidingMode:
    """Make the sliding mode law."""
    return SlidingMode(
        inertia=craft.locked_inertia(craft.at_rest()),
        slope=table.slope_1_s,
        reach=table.reach_N_m,
        boundary_layer=table.boundary_layer_rad_s,
        sample=table.sample_s,
        delay=table.delay_s,
        torques=craft.torques,
    )


def _tuning(table: SlidingModeTable, J: Array) -> tuple[float, float]:
    """Within the layer (d/dt + L/2)(d/dt + K / (phi J)) theta = 0."""
    slow = 0.5 * np.full(3, table.slope_1_s)
    fast = np.full(3, table.reach_N_m) / (np.full(3, table.boundary_layer_rad_s) * J)
    wn = np.sqrt(slow * fast)
    return float(wn.mean()), float(((slow + fast) / (2.0 * wn)).mean())


def _tuned(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Two real poles whose product is wn^2; with a ratio below 1, the double pole."""
    spread = ratio + sqrt(max(ratio**2 - 1.0, 0.0)) if ratio > 1.0 else 1.0
    slow, fast = frequency / spread, frequency * spread
    layer = 2.0 * slow * 0.1  # the surface's rate at an error angle of 0.2 rad
    return {
        "slope_1_s": 2.0 * slow,
        "boundary_layer_rad_s": layer,
        "reach_N_m": tuple((fast * layer * J).tolist()),
    }


KIND = LawKind(table=SlidingModeTable, make=_make, tuning=_tuning, tuned=_tuned)
