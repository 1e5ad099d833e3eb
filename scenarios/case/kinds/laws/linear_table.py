"""Common keys of linear laws: filters in series, and saturation."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, RationalFilter, dipole, filtered, notch, roll_off
from ...schema.fields import AboveOne, NonNegative, Positive, PositiveInteger, Table, Weight
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
            Continuous-time filter.
        """
        return notch(self.frequency_rad_s, width=self.width, depth=self.depth)


class DipoleTable(Table):
    """Dipole filter on the command, which raises the loop gain at the frequency of a periodic disturbance."""

    kind: Literal["dipole"] = Field(description="which filter")
    frequency_rad_s: Positive = Field(description="frequency of the disturbance, rad/s")
    width: Positive = Field(description="damping ratio of its poles; that of its zeros is gain times larger")
    gain: AboveOne = Field(description="gain at its frequency, above 1")

    def make(self) -> RationalFilter:
        """Return the filter.

        Returns
        -------
        RationalFilter
            Continuous-time filter.
        """
        return dipole(self.frequency_rad_s, width=self.width, gain=self.gain)


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
            Continuous-time filter.
        """
        return roll_off(self.frequency_rad_s, order=self.order)


FilterTable = Annotated[NotchTable | DipoleTable | RollOffTable, Field(discriminator="kind")]


class LinearTable(SampledTable):
    """Common keys of linear laws."""

    filters: tuple[FilterTable, ...] = Field(default=(), description="filters in series with the law, first to last")

    @property
    def saturation(self) -> str:
        """Saturation at the torque limits: "direction" or "component"."""
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
            Filtered law, or the same law if the table has no filters.
        """
        return filtered(law, *(each.make() for each in self.filters)) if self.filters else law


class WeightedTable(LinearTable):
    """Common keys of linear-quadratic designs."""

    attitude_weight: Weight = Field(description="weight of the squared attitude error, 1/rad^2; one or per axis")
    rate_weight: Weight = Field(description="weight of the squared rate error, s^2/rad^2; one or per axis")
    effort_weight: Weight = Field(description="weight of the squared torque, 1/(N m)^2; one or per component")


def weights_tuning(table: WeightedTable, J: Array) -> tuple[float, float]:
    """Return natural frequency, rad/s, and damping ratio of the regulator, each averaged over the axes.

    About one axis J theta'' = -k theta - c theta', with k = sqrt(qa / r) and c = sqrt(qr / r + 2 J k).

    table: table with the weights qa, qr and r; J (3,): moments of inertia about the axes, kg m^2.
    """
    attitude, rate, effort = (
        np.full(3, weight) for weight in (table.attitude_weight, table.rate_weight, table.effort_weight)
    )
    k = np.sqrt(attitude / effort)
    c = np.sqrt(rate / effort + 2.0 * J * k)
    wn = np.sqrt(k / J)
    return float(wn.mean()), float((c / (2.0 * J * wn)).mean())


def weights(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return the weights for a tuning as keys of the table: qa / r = k^2, qr / r = c^2 - 2 J k.

    frequency, ratio: natural frequency (rad/s) and damping ratio of small errors; J (3,): moments of inertia about the
    axes, kg m^2; sample: sampling period, s.
    """
    k, c = frequency**2 * J, 2.0 * ratio * frequency * J
    return {
        "attitude_weight": tuple((k**2).tolist()),
        "rate_weight": tuple(np.maximum(c**2 - 2.0 * J * k, 0.0).tolist()),
        "effort_weight": 1.0,
    }
