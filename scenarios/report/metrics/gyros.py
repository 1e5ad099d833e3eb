"""Control moment gyros: nearness to singularities, and torque that the steering law leaves out."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kind import MetricSettings, MissingPartError, metric

if TYPE_CHECKING:
    from ....sim import Run

__all__: list[str] = []


def _of_gyros(run: "Run", name: str) -> NDArray[np.float64]:
    """Return a signal of the steering block at the output rows."""
    if name not in run.names:
        raise MissingPartError("the case has no control moment gyros that produce the torque of the law")
    return np.asarray(run.values(name), dtype=np.float64)


@metric("least singularity measure of the control moment gyros at any sample: 0 where a torque is out of reach")
def least_singularity_measure(run: "Run", _: MetricSettings) -> float:
    return float(_of_gyros(run, "least_singularity_measure").ravel()[-1])


@metric("largest torque that the steering law of the gyros or their rate limit leaves out, at the output rows")
def peak_gyro_torque_error_N_m(run: "Run", _: MetricSettings) -> float:
    return float(np.linalg.norm(_of_gyros(run, "torque_error").reshape(-1, 3), axis=1).max())
