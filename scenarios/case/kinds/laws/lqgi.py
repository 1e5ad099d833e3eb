"""Law kind for a linear-quadratic regulator with integral action and a Kalman estimator."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, lqgi
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Weight
from .kind import LawKind, Numbers
from .linear_table import weights_tuning
from .lqg import EstimatedTable, tuned_estimator

Array = NDArray[np.float64]


class LqgiTable(EstimatedTable):
    """Linear-quadratic regulator with integral action and a Kalman estimator: a constant torque leaves no error."""

    kind: Literal["lqgi"] = Field(description="which law")
    integral_weight: Weight = Field(
        description="weight of the squared integral of the attitude error, 1/(rad s)^2; one or per axis"
    )


def _make(table: LqgiTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design the regulator with integral action and an estimator."""
    return table.with_filters(lqgi(model(), integral=table.integral_weight, **table.given()))


def _tuned(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return keys as for lqg, with integral action ten times slower than the loop: Wi = (wn / 10)^2 Wa."""
    found = tuned_estimator(frequency, ratio, J, sample)
    return {**found, "integral_weight": tuple(((0.1 * frequency) ** 2 * np.array(found["attitude_weight"])).tolist())}


KIND = LawKind(table=LqgiTable, make=_make, tuning=weights_tuning, tuned=_tuned)
