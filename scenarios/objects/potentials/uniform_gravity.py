"""Weight in a case."""

from typing import Literal

from pydantic import Field

from ....plant import UniformGravity
from ...case.schema.fields import Vector3
from ...case.schema.potential import PotentialTable
from .kind import PotentialKind

__all__ = ["KIND", "UniformGravityTable"]


class UniformGravityTable(PotentialTable):
    """Uniform gravity at the mass centre, for a pivoted or translating spacecraft."""

    kind: Literal["uniform-gravity"] = Field(description="which potential")
    g_m_s2: Vector3 = Field(description="acceleration of free fall, inertial axes, m/s^2")


def _make(table: UniformGravityTable) -> UniformGravity:
    return UniformGravity(table.g_m_s2)


KIND = PotentialKind(table=UniformGravityTable, make=_make)
