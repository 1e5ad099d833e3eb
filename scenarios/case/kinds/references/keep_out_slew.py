"""Reference kind for a minimum-time slew that keeps body axes outside or inside cones."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, field_validator

from .....controllers import TimeOptimalSlew
from ...schema.fields import wrong
from .kind import ReferenceKind
from .optimal_slew import ConeTable, OptimalSlewTable, optimal_slew

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case


class KeepOutSlewTable(OptimalSlewTable):
    """Rest-to-rest slew in least time, with keep-out cones of sensors and keep-in cones of antennas."""

    kind: Literal["keep-out-slew"] = Field(description="which reference")
    cones: tuple[ConeTable, ...] = Field(description="at least one cone")

    @field_validator("cones")
    @classmethod
    def _some(cls, cones: tuple[ConeTable, ...]) -> tuple[ConeTable, ...]:
        if not cones:
            raise wrong('needs at least one cone; without cones use kind = "time-optimal-slew"')
        return cones


def _make(table: KeepOutSlewTable, case: "Case", craft: "Spacecraft") -> TimeOptimalSlew:
    return optimal_slew(table, case, craft, table.cones)


KIND = ReferenceKind(table=KeepOutSlewTable, make=_make)
