"""`[run]`, `[[torques]]`, `[metrics]`, `[[figures]]` and `[[require]]` of a case with a `[satellite]`."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import NonNegative, Positive, Sequence, Table, Text, Vector3, wrong
from .initial import PoseTable
from .run import BoundsTable, MetricsTable

__all__ = [
    "SatelliteFigureTable",
    "SatelliteInitialTable",
    "SatelliteMetricName",
    "SatelliteMetricsTable",
    "SatelliteRequireTable",
    "SatelliteRunTable",
    "SatelliteTorqueTable",
]

SatelliteMetricName = Literal[
    "effort_N2_m2_s",
    "energy_drift_relative",
    "final_attitude_error_deg",
    "momentum_drift_relative",
    "overshoot_deg",
    "peak_rate_deg_s",
    "peak_tip_deflection_m",
    "peak_torque_N_m",
    "quaternion_norm_error",
    "residual_strain_energy_J",
    "residual_tip_deflection_m",
    "settling_time_s",
]


class SatelliteInitialTable(PoseTable):
    """The state at t = 0: the undeformed satellite in rigid motion, aligned and at rest unless said otherwise."""

    position_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the mass centre, inertial axes, m")
    velocity_m_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the mass centre, inertial axes, m/s")


class SatelliteTorqueTable(Table):
    """A torque on the hub, in hub axes, acting for from_s <= t < to_s; torques that overlap add."""

    from_s: NonNegative = Field(description="from when it acts, s")
    to_s: Positive = Field(description="until when it acts, s")
    shape: Literal["constant", "raised-cosine"] = Field(
        default="constant", description="raised-cosine: half of 1 - cos(2 pi (t - from_s) / (to_s - from_s))"
    )
    components_N_m: Vector3 = Field(description="components at the peak of the shape, hub axes, N m")

    @model_validator(mode="after")
    def _consistent(self) -> "SatelliteTorqueTable":
        if self.to_s <= self.from_s:
            raise wrong(f"to_s = {self.to_s:g} s must be later than from_s = {self.from_s:g} s")
        return self


class SatelliteRunTable(Table):
    """Duration, integrator and output."""

    duration_s: Positive = Field(description="how long, s")
    integrator: Literal["gauss4", "midpoint", "rk4", "rk8"] = Field(
        default="gauss4",
        description="implicit Gauss methods of order 4 and 2, or explicit Runge-Kutta of 4 and 8",
    )
    step_s: Positive | None = Field(
        default=None,
        description="longest step, s; if left out a twentieth of the lowest elastic period, or 0.8 of what is stable",
    )
    output_s: Positive | None = Field(
        default=None, description="period of the recorded output, s; a five-hundredth of the duration if left out"
    )


class SatelliteMetricsTable(MetricsTable):
    """What the metrics mean."""

    residual_from_s: NonNegative | None = Field(
        default=None, description="from when on vibration is residual, s; after the last torque, or the settling time"
    )
    euler_sequence: Sequence | None = Field(default=None, description="adds the hub's Euler angles to every sample")


class SatelliteFigureTable(Table):
    """One picture, written as figure_NAME.png: nodes over time.

    With two arms nodes are numbered from the tip of the second inwards, the hub, then from the root of the first
    outwards, as 003 numbers them from left to right; otherwise they are called by arm, the hub first.
    """

    name: Annotated[Text, Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$")] = Field(
        description="of the file: letters, digits, - and _"
    )
    caption: Annotated[Text, Field(min_length=1)] = Field(description="above the picture")
    kind: Literal[
        "displacement",
        "velocity",
        "euler-parameters",
        "euler-parameter-rates",
        "euler-angles",
        "euler-rates",
    ] = Field(description="what is drawn over time")
    sequence: Sequence | None = Field(default=None, description="of Euler angles and rates")

    @model_validator(mode="after")
    def _consistent(self) -> "SatelliteFigureTable":
        angles = self.kind in ("euler-angles", "euler-rates")
        if angles and self.sequence is None:
            raise wrong(f'kind = "{self.kind}" needs sequence, such as "1-2-3"')
        if not angles and self.sequence is not None:
            raise wrong(f'sequence is not used when kind = "{self.kind}"; remove it')
        return self


class SatelliteRequireTable(BoundsTable):
    """A metric and the bounds it must keep; a metric that cannot be computed does not keep them."""

    metric: SatelliteMetricName = Field(description="which number of the run")
