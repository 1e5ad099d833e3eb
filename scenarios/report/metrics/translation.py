"""Motion of the mass centre of a translating spacecraft."""

from typing import TYPE_CHECKING

import numpy as np

from .kind import MetricSettings, metric, require

if TYPE_CHECKING:
    from ....sim import Run


@metric("distance of the mass centre from the inertial origin at the end, with plant.translation")
def final_distance_m(run: "Run", _: MetricSettings) -> float:
    require(run, "position", "the plant does not translate (plant.translation = true)")
    return float(np.linalg.norm(run.values("position")[-1]))
