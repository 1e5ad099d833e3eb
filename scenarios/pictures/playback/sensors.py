"""Fields of view of the sensors of a case as cones, with the validity of each measurement."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .channels import Channels

if TYPE_CHECKING:
    from ....sim import Run
    from ...case.schema import Case

NOMINAL = np.radians(8.0)
"""Half angle of the cone drawn for a sensor whose model has no field of view, rad."""
NARROW = np.radians(30.0)
"""Largest drawn half angle, rad; a wider cone would hide the scene."""
MANY = 4
"""Largest number of fields of view of a sensor up to which cones may be wider than nominal."""


def sensors_of(case: "Case") -> tuple[Any, ...]:
    """Return the sensors of a case."""
    from ...case.kinds.sensors.sensed import sensed

    return tuple(each.sensor for each in sensed(case, sample=1.0))  # the period is only for blocks, which are not used


def boresights(run: "Run", sensors: Sequence[Any], channels: Channels) -> list[dict[str, Any]]:
    """Return the cones of the sensors' fields of view as JSON-serialisable tables.

    Each table has the name of the sensor, the axis, the drawn half angle, `stated` (the half angle of the model, or
    None), `many` (whether the sensor has more than `MANY` fields of view), and the channel of the measurement's
    validity, if the run recorded it.
    """
    found: list[dict[str, Any]] = []
    for sensor in sensors:
        valid = _validity(run, str(sensor.name), channels)
        sights = getattr(sensor, "lines_of_sight", ())
        many = len(sights) > MANY
        for sight in sights:
            stated = None if sight.half_angle is None else float(sight.half_angle)
            widest = float(NOMINAL if stated is None or many else NARROW)
            drawn = widest if stated is None else min(stated, widest)
            found.append(
                {
                    "label": str(sensor.name).replace("_", " "),
                    "axis": list(sight.axis),
                    "drawn": drawn,
                    "stated": stated,
                    "many": many,
                    "valid": valid,
                }
            )
    return found


def _validity(run: "Run", name: str, channels: Channels) -> str | None:
    """Return the channel of a sensor's validity flag, the last but one component of its signal."""
    key = next((each for each in (f"{name}.valid", name) if each in run.names), None)
    if key is None:
        return None
    values: NDArray[np.float64] = np.asarray(run.values(key), dtype=np.float64)
    if values.ndim == 2:
        if values.shape[1] < 3:
            return None
        values = values[:, -2]
    if not np.isin(values, (0.0, 1.0)).all():
        return None
    return channels.put(f"valid:{name}", values[:, None], tolerance=0.5, how="held")
