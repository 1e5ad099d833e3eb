"""Spin-up from rest."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from .....controllers import ShapedReference, SpinUp
from ...located import located
from ...schema.fields import Number, Positive, wrong
from ...schema.initial import PoseTable
from .kind import ReferenceKind, either
from .shaper import ShaperTable, shaped

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case

__all__ = ["KIND", "SpinUpTable"]


class SpinUpTable(PoseTable):
    """Spin-up from rest to a steady spin; the attitude at rest is by default the initial one."""

    kind: Literal["spin-up"] = Field(description="which reference")
    from_s: Number = Field(default=0.0, description="when it starts, s")
    ramp_s: Positive | None = Field(default=None, description="duration of the spin-up, s")
    acceleration_deg_s2: Positive | None = Field(default=None, description="largest acceleration, deg/s^2")
    acceleration_rad_s2: Positive | None = Field(default=None, description="largest acceleration, rad/s^2")
    profile: Literal["ramp", "smooth"] = Field(default="ramp", description="constant acceleration, or smooth")
    shaper: ShaperTable | None = Field(default=None, description="input shaper, against vibration at the end")

    @model_validator(mode="after")
    def _complete(self) -> "SpinUpTable":
        if self.rate_deg_s is None and self.rate_rad_s is None:
            raise wrong("needs rate_deg_s or rate_rad_s, the final spin rate")
        if self.ramp_s is None and self.acceleration_deg_s2 is None and self.acceleration_rad_s2 is None:
            raise wrong("needs ramp_s or acceleration_deg_s2")
        return self


def _make(table: SpinUpTable, case: "Case", craft: "Spacecraft") -> SpinUp | ShapedReference:
    """Return the spin-up."""
    from ..start import pose

    attitude, rate = pose(table, "reference")
    if table.attitude is None and table.attitude_deg is None:
        attitude, _ = pose(case.initial, "initial")
    with located("reference"):
        spin_up = SpinUp(
            attitude,
            rate=rate or (0.0, 0.0, 0.0),
            begin=table.from_s,
            acceleration=either(table.acceleration_rad_s2, table.acceleration_deg_s2),
            duration=table.ramp_s,
            profile=table.profile,
        )
        return shaped(table.shaper, case, spin_up)


KIND = ReferenceKind(table=SpinUpTable, make=_make)
