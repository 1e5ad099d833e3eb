"""Torque kind for a thrust: a force along a body direction between two times, and its torque."""

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from .....plant import Thrust
from ...schema.fields import NonNegative, Positive, Table, Vector3, wrong
from .kind import TorqueKind


class ThrustTable(Table):
    """Thrust along a body direction for from_s <= t < to_s, which also moves a translating spacecraft."""

    begins: ClassVar[str] = "from_s"

    kind: Literal["thrust"] = Field(description="which torque")
    from_s: NonNegative = Field(description="start of the thrust, s")
    to_s: Positive = Field(description="until when it acts, s")
    force_N: Vector3 = Field(description="force on the spacecraft, body axes, N")
    point_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="point of application from the mass centre, body axes, m"
    )

    @model_validator(mode="after")
    def _ordered(self) -> "ThrustTable":
        if self.to_s <= self.from_s:
            raise wrong(f"to_s = {self.to_s:g} s must be later than from_s = {self.from_s:g} s")
        return self


def _load(table: ThrustTable) -> Thrust:
    return Thrust(force=table.force_N, point=table.point_m, start=table.from_s, stop=table.to_s)


KIND = TorqueKind(table=ThrustTable, load=_load)
