"""A mass that slides along a line, in a case."""

from typing import Literal

from pydantic import Field

from ....plant import MassSpringDamper
from ...case.schema.element import ElementTable
from ...case.schema.fields import NonNegative, Number, Positive, Vector3
from .kind import ElementKind

__all__ = ["KIND", "MassSpringDamperTable"]


class MassSpringDamperTable(ElementTable):
    """Mass on a spring and a damper that slides along a line."""

    kind: Literal["mass-spring-damper"] = Field(description="which element")
    point_m: Vector3 = Field(description="where the mass is at rest, from the mass centre, body axes, m")
    axis: Vector3 = Field(description="the line, body axes, any length but zero")
    mass_kg: Positive = Field(description="kg; not in the craft's mass_kg")
    stiffness_N_m: NonNegative = Field(default=0.0, description="stiffness, N/m")
    damping_N_s_m: NonNegative = Field(default=0.0, description="damping, N s/m")
    displacement_m: Number = Field(default=0.0, description="displacement at t = 0, m")
    rate_m_s: Number = Field(default=0.0, description="its rate at t = 0, m/s")


def _make(table: MassSpringDamperTable) -> tuple[MassSpringDamper]:
    return (
        MassSpringDamper(
            point=table.point_m,
            axis=table.axis,
            mass=table.mass_kg,
            stiffness=table.stiffness_N_m,
            damping=table.damping_N_s_m,
            displacement=table.displacement_m,
            rate=table.rate_m_s,
        ),
    )


KIND = ElementKind(table=MassSpringDamperTable, make=_make)
