"""A spring along a guide in a case."""

from typing import Literal

from pydantic import Field

from ....plant import GuidedSpring
from ...case.schema.fields import Number, Positive, Vector3
from ...case.schema.potential import PotentialTable
from .kind import PotentialKind

__all__ = ["KIND", "GuidedSpringTable"]


class GuidedSpringTable(PotentialTable):
    """Spring along a fixed inertial direction at a point of the body, without transverse force.

    It needs pivot_m or translation = true.
    """

    kind: Literal["guided-spring"] = Field(description="which potential")
    body_point_m: Vector3 = Field(description="where it holds the body, from the mass centre, body axes, m")
    direction: Vector3 = Field(description="the direction, inertial axes, any length but zero")
    stiffness_N_m: Positive = Field(description="stiffness, N/m")
    rest_m: Number = Field(default=0.0, description="coordinate along the direction without force, m")


def _make(table: GuidedSpringTable) -> GuidedSpring:
    return GuidedSpring(
        body_point=table.body_point_m,
        direction=table.direction,
        stiffness=table.stiffness_N_m,
        rest=table.rest_m,
    )


KIND = PotentialKind(table=GuidedSpringTable, make=_make)
