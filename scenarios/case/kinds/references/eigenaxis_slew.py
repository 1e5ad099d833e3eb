"""Reference kind for a rest-to-rest eigenaxis slew."""

from typing import TYPE_CHECKING, Any

from pydantic import Field, model_validator

from .....controllers import EigenaxisSlew
from ...schema.fields import Quaternion, wrong
from ...schema.initial import AttitudeTable, EulerAnglesTable
from .declared import kind_of
from .shaper import SHAPER, shaped

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case


class SlewTable(AttitudeTable):
    """Initial and final attitude of a slew."""

    from_attitude: Quaternion | None = Field(
        default=None, description="start attitude, Euler parameters, scalar first; the initial attitude by default"
    )
    from_attitude_deg: EulerAnglesTable | None = Field(default=None, description="the start attitude as Euler angles")

    @model_validator(mode="after")
    def _limited(self) -> "SlewTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg, the final attitude of the slew")
        limits = ("torque_limit_N_m", "acceleration_limit_deg_s2", "acceleration_limit_rad_s2")
        if all(getattr(self, key) is None for key in limits):
            raise wrong("needs torque_limit_N_m or acceleration_limit_deg_s2")
        return self


def _attitudes(table: Any, case: "Case", craft: "Spacecraft") -> dict[str, Any]:
    """Return initial and final attitude and, if the torque is limited, the inertia of the spacecraft."""
    from ..start import attitude_of, initial_state, pose

    start = attitude_of(table.from_attitude, table.from_attitude_deg, "reference: from")
    if start is None:
        start, _ = pose(case.initial, "initial")
    arguments: dict[str, Any] = {"start": start, "end": pose(table, "reference")[0]}
    if table.torque_limit_N_m is not None:
        arguments["inertia"] = craft.locked_inertia(initial_state(craft, case.initial))
    return arguments


KIND = kind_of(
    "eigenaxis-slew", EigenaxisSlew, module=__name__, base=SlewTable, more=SHAPER, of_more=_attitudes, shape=shaped
)
