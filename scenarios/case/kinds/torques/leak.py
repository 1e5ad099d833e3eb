"""Torque kind for a leak: a decaying force along a body direction, and its torque."""

from typing import ClassVar, Literal

from pydantic import Field

from .....plant import Leak
from ...schema.fields import NonNegative, Positive, Table, Vector3
from .kind import TorqueKind


class LeakTable(Table):
    """Leak of gas: a force along a body direction that decays from from_s on, and moves a translating spacecraft."""

    begins: ClassVar[str] = "from_s"

    kind: Literal["leak"] = Field(description="which torque")
    from_s: NonNegative = Field(default=0.0, description="start of the leak, s")
    force_N: Vector3 = Field(description="force on the spacecraft at from_s, opposite to the jet, body axes, N")
    point_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="point of application from the mass centre, body axes, m"
    )
    decay_time_s: Positive | None = Field(
        default=None, description="time in which the force falls to 37 %, s; by default the force is constant"
    )


def _load(table: LeakTable) -> Leak:
    return Leak(force=table.force_N, point=table.point_m, start=table.from_s, decay_time=table.decay_time_s)


KIND = TorqueKind(table=LeakTable, load=_load)
