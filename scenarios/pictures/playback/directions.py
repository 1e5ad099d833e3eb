"""Inertial directions in the environment: nadir, gravity, the Sun, magnetic field, velocity."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.sensing.sensors import InertialVector
from ....plant.environment.fields_along_orbit import FieldsAlongOrbit
from ....plant.environment.loads import EnvironmentLoads
from ....plant.environment.spline_table import COLUMNS
from .channels import Channels

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

MOST = 2001
"""Largest number of times at which a direction is computed."""
TOLERANCE = 1e-3
"""Tolerance of the components of a unit vector."""


def directions(run: "Run", sensors: Iterable[Any], channels: Channels) -> list[dict[str, Any]]:
    """Return the known directions by name, each with its channel.

    sensors: sensors of the case, whose `looks_for` names directions.
    """
    found: dict[str, Array] = {}
    for potential in run.craft.potentials:
        if isinstance(potential, EnvironmentLoads):
            found |= _around(run.t, potential.fields)
        if getattr(potential, "center_direction", None) is not None:
            found.setdefault("nadir", _to_center(run, potential))
        down = getattr(potential, "down", None)
        if down is not None:
            found.setdefault("gravity", np.broadcast_to(_unit(np.asarray(down, dtype=np.float64)), (run.t.size, 3)))
    toward = getattr(run.reference, "center_direction", None)
    if toward is not None and "nadir" not in found:
        found["nadir"] = _over_rows(run.t, toward)
    for sensor in sensors:
        for name, vector in getattr(sensor, "looks_for", {}).items():
            if name not in found and isinstance(vector, InertialVector):
                found[name] = _over_rows(run.t, vector.at)
    return [
        {"label": name, "channel": channels.put(f"direction:{name}", values, tolerance=TOLERANCE)}
        for name, values in found.items()
    ]


def _around(t: Array, fields: FieldsAlongOrbit) -> dict[str, Array]:
    """Return nadir and Sun and, if modelled, magnetic field and velocity relative to the atmosphere."""
    table = fields.at(np.asarray(t, dtype=np.float64))
    found = {"nadir": -table[:, COLUMNS.position : COLUMNS.sun], "Sun": table[:, COLUMNS.sun : COLUMNS.field]}
    if fields.magnetic:
        found["magnetic field"] = table[:, COLUMNS.field : COLUMNS.wind]
    if fields.dense:
        found["velocity"] = table[:, COLUMNS.wind : COLUMNS.log_density]
    return {name: _unit(vectors) for name, vectors in found.items()}


def _to_center(run: "Run", potential: Any) -> Array:
    if getattr(potential, "position", None) is None:  # translation is part of the state vector
        return -_unit(run.values("position"))
    return _over_rows(run.t, potential.center_direction)


def _over_rows(t: Array, at: Callable[[float], Array]) -> Array:
    """Return directions at all rows, interpolated between at most `MOST` evenly spaced rows."""
    chosen = np.unique(np.linspace(0, t.size - 1, min(t.size, MOST)).round().astype(np.int64))
    values = _unit(np.array([at(float(each)) for each in t[chosen]]))
    if chosen.size == t.size:
        return values
    return _unit(np.column_stack([np.interp(t, t[chosen], values[:, n]) for n in range(3)]))


def _unit(vectors: Array) -> Array:
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(size, 1e-300), dtype=np.float64)
