"""Common keys of linear laws: filters in series, and saturation."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, RationalFilter, filtered, notch, roll_off
from ...schema.fields import NonNegative, Positive, PositiveInteger, Table, Weight
from ...schema.sampled import SampledTable
from .kind import Numbers

Array = NDArray[np.float64]


class NotchTable(Table):
    """Notch filter on the command."""

    kind: Literal["notch"] = Field(description="which filter")
    frequency_rad_s: Positive = Field(description="centre frequency, rad/s")
    width: Positive = Field(default=0.5, description="damping ratio of its poles: 0.1 is narrow, 1 is wide")
    depth: NonNegative = Field(default=0.0, description="gain at its frequency, below 1")

    def make(self) -> RationalFilter:
        """Return the filter.

        Returns
        -------
        RationalFilter
            Continuous.
        """
        return notch(self.frequency_rad_s, width=self.width, depth=self.depth)


class RollOffTable(Table):
    """A Butterworth low-pass filter on the command."""

    kind: Literal["roll-off"] = Field(description="which filter")
    frequency_rad_s: Positive = Field(description="corner frequency, rad/s")
    order: PositiveInteger = Field(default=2, description="order")

    def make(self) -> RationalFilter:
        """Return the filter.

        Returns
        -------
        RationalFilter
            Continuous.
        """
        return roll_off(self.frequency_rad_s, order=self.order)


FilterTable = Annotated[NotchTable | RollOffTable, Field(discriminator="kind")]


class LinearTable(SampledTable):
    """Common keys of linear laws."""

    filters: tuple[FilterTable, ...] = Field(default=(), description="filters in series with the law, first to last")

    @property
    def saturation(self) -> str:
        """Saturation of the law at the torque limits."""
        return "direction" if self.keep_direction else "component"

    def with_filters(self, law: LinearFeedback) -> LinearFeedback:
        """Return the law with the filters in series.

        Parameters
        ----------
        law : LinearFeedback
            The law.

        Returns
        -------
        LinearFeedback
            The same law when there are none.
        """
        return filtered(law, *(each.make() for each in self.filters)) if self.filters else law


class WeightedTable(LinearTable):
    """Common keys of linear-quadratic designs."""

    attitude_weight: Weight = Field(description="on the attitude error squared, 1/rad^2; one or per axis")
    rate_weight: Weight = Field(description="on the rate error squared, s^2/rad^2; one or per axis")
    effort_weight: Weight = Field(description="on the torque squared, 1/(N m)^2; one or per component")


def weights_tuning(table: WeightedTable, J: Array) -> tuple[float, float]:
    """Return the tuning of the regulator.

    J theta'' = -k theta - c theta', k = sqrt(qa / r), c = sqrt(qr / r + 2 J k).

    J (3,): moments of inertia about the axes, kg m^2 -> rad/s, and the damping ratio, each the mean over the axes.
    """
    attitude, rate, effort = (
        np.full(3, weight) for weight in (table.attitude_weight, table.rate_weight, table.effort_weight)
    )
    k = np.sqrt(attitude / effort)
    c = np.sqrt(rate / effort + 2.0 * J * k)
    wn = np.sqrt(k / J)
    return float(wn.mean()), float((c / (2.0 * J * wn)).mean())


def weights(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return the weights of the regulator with a tuning: qa / r = k^2, qr / r = c^2 - 2 J k.

    frequency: natural frequency of small errors, rad/s; ratio: their damping ratio; J (3,): moments of inertia about
    the axes, kg m^2; sample: sampling period, s -> keys of the table.
    """
    k, c = frequency**2 * J, 2.0 * ratio * frequency * J
    return {
        "attitude_weight": tuple((k**2).tolist()),
        "rate_weight": tuple(np.maximum(c**2 - 2.0 * J * k, 0.0).tolist()),
        "effort_weight": 1.0,
    }
