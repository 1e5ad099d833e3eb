"""Gyro noise and innovation gate of a filter."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import finite, non_negative
from ...plant.errors import InputError

__all__ = ["OPEN", "checked", "gates"]

OPEN = 1e300
"""A gate that accepts everything."""


def checked(gyro_noise: Any, gyro_walk: Any, gate: Any, restart_after: Any) -> dict[str, float]:
    """Return the noise densities of a gyro by name. Raises InputError for these, and a gate or count out of range."""
    found: dict[str, float] = {}
    for name, value, unit in (("gyro_noise", gyro_noise, "rad/sqrt(s)"), ("gyro_walk", gyro_walk, "rad/s^(3/2)")):
        found[name] = non_negative(name, value, unit)
        if found[name] >= 1.0:
            raise InputError(f"{name} must be below 1 {unit}; got {found[name]:g}: give it in radians and seconds")
    if gate is not None and not 0.0 < finite("gate", gate) < 1.0:
        raise InputError(f"gate must be a probability above 0 and below 1, or None; got {gate:g}")
    if restart_after is not None and (
        isinstance(restart_after, bool) or not isinstance(restart_after, int) or restart_after < 1
    ):
        raise InputError(f"restart_after must be a whole number of messages, 1 or more, or None; got {restart_after!r}")
    return found


def gates(gate: float | None) -> NDArray[np.float64]:
    """Return the largest accepted y' S^-1 y, for an attitude and for a direction (2,)."""
    if gate is None:
        return np.full(2, OPEN)
    from scipy.stats import chi2

    return np.array([float(chi2.ppf(gate, 3)), float(chi2.ppf(gate, 2))])
