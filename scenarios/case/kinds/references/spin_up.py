"""Reference kind for a spin-up from rest."""

from typing import TYPE_CHECKING, Any

from pydantic import model_validator

from .....controllers import SpinUp
from ...schema.fields import wrong
from ...schema.initial import PoseTable
from .declared import kind_of
from .shaper import SHAPER, shaped

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case


class FinalSpinTable(PoseTable):
    """Attitude at rest, by default the initial one, and final rate."""

    @model_validator(mode="after")
    def _complete(self) -> "FinalSpinTable":
        if self.rate_deg_s is None and self.rate_rad_s is None:
            raise wrong("needs rate_deg_s or rate_rad_s, the final spin rate")
        if all(getattr(self, key) is None for key in ("ramp_s", "acceleration_deg_s2", "acceleration_rad_s2")):
            raise wrong("needs ramp_s or acceleration_deg_s2")
        return self


def _pose(table: Any, case: "Case", craft: "Spacecraft") -> dict[str, Any]:
    """Return initial attitude and final rate as keyword arguments of the reference."""
    from ..start import pose

    attitude, rate = pose(table, "reference")
    if table.attitude is None and table.attitude_deg is None:
        attitude, _ = pose(case.initial, "initial")
    return {"attitude": attitude, "rate": rate}


KIND = kind_of(
    "spin-up", SpinUp, module=__name__, base=FinalSpinTable, more=SHAPER, of_more=_pose, shape=shaped,
    doc="Spin-up from rest to a steady spin; the attitude at rest is by default the initial one.",
)  # fmt: skip
