"""A slew about the eigenaxis, rest to rest."""

from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import Field, model_validator

from .....controllers import EigenaxisSlew, ShapedReference
from ...located import located
from ...schema.fields import Number, Positive, Quaternion, Weight, entries_of, wrong
from ...schema.initial import AttitudeTable, EulerAnglesTable
from .kind import ReferenceKind, either
from .shaper import ShaperTable, shaped

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case

__all__ = ["KIND", "EigenaxisSlewTable"]


class EigenaxisSlewTable(AttitudeTable):
    """Rest-to-rest eigenaxis slew in minimum time within the limits."""

    kind: Literal["eigenaxis-slew"] = Field(description="which reference")
    from_attitude: Quaternion | None = Field(
        default=None, description="start attitude, Euler parameters, scalar first; the initial attitude by default"
    )
    from_attitude_deg: EulerAnglesTable | None = Field(default=None, description="the same as Euler angles")
    from_s: Number = Field(default=0.0, description="when it starts, s")
    rate_limit_deg_s: Positive | None = Field(default=None, description="largest rate, deg/s")
    rate_limit_rad_s: Positive | None = Field(default=None, description="largest rate, rad/s")
    acceleration_limit_deg_s2: Positive | None = Field(default=None, description="largest acceleration, deg/s^2")
    acceleration_limit_rad_s2: Positive | None = Field(default=None, description="largest acceleration, rad/s^2")
    torque_limit_N_m: Weight | None = Field(
        default=None, description="torque available to the slew, per body axis, N m; one or per axis"
    )
    profile: Literal["bang-coast-bang", "smooth"] = Field(
        default="bang-coast-bang", description="constant acceleration, or a quintic in time"
    )
    shaper: ShaperTable | None = Field(default=None, description="input shaper, against vibration at the end")

    @model_validator(mode="after")
    def _limited(self) -> "EigenaxisSlewTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg, the final attitude of the slew")
        torque = self.torque_limit_N_m
        if torque is None and self.acceleration_limit_deg_s2 is None and self.acceleration_limit_rad_s2 is None:
            raise wrong("needs torque_limit_N_m or acceleration_limit_deg_s2")
        if torque is not None and min(cast("list[float]", entries_of(torque) or [torque])) <= 0.0:
            raise wrong(f"torque_limit_N_m must be greater than 0 N m; got {torque}")
        return self


def _make(table: EigenaxisSlewTable, case: "Case", craft: "Spacecraft") -> EigenaxisSlew | ShapedReference:
    """Return the slew."""
    from ..start import attitude_of, initial_state, pose

    end, _ = pose(table, "reference")
    start = attitude_of(table.from_attitude, table.from_attitude_deg, "reference: from")
    if start is None:
        start, _ = pose(case.initial, "initial")
    torque: dict[str, Any] = {}
    if table.torque_limit_N_m is not None:
        inertia = craft.locked_inertia(initial_state(craft, case.initial))
        torque = {"inertia": inertia, "torque_limit": table.torque_limit_N_m}
    with located("reference"):
        slew = EigenaxisSlew(
            start,
            end,
            begin=table.from_s,
            rate_limit=either(table.rate_limit_rad_s, table.rate_limit_deg_s),
            acceleration_limit=either(table.acceleration_limit_rad_s2, table.acceleration_limit_deg_s2),
            profile=table.profile,
            **torque,
        )
        return shaped(table.shaper, case, slew)


KIND = ReferenceKind(table=EigenaxisSlewTable, make=_make)
