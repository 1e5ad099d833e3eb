"""What sensors of a direction share: they record sightings for a filter."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import rotation_matrix
from ...plant.checks import unit_quaternion
from ...plant.errors import DesignError
from ..estimators.sightings import VectorSightings
from ..guidance.inertial_vector import InertialVector
from ..laws.block_form import BlockForm
from ..loop.surroundings import error_of
from .sensor import Reading, Sensor, message_block, motion_rows

__all__ = ["direction_form", "mounted", "record_directions"]


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


def direction_form(
    source: InertialVector | str,
    y0: NDArray[np.float64],
    *,
    unit: bool = True,
    errors: NDArray[np.float64] | None = None,
) -> BlockForm:
    """Return the form of a sensor of a direction, or of a vector with its length, about what it reads at rest.

    A small turn a makes w x a of it. errors (3, 3): what it makes of a vector in body axes. Raises DesignError when the
    vector is a signal, which the loop does not know.
    """
    if not isinstance(source, InertialVector):
        raise DesignError(
            f"the signal {source!r} tells a direction that is not known beforehand, so the sensor has no linear form; "
            "give an InertialVector of what it is at the operating point"
        )
    w = rotation_matrix(y0[:4]).T @ source.at(0.0)
    w = w / np.linalg.norm(w) if unit else w
    M = np.eye(3) if errors is None else errors
    D = np.zeros((3, y0.size))
    D[:, :4] = M @ np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]]) @ error_of(y0[:4])
    turning = np.asarray(source.rate).any()
    return BlockForm(D=D, rests=M @ w, words="its direction as it is at t = 0" if turning else "")
