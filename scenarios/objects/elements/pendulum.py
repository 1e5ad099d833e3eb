"""A pendulum in a case: sloshing fuel."""

from typing import Annotated, Literal

from pydantic import Field

from ....plant import Pendulum
from ...case.schema.element import ElementTable
from ...case.schema.fields import NonNegative, Positive, Vector3, numbers_of
from .kind import ElementKind

__all__ = ["KIND", "PendulumTable"]

Numbers = Annotated[tuple[float, ...], numbers_of]


class PendulumTable(ElementTable):
    """Point mass on a massless rod hinged to the hub: a model of fuel slosh."""

    kind: Literal["pendulum"] = Field(description="which element")
    hinge_m: Vector3 = Field(description="the hinge, from the mass centre, body axes, m")
    length_m: Positive = Field(description="from hinge to mass, m")
    mass_kg: Positive = Field(description="kg; not in the craft's mass_kg")
    direction: Vector3 = Field(description="where the rod points at rest, body axes, any length but zero")
    axis: Vector3 | None = Field(default=None, description="of a planar pendulum, body axes; spherical without it")
    damping_N_m_s: NonNegative = Field(default=0.0, description="friction of the hinge, N m s/rad")
    stiffness_N_m_rad: NonNegative = Field(
        default=0.0, description="of the hinge, N m/rad; the pull is that times the sine"
    )
    angle_rad: Numbers | float = Field(default=0.0, description="angle at t = 0, rad; two of a spherical one")
    rate_rad_s: Numbers | float = Field(default=0.0, description="its rate at t = 0, rad/s")


def _make(table: PendulumTable) -> tuple[Pendulum]:
    return (
        Pendulum(
            hinge=table.hinge_m,
            length=table.length_m,
            mass=table.mass_kg,
            direction=table.direction,
            axis=table.axis,
            damping=table.damping_N_m_s,
            stiffness=table.stiffness_N_m_rad,
            angle=table.angle_rad,
            rate=table.rate_rad_s,
        ),
    )


KIND = ElementKind(table=PendulumTable, make=_make)
