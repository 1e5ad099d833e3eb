"""A spring and damper in a case."""

from typing import Literal

from pydantic import Field

from ....plant import Spring
from ...case.schema.fields import NonNegative, Positive, Vector3
from ...case.schema.potential import PotentialTable
from .kind import PotentialKind

__all__ = ["KIND", "SpringTable"]


class SpringTable(PotentialTable):
    """Spring and damper between a point of the body and a point fixed in inertial space.

    It needs pivot_m or translation = true.
    """

    kind: Literal["spring"] = Field(description="which potential")
    body_point_m: Vector3 = Field(description="where it holds the body, from the mass centre, body axes, m")
    inertial_point_m: Vector3 = Field(description="where it is anchored, inertial axes, m")
    stiffness_N_m: Positive = Field(description="stiffness, N/m")
    natural_length_m: NonNegative = Field(default=0.0, description="length without force, m")
    damping_N_s_m: NonNegative = Field(default=0.0, description="damping along its line, N s/m")


def _make(table: SpringTable) -> Spring:
    return Spring(
        body_point=table.body_point_m,
        inertial_point=table.inertial_point_m,
        stiffness=table.stiffness_N_m,
        natural_length=table.natural_length_m,
        damping=table.damping_N_s_m,
    )


KIND = PotentialKind(table=SpringTable, make=_make)
