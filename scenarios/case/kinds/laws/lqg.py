"""Law kind for a linear-quadratic regulator with a Kalman estimator."""

from collections.abc import Callable
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, lqg
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Weight
from .kind import LawKind, Numbers
from .linear_table import WeightedTable, weights, weights_tuning

Array = NDArray[np.float64]


class EstimatedTable(WeightedTable):
    """Common keys of regulators on estimated states: weights, noise and treatment of elements."""

    torque_noise_N_m_rtHz: Weight = Field(description="disturbance torque, N m/sqrt(Hz); one or per component")
    attitude_noise_rad: Weight = Field(description="standard deviation of a measured attitude, rad; one or per axis")
    rate_noise_rad_s: Weight | None = Field(
        default=None, description="standard deviation of a measured rate, rad/s; without it, there is no rate sensor"
    )
    internal: Literal["estimated", "locked"] = Field(
        default="estimated",
        description="whether states of elements are estimated, or the elements are locked in the design",
    )

    def given(self) -> dict[str, Any]:
        """Return the common keyword arguments of the design functions.

        Returns
        -------
        dict
            Keyword arguments of `controllers.lqg`, `lqgi` and `disturbance_observer`.
        """
        return {
            "attitude": self.attitude_weight,
            "rate": self.rate_weight,
            "effort": self.effort_weight,
            "torque_noise": self.torque_noise_N_m_rtHz,
            "attitude_noise": self.attitude_noise_rad,
            "rate_noise": self.rate_noise_rad_s,
            "internal": self.internal,
            "sample": self.sample_s,
            "delay": self.delay_s,
            "saturation": self.saturation,
        }


class LqgTable(EstimatedTable):
    """Linear-quadratic regulator with a Kalman estimator of the whole state."""

    kind: Literal["lqg"] = Field(description="which law")


def _make(table: LqgTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Design the linear-quadratic regulator with a Kalman estimator."""
    return table.with_filters(lqg(model(), **table.given()))


def tuned_estimator(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return weights and noise for a tuning, with an estimator five times faster than the loop.

    The estimator reads the attitude only. Its natural frequency about one axis is sqrt(q / (J sigma sqrt(sample))),
    with torque noise q and attitude noise sigma per sample (density sigma^2 sample). Only the ratio of q to sigma
    matters.
    """
    sigma = 1e-4
    return {
        **weights(frequency, ratio, J, sample),
        "attitude_noise_rad": sigma,
        "torque_noise_N_m_rtHz": tuple((J * (5.0 * frequency) ** 2 * sigma * sqrt(sample)).tolist()),
    }


KIND = LawKind(table=LqgTable, make=_make, tuning=weights_tuning, tuned=tuned_estimator)
