"""An attitude at rest, or passed through in a steady spin."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from ....controllers import FixedReference, SpinReference
from ...case.located import located
from ...case.schema.fields import wrong
from ...case.schema.initial import PoseTable
from .kind import ReferenceKind

if TYPE_CHECKING:
    from ....plant import Spacecraft
    from ...case.schema import Case

__all__ = ["KINDS", "HeldReferenceTable", "SpinTable"]


class HeldReferenceTable(PoseTable):
    """The attitude to hold; without a kind, and with a rate, the attitude to spin through."""

    kind: Literal["fixed"] = Field(default="fixed", description="which reference")

    @model_validator(mode="after")
    def _something(self) -> "HeldReferenceTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg")
        if "kind" in self.model_fields_set and (self.rate_rad_s or self.rate_deg_s) is not None:
            raise wrong('kind = "fixed" is at rest; remove the rate or write kind = "spin"')
        return self


class SpinTable(PoseTable):
    """The attitude at t = 0 and the steady rate, reference body axes."""

    kind: Literal["spin"] = Field(description="which reference")

    @model_validator(mode="after")
    def _complete(self) -> "SpinTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg")
        if self.rate_rad_s is None and self.rate_deg_s is None:
            raise wrong('kind = "spin" needs rate_deg_s or rate_rad_s')
        return self


def _make(table: HeldReferenceTable | SpinTable, case: "Case", craft: "Spacecraft") -> FixedReference | SpinReference:
    """Return the attitude at rest, or the spin where there is a rate."""
    from ..start import pose

    attitude, rate = pose(table, "reference")
    with located("reference"):
        if rate is None or not any(rate):
            return FixedReference(attitude)
        return SpinReference(attitude, rate=rate)


KINDS = (ReferenceKind(table=HeldReferenceTable, make=_make), ReferenceKind(table=SpinTable, make=_make))
