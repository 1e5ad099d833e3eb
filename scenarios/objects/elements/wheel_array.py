"""Wheels that give the controller's torque together, in a case."""

from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from ....plant import Wheel, wheel_array
from ...case.schema.element import ElementTable
from ...case.schema.fields import NonNegative, Positive, Switch, numbers_of, vectors_of, wrong
from .kind import ElementKind

__all__ = ["KIND", "WheelArrayTable"]

Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]


class WheelArrayTable(ElementTable):
    """Array of equal wheels that share the commanded torque, in place of an external torque."""

    moves_mass: ClassVar[bool] = False
    takes_command: ClassVar[bool] = True

    kind: Literal["wheel-array"] = Field(description="which element")
    axes: Vectors = Field(description="their axes, body axes; three or more that span space")
    inertia_kg_m2: Positive = Field(description="axial inertia of each, kg m^2")
    friction_N_m_s: NonNegative = Field(default=0.0, description="viscous friction of each, N m s/rad")
    coulomb_N_m: NonNegative = Field(default=0.0, description="Coulomb friction of each, N m")
    torque_limit_N_m: Positive | None = Field(default=None, description="largest torque of each motor, N m")
    speed_limit_rad_s: Positive | None = Field(
        default=None, description="relative rate beyond which a motor no longer drives outwards, rad/s"
    )
    relative_rates_rad_s: Numbers | None = Field(default=None, description="their rates at t = 0, rad/s; zero")
    allocation: Literal["pseudo-inverse", "min-max"] = Field(
        default="pseudo-inverse",
        description="allocation of the torque: least squares, or the smallest largest wheel torque",
    )
    keep_direction: Switch = Field(
        default=False, description="whether a command beyond their reach is scaled down in its direction"
    )

    @model_validator(mode="after")
    def _limited(self) -> "WheelArrayTable":
        if self.keep_direction and self.torque_limit_N_m is None:
            raise wrong("wheel-array: keep_direction = true needs torque_limit_N_m")
        return self

    @property
    def keeps_direction(self) -> bool:
        """Whether a command beyond the reach of the motors is scaled down in its direction."""
        return self.keep_direction

    def envelope(self) -> NDArray[np.float64] | None:
        """Return the torques within reach of the motors if the direction is kept; otherwise None."""
        if not self.keep_direction or self.torque_limit_N_m is None:
            return None
        from ....controllers import WheelAllocation

        return WheelAllocation(self.axes, limit=self.torque_limit_N_m, method=self.allocation).envelope


def _make(table: WheelArrayTable) -> tuple[Wheel, ...]:
    return wheel_array(
        table.axes,
        inertia=table.inertia_kg_m2,
        friction=table.friction_N_m_s,
        coulomb=table.coulomb_N_m,
        torque_limit=table.torque_limit_N_m,
        speed_limit=table.speed_limit_rad_s,
        allocation=table.allocation,
        relative_rates=table.relative_rates_rad_s,
    )


KIND = ElementKind(table=WheelArrayTable, make=_make)
