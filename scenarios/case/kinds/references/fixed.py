"""Reference kind for a fixed attitude; a table that has a rate but no kind is a steady spin."""

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from .....controllers import FixedReference, SpinReference
from ...located import located
from ...schema.fields import wrong
from ...schema.initial import PoseTable
from .kind import ReferenceKind

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case


class HeldReferenceTable(PoseTable):
    """Constant attitude; without a kind and with a rate, a steady spin through the attitude."""

    kind: Literal["fixed"] = Field(default="fixed", description="which reference")

    @model_validator(mode="after")
    def _something(self) -> "HeldReferenceTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg")
        if "kind" in self.model_fields_set and (self.rate_rad_s or self.rate_deg_s) is not None:
            raise wrong('kind = "fixed" is at rest; remove the rate or write kind = "spin"')
        return self


def held(table: PoseTable, case: "Case", craft: "Spacecraft") -> FixedReference | SpinReference:
    """Return a fixed attitude, or a steady spin if the table has a rate."""
    from ..start import pose

    attitude, rate = pose(table, "reference")
    with located("reference"):
        if rate is None or not any(rate):
            return _fixed(tuple(attitude.tolist()))
        return SpinReference(attitude, rate=rate)


@lru_cache(maxsize=16)
def _fixed(attitude: tuple[float, ...]) -> FixedReference:
    """Return a fixed reference, which is immutable and therefore shared by the runs of a campaign."""
    return FixedReference(attitude)


KIND = ReferenceKind(table=HeldReferenceTable, make=held)
