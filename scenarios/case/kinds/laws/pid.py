"""Law kind for PD or PID feedback."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, pid
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Weight
from .kind import LawKind, Numbers, second_order
from .linear_table import LinearTable

Array = NDArray[np.float64]


class PidTable(LinearTable):
    """Proportional-derivative feedback per axis, with an integral if its time is given."""

    kind: Literal["pid"] = Field(description="which law")
    frequency_rad_s: Weight = Field(description="natural frequency, rad/s; one or per axis")
    damping_ratio: Weight = Field(description="damping ratio; one or per axis")
    integral_time_s: Weight | None = Field(
        default=None, description="integral time, s; without it, there is no integral"
    )


def _make(table: PidTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design PD or PID feedback per axis."""
    law = pid(
        model(),
        frequency=table.frequency_rad_s,
        damping_ratio=table.damping_ratio,
        integral_time=table.integral_time_s,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=table.saturation,
    )
    return table.with_filters(law)


def _tuned(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return the keys for a tuning, with integral action ten times slower than the loop."""
    return {**second_order(frequency, ratio, J, sample), "integral_time_s": 10.0 / frequency}


KIND = LawKind(table=PidTable, make=_make, tuned=_tuned)
