"""A ring nutation damper in a case."""

from collections.abc import Mapping
from math import radians
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from ....plant import RingDamper
from ...case.schema.element import ElementTable
from ...case.schema.fields import NonNegative, Number, Positive, Vector3
from .kind import ElementKind

__all__ = ["KIND", "RingDamperTable", "ring_of"]


class RingDamperTable(ElementTable):
    """Ring damper, wholly or partly filled with a viscous fluid that moves as one slug."""

    kind: Literal["ring-damper"] = Field(description="which element")
    axis: Vector3 = Field(description="axis of the ring, body axes, any length but zero")
    mass_kg: Positive = Field(description="mass of the fluid, kg; not in the craft's mass_kg")
    radius_m: Positive = Field(description="mean radius of the ring, m")
    height_m: Number = Field(default=0.0, description="height of its plane along the axis, from the mass centre, m")
    fill_deg: Annotated[Positive, Field(le=360.0)] = Field(default=360.0, description="arc the fluid fills, deg")
    friction_kg_s: NonNegative = Field(description="Cd, kg/s: the torque on the fluid is -Cd R^2 times its rate")
    angle_rad: Number = Field(default=0.0, description="angle of the middle of the slug at t = 0, rad")
    relative_rate_rad_s: Number = Field(default=0.0, description="rate of the slug at t = 0, rad/s")
    model: Literal["consistent", "published"] = Field(
        default="consistent", description="published: Shivarama & Fahrenthold's (63)-(68) as printed, to compare only"
    )


def ring_of(table: RingDamperTable) -> RingDamper:
    """Return the ring of a table, for either model."""
    axis = np.asarray(table.axis)
    size = float(np.linalg.norm(axis))
    center: Any = axis * (table.height_m / size) if size > 0.0 else axis
    return RingDamper(
        axis=table.axis,
        mass=table.mass_kg,
        radius=table.radius_m,
        friction=table.friction_kg_s,
        center=center,
        fill=radians(table.fill_deg),
        angle=table.angle_rad,
        relative_rate=table.relative_rate_rad_s,
    )


def _make(table: RingDamperTable) -> tuple[RingDamper]:
    return (ring_of(table),)


def _tuned_over(ring: RingDamper) -> Mapping[str, ArrayLike]:
    return {
        "friction": ring.friction * np.geomspace(0.1, 10.0, 17),
        "fill": np.radians(np.linspace(30.0, 330.0, 11)),
        "radius": ring.radius * np.array((0.8, 1.0, 1.2)),
    }


KIND = ElementKind(
    table=RingDamperTable,
    make=_make,
    element=RingDamper,
    tuned_over=_tuned_over,
)
