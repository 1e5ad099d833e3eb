"""Channels of the playback: signals over time as keyframes, encoded as base64 text."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_arrays
from .keyframes import attitude_error, continuous, held_rows, keyframes, linear_error

Array = NDArray[np.float64]

BUDGET = 600_000
"""Largest size of all channels together, bytes of text. If exceeded, all tolerances are doubled until they fit."""


@frozen_arrays
@dataclass(frozen=True, kw_only=True, eq=False)
class Channel:
    """A signal of the playback.

    values (n, ...): value in each row; tolerance: largest interpolation error, in the unit of the values (rad for
    "slerp"); how: "linear", "slerp" (Euler parameters, scalar first) or "held".
    """

    values: Array
    tolerance: float
    how: str = "linear"


@dataclass(kw_only=True, eq=False)
class Channels:
    """Channels by name; `put` adds a channel and returns its name.

    t (n,): times of the rows, s; coarser: factor by which the last encoding increased all tolerances to fit.
    """

    t: Array
    all: dict[str, Channel] = field(default_factory=dict[str, Channel])
    coarser: float = 1.0

    def put(self, name: str, values: Array, *, tolerance: float, how: str = "linear") -> str:
        """Add a signal with one value per row and return its name."""
        self.all[name] = Channel(values=values, tolerance=max(tolerance, 1e-300), how=how)
        return name

    def encoded(self, budget: int = BUDGET) -> dict[str, Any]:
        """Return all channels as JSON-serialisable tables, within a size limit.

        budget: largest size, bytes. Times are float64 and values float32, little-endian, in base64. `error` is the
        largest interpolation error at any row, in the unit of the channel.
        """
        self.coarser = 1.0
        while True:
            found = {name: _encoded(self.t, channel, self.coarser) for name, channel in self.all.items()}
            size = sum(len(each["t"]) + len(each["v"]) for each in found.values())
            if size <= budget or self.coarser > 1e9:  # by then every channel is a single straight line
                return found
            self.coarser *= 2.0


def packed(values: Any, kind: str = "<f4") -> str:
    """Return an array as base64 text of its little-endian values."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def _encoded(t: Array, channel: Channel, factor: float) -> dict[str, Any]:
    values, tolerance = channel.values, channel.tolerance * factor
    if channel.how == "held":
        rows, error = held_rows(values, tolerance=tolerance)
    elif channel.how == "slerp":
        values = continuous(values)
        rows, error = keyframes(t, values, tolerance=tolerance, error=attitude_error)
    else:
        rows, error = keyframes(t, values, tolerance=tolerance, error=linear_error)
    shape: Sequence[int] = values.shape[1:]
    return {
        "how": channel.how,
        "width": int(np.prod(shape, dtype=np.int64)),
        "error": error,
        "t": packed(t[rows], "<f8"),
        "v": packed(values[rows]),
    }
