"""What sensors of a direction share: they record sightings for a filter."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import rotation_matrix
from ...plant.checks import unit_quaternion
from ..estimators.sightings import VectorSightings
from ..guidance.inertial_vector import InertialVector
from .sensor import Reading, Sensor, message_block, motion_rows

__all__ = ["mounted", "record_directions"]


def mounted(mounting: ArrayLike) -> NDArray[np.float64]:
    """R (3, 3) of the Euler parameters of a mounting, sensor to body."""
    return rotation_matrix(unit_quaternion("mounting", mounting))


def record_directions(
    sensor: Sensor,
    reading: Reading,
    source: InertialVector | str,
    t: ArrayLike,
    attitude: ArrayLike,
    *,
    sigma: Any,
    seed: int,
    run: int,
    delay: float,
    signals: Mapping[str, ArrayLike] | None,
) -> VectorSightings:
    """Return what a sensor of a direction would have seen; sigma (rad) may be a function of the lengths seen (m,)."""
    times, rows = motion_rows(reading, t, attitude, signals)
    found = message_block(sensor, reading, sample=1.0).replay(times, rows, seed=seed, run=run)
    kept = found[:, 3] > 0.0
    if isinstance(source, InertialVector):
        known = np.array([source.at(each) for each in times.tolist()])
    else:
        known = np.asarray((signals or {})[source], dtype=np.float64)
    seen = found[kept, :3]
    noise: Any = sigma(np.linalg.norm(known[kept], axis=1)) if callable(sigma) else sigma
    return VectorSightings(times[kept], seen, inertial=known[kept], sigma=float(noise), delay=delay, name=sensor.name)
