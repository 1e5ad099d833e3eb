"""Rate damping in a case."""

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from ....controllers import RateDamping
from ....plant import LinearModel, Spacecraft
from ...case.schema.fields import Vector3, Weight
from ...case.schema.sampled import SampledTable
from .kind import LawKind

__all__ = ["KIND", "RateDampingTable"]


class RateDampingTable(SampledTable):
    """Rate damping; with a field, the B-dot law of magnetic torquers. It needs no reference."""

    needs_reference: ClassVar[bool] = False

    kind: Literal["rate-damping"] = Field(description="which law")
    gain_N_m_s: Weight = Field(description="K, N m s/rad, with a field times its square; one or per axis")
    field: Vector3 | None = Field(default=None, description="the field at t = 0, inertial axes, any unit")
    field_rate_rad_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="its steady rate, inertial axes, rad/s")


def _make(table: RateDampingTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> RateDamping:
    """Make the rate damping law."""
    return RateDamping(
        gain=table.gain_N_m_s,
        sample=table.sample_s,
        delay=table.delay_s,
        field=table.field,
        field_rate=table.field_rate_rad_s,
        torques=craft.torques,
    )


KIND = LawKind(table=RateDampingTable, make=_make)
