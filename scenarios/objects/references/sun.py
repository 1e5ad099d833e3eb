"""A body axis to a fixed direction."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from ....controllers import FixedReference, pointing_attitude
from ...case.located import located
from ...case.schema.fields import Table, Vector3
from .kind import ReferenceKind

if TYPE_CHECKING:
    from ....plant import Spacecraft
    from ...case.schema import Case

__all__ = ["KIND", "SunTable"]


class SunTable(Table):
    """Pointing of a body axis along a fixed direction, with a second axis as near as possible to another direction."""

    kind: Literal["sun"] = Field(description="which reference")
    boresight: Vector3 = Field(description="the body axis that points, body axes, any length but zero")
    target: Vector3 = Field(description="where it points, inertial axes, any length but zero")
    clock: Vector3 = Field(description="the second body axis, body axes, any length but zero")
    clock_target: Vector3 = Field(description="what it comes near to, inertial axes, any length but zero")


def _make(table: SunTable, case: "Case", craft: "Spacecraft") -> FixedReference:
    """Return the attitude."""
    with located("reference"):
        return FixedReference(
            pointing_attitude(table.boresight, table.target, clock=table.clock, clock_target=table.clock_target)
        )


KIND = ReferenceKind(table=SunTable, make=_make)
