"""`[controller]` tables of the laws that are designed on the exact linear model."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from .fields import AboveOne, NonNegative, Number, Positive, PositiveInteger, Table, Weight, entries_of, given, wrong
from .sampled import SampledTable

__all__ = [
    "FilterTable",
    "LinearTable",
    "LqgTable",
    "LqiTable",
    "LqrTable",
    "MixedSensitivityTable",
    "NotchTable",
    "PidTable",
    "PolePlacementTable",
    "RollOffTable",
]


class NotchTable(Table):
    """Takes a narrow band out of the command."""

    kind: Literal["notch"] = Field(description="which filter")
    frequency_rad_s: Positive = Field(description="where it is deepest, rad/s")
    width: Positive = Field(default=0.5, description="damping ratio of its poles: 0.1 is narrow, 1 is wide")
    depth: NonNegative = Field(default=0.0, description="gain at its frequency, below 1")


class RollOffTable(Table):
    """A Butterworth low-pass filter on the command."""

    kind: Literal["roll-off"] = Field(description="which filter")
    frequency_rad_s: Positive = Field(description="corner frequency, rad/s")
    order: PositiveInteger = Field(default=2, description="order")


FilterTable = Annotated[NotchTable | RollOffTable, Field(discriminator="kind")]


class LinearTable(SampledTable):
    """What every linear law has."""

    filters: tuple[FilterTable, ...] = Field(default=(), description="filters in series with the law, first to last")


class _Weighted(LinearTable):
    attitude_weight: Weight = Field(description="on the attitude error squared, 1/rad^2; one or per axis")
    rate_weight: Weight = Field(description="on the rate error squared, s^2/rad^2; one or per axis")
    effort_weight: Weight = Field(description="on the torque squared, 1/(N m)^2; one or per component")


class LqrTable(_Weighted):
    """Linear-quadratic regulator on the exact linear model about the reference."""

    kind: Literal["lqr"] = Field(description="which law")
    internal: Literal["locked", "measured"] = Field(
        default="locked", description="whether states of elements are fed back, or taken as locked in the design"
    )


class LqiTable(_Weighted):
    """Linear-quadratic regulator with integral action: a constant torque leaves no error."""

    kind: Literal["lqi"] = Field(description="which law")
    integral_weight: Weight = Field(description="on the integral of the attitude error, 1/(rad s)^2; one or per axis")
    internal: Literal["locked", "measured"] = Field(
        default="locked", description="whether states of elements are fed back, or taken as locked in the design"
    )


class LqgTable(_Weighted):
    """Linear-quadratic regulator with a Kalman estimator of the whole state."""

    kind: Literal["lqg"] = Field(description="which law")
    torque_noise_N_m_rtHz: Weight = Field(description="disturbance torque, N m/sqrt(Hz); one or per component")
    attitude_noise_rad: Weight = Field(description="standard deviation of a measured attitude, rad; one or per axis")
    rate_noise_rad_s: Weight | None = Field(
        default=None, description="standard deviation of a measured rate, rad/s; no rate sensor without it"
    )
    internal: Literal["estimated", "locked"] = Field(
        default="estimated", description="whether states of elements are estimated, or taken as locked in the design"
    )


class PidTable(LinearTable):
    """Proportional-derivative feedback per axis, with an integral where its time is given."""

    kind: Literal["pid"] = Field(description="which law")
    frequency_rad_s: Weight = Field(description="natural frequency, rad/s; one or per axis")
    damping_ratio: Weight = Field(description="damping ratio; one or per axis")
    integral_time_s: Weight | None = Field(default=None, description="integral time, s; no integral without it")


def _poles(value: object) -> Any:
    what = "poles in 1/s, each a number or [real, imaginary]"
    entries = entries_of(value)
    if entries is None:
        raise wrong(f"must be {what}; got {given(value)}")
    found: list[tuple[float, float]] = []
    for index, entry in enumerate(entries):
        pair = entries_of(entry) or [entry, 0.0]
        numbers = [part for part in pair if isinstance(part, int | float) and not isinstance(part, bool)]
        if len(pair) != 2 or len(numbers) != 2:
            raise wrong(f"must be {what}; number {index + 1} is {given(entry)}")
        found.append((float(numbers[0]), float(numbers[1])))
    return tuple(found)


class PolePlacementTable(LinearTable):
    """State feedback for given closed-loop poles."""

    kind: Literal["pole-placement"] = Field(description="which law")
    poles_1_s: Annotated[tuple[tuple[Number, Number], ...], BeforeValidator(_poles)] = Field(
        description="as many as states, 1/s, each a number or [real, imaginary]; none more than three times"
    )
    internal: Literal["locked", "measured"] = Field(
        default="locked", description="whether states of elements are fed back, or taken as locked in the design"
    )


class MixedSensitivityTable(LinearTable):
    """H-infinity or H2 output feedback from the attitude alone; needs slycot."""

    kind: Literal["mixed-sensitivity"] = Field(description="which law")
    bandwidth_rad_s: Positive = Field(description="bandwidth, rad/s")
    norm: Literal["hinf", "h2"] = Field(default="hinf", description="which norm is minimised")
    peak: AboveOne = Field(default=2.0, description="largest sensitivity asked for")
    stiffness: Positive = Field(default=100.0, description="one over the smallest sensitivity, at low frequency")
    effort: Positive = Field(default=30.0, description="largest effort, in bandwidths squared")
    roll_off: Positive = Field(default=10.0, description="where the loop is to fall, in bandwidths")
    internal: Literal["estimated", "locked"] = Field(
        default="estimated", description="whether states of elements are in the plant, or taken as locked"
    )
