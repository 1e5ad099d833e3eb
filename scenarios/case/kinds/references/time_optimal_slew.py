"""Reference kind for a rest-to-rest slew in minimum time."""

from typing import Literal

from pydantic import Field

from .kind import ReferenceKind
from .optimal_slew import OptimalSlewTable, optimal_slew


class TimeOptimalSlewTable(OptimalSlewTable):
    """Rest-to-rest slew in least time within limits of torque, rate and wheel momentum."""

    kind: Literal["time-optimal-slew"] = Field(description="which reference")


KIND = ReferenceKind(table=TimeOptimalSlewTable, make=optimal_slew)
