"""A reaction or momentum wheel in a case."""

from typing import Literal

from pydantic import Field

from ....plant import Wheel
from ...case.schema.fields import NonNegative, Number, Positive
from .kind import ElementKind
from .viscous_wheel import ViscousWheelTable

__all__ = ["KIND", "WheelTable"]


class WheelTable(ViscousWheelTable):
    """Reaction or momentum wheel."""

    kind: Literal["wheel"] = Field(description="which element")  # pyright: ignore[reportIncompatibleVariableOverride] # the word
    friction_N_m_s: NonNegative = Field(default=0.0, description="viscous friction, N m s/rad")
    coulomb_N_m: NonNegative = Field(default=0.0, description="Coulomb friction, N m")
    motor_torque_N_m: Number = Field(default=0.0, description="constant torque of the motor on the wheel, N m")
    torque_limit_N_m: Positive | None = Field(default=None, description="largest torque of the motor, N m")
    speed_limit_rad_s: Positive | None = Field(
        default=None, description="relative rate beyond which the motor no longer drives outwards, rad/s"
    )


def _make(table: WheelTable) -> tuple[Wheel]:
    return (
        Wheel(
            axis=table.axis,
            inertia=table.inertia_kg_m2,
            friction=table.friction_N_m_s,
            coulomb=table.coulomb_N_m,
            motor_torque=table.motor_torque_N_m,
            torque_limit=table.torque_limit_N_m,
            speed_limit=table.speed_limit_rad_s,
            relative_rate=table.relative_rate_rad_s,
        ),
    )


KIND = ElementKind(table=WheelTable, make=_make)
