"""Sensor kind for a star tracker with exclusion zones."""

from typing import Any

import numpy as np
from pydantic import Field

from .....controllers.guidance.inertial_vector import InertialVector
from .....controllers.sensing.sensors import ExclusionZone, StarTracker
from .....plant.quantity import to_code_unit
from ...located import located
from ...schema.fields import Positive, Table, Vector3
from ..declared_keys import STILL
from .declared import kind_of


class ExclusionTable(Table):
    """Exclusion zone of a star tracker about a direction, such as the direction of the Sun or the Earth."""

    direction: Vector3 = Field(description="direction at t = 0, inertial axes, any length but zero")
    rate_deg_s: Vector3 = Field(default=STILL, description="angular velocity of the direction, inertial axes, deg/s")
    angle_deg: Positive = Field(
        description="smallest angle from the boresight, deg; for the Earth including its angular radius"
    )


def _zones(table: Any) -> dict[str, Any]:
    zones: list[ExclusionZone] = []
    for index, each in enumerate(table.exclusions):
        with located(f"exclusions.{index}"):
            with located("direction"):
                direction = InertialVector(each.direction, rate=to_code_unit(np.asarray(each.rate_deg_s), "deg/s"))
            zones.append(ExclusionZone(direction, to_code_unit(each.angle_deg, "deg")))
    return {"exclusions": zones}


KIND = kind_of(
    "star-tracker",
    StarTracker,
    module=__name__,
    more={"exclusions": (tuple[ExclusionTable, ...], Field(default=(), description="what blinds it"))},
    of_more=_zones,
)
