"""Reference kind for a steady spin through an attitude."""

from typing import Literal

from pydantic import Field, model_validator

from ...schema.fields import wrong
from ...schema.initial import PoseTable
from .fixed import held
from .kind import ReferenceKind


class SpinTable(PoseTable):
    """Steady spin: attitude at t = 0 and constant rate in reference body axes."""

    kind: Literal["spin"] = Field(description="which reference")

    @model_validator(mode="after")
    def _complete(self) -> "SpinTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg")
        if self.rate_rad_s is None and self.rate_deg_s is None:
            raise wrong('kind = "spin" needs rate_deg_s or rate_rad_s')
        return self


KIND = ReferenceKind(table=SpinTable, make=held)
