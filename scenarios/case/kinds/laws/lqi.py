"""Law kind for a linear-quadratic regulator with integral action."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, lqi
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Weight
from .kind import LawKind, Numbers
from .linear_table import WeightedTable, weights, weights_tuning

Array = NDArray[np.float64]


class LqiTable(WeightedTable):
    """Linear-quadratic regulator with integral action: a constant torque leaves no error."""

    kind: Literal["lqi"] = Field(description="which law")
    integral_weight: Weight = Field(
        description="weight of the squared integral of the attitude error, 1/(rad s)^2; one or per axis"
    )
    internal: Literal["locked", "measured"] = Field(
        default="locked",
        description="whether states of elements are fed back, or the elements are locked in the design",
    )


def _make(table: LqiTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design the linear-quadratic regulator with integral action."""
    law = lqi(
        model(),
        attitude=table.attitude_weight,
        rate=table.rate_weight,
        effort=table.effort_weight,
        integral=table.integral_weight,
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=table.saturation,
    )
    return table.with_filters(law)


def _tuned(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return keys as for lqr, with integral action ten times slower than the loop: Wi = (wn / 10)^2 Wa."""
    found = weights(frequency, ratio, J, sample)
    return {**found, "integral_weight": tuple(((0.1 * frequency) ** 2 * np.array(found["attitude_weight"])).tolist())}


KIND = LawKind(table=LqiTable, make=_make, tuning=weights_tuning, tuned=_tuned)
