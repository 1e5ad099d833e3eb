"""Element kind for a ring nutation damper."""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from .....plant import RingDamper
from ...schema.fields import Number
from .declared import kind_of


def _center(table: Any) -> dict[str, Any]:
    axis = np.asarray(table.axis)
    size = float(np.linalg.norm(axis))
    return {"center": axis * (table.height_m / size) if size > 0.0 else axis}


KIND = kind_of(
    "ring-damper",
    RingDamper,
    module=__name__,
    more={
        "height_m": (
            Number,
            Field(default=0.0, description="height of its plane along the axis, from the mass centre, m"),
        ),
        "model": (
            Literal["consistent", "published"],
            Field(
                default="consistent",
                description="published: equations (63)-(68) of Shivarama & Fahrenthold as printed, for comparison only",
            ),
        ),
    },
    of_more=_center,
)


def ring_of(table: Any) -> RingDamper:
    """Return the ring of a table, for the consistent or the published model."""
    (ring,) = KIND.make(table)
    assert isinstance(ring, RingDamper)  # noqa: S101 # the class of this kind
    return ring
