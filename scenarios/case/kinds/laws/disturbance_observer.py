"""Law kind for a linear-quadratic regulator with a disturbance observer."""

from collections.abc import Callable
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, disturbance_observer
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Weight
from .kind import LawKind, Numbers
from .linear_table import weights_tuning
from .lqg import EstimatedTable, tuned_estimator

Array = NDArray[np.float64]


class DisturbanceObserverTable(EstimatedTable):
    """Linear-quadratic regulator with a Kalman estimator of a constant torque, which the command cancels."""

    kind: Literal["disturbance-observer"] = Field(description="which law")
    torque_walk_N_m_rts: Weight = Field(description="random walk of the estimated torque, N m/sqrt(s)")


def _make(table: DisturbanceObserverTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design the regulator with a disturbance observer."""
    return table.with_filters(disturbance_observer(model(), torque_walk=table.torque_walk_N_m_rts, **table.given()))


def _tuned(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return keys as for lqg, with a torque estimator as fast as the loop.

    The random walk of the disturbance is the torque noise times wn sqrt(5).
    """
    found = tuned_estimator(frequency, ratio, J, sample)
    walk = sqrt(5.0) * frequency * np.array(found["torque_noise_N_m_rtHz"])
    return {**found, "torque_walk_N_m_rts": tuple(walk.tolist())}


KIND = LawKind(table=DisturbanceObserverTable, make=_make, tuning=weights_tuning, tuned=_tuned)
