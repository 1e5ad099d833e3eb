"""Law kind for a linear-quadratic regulator."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from .....controllers import LinearFeedback, lqr
from .....plant import LinearModel, Spacecraft
from .kind import LawKind
from .linear_table import WeightedTable, weights, weights_tuning


class LqrTable(WeightedTable):
    """Linear-quadratic regulator on the exact linear model about the reference."""

    kind: Literal["lqr"] = Field(description="which law")
    internal: Literal["locked", "measured"] = Field(
        default="locked",
        description="whether states of elements are fed back, or the elements are locked in the design",
    )


def _make(table: LqrTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design the linear-quadratic regulator on the model about the reference."""
    law = lqr(
        model(),
        attitude=table.attitude_weight,
        rate=table.rate_weight,
        effort=table.effort_weight,
        internal=table.internal,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=table.saturation,
    )
    return table.with_filters(law)


KIND = LawKind(table=LqrTable, make=_make, tuning=weights_tuning, tuned=weights)
