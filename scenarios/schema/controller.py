"""`[controller]`: which law closes the loop, and its tuning."""

from typing import Annotated, Literal

from pydantic import Field

from .fields import NonNegative, Positive, Switch, Table, Vector3, Weight

__all__ = [
    "ControllerTable",
    "EnergyShapingTable",
    "LqrTable",
    "QuaternionFeedbackTable",
    "RateDampingTable",
    "SampledTable",
    "SlidingModeTable",
]


class SampledTable(Table):
    """What every sampled law has."""

    sample_s: Positive = Field(description="sampling period, s")
    delay_s: NonNegative = Field(default=0.0, description="from a sample to its torque, s")
    torque_limit_N_m: Positive | None = Field(
        default=None, description="largest magnitude of each component in the torque basis, N m"
    )
    keep_direction: Switch = Field(
        default=False, description="whether a command beyond the limit is shortened as a whole"
    )


class LqrTable(SampledTable):
    """Linear-quadratic regulator on the exact linear model about the reference."""

    kind: Literal["lqr"] = Field(description="which law")
    attitude_weight: Weight = Field(description="on the attitude error squared, 1/rad^2; one or per axis")
    rate_weight: Weight = Field(description="on the rate error squared, s^2/rad^2; one or per axis")
    effort_weight: Weight = Field(description="on the torque squared, 1/(N m)^2; one or per component")


class QuaternionFeedbackTable(SampledTable):
    """Nonlinear quaternion feedback, tuned by natural frequency and damping ratio."""

    kind: Literal["quaternion-feedback"] = Field(description="which law")
    frequency_rad_s: Positive = Field(description="natural frequency of small errors, rad/s")
    damping_ratio: Positive = Field(description="damping ratio of small errors")
    gyroscopic: Switch = Field(default=True, description="whether the gyroscopic torque is cancelled")


class EnergyShapingTable(SampledTable):
    """Passivity-based law: the energy of a spring and damping; tuned by natural frequency and damping ratio."""

    kind: Literal["energy-shaping"] = Field(description="which law")
    frequency_rad_s: Positive = Field(description="natural frequency of small errors, rad/s")
    damping_ratio: Positive = Field(description="damping ratio of small errors")


class SlidingModeTable(SampledTable):
    """Sliding mode with a boundary layer, s = rate error + slope x vector part of the error."""

    kind: Literal["sliding-mode"] = Field(description="which law")
    slope_1_s: Weight = Field(description="L, 1/s; one or per axis")
    reach_N_m: Weight = Field(description="K, N m, more than the disturbance; one or per axis")
    boundary_layer_rad_s: Weight = Field(description="phi, rad/s; one or per axis")


class RateDampingTable(SampledTable):
    """Rate damping; with a field the B-dot law of magnetic torquers. It needs no reference."""

    kind: Literal["rate-damping"] = Field(description="which law")
    gain_N_m_s: Weight = Field(description="K, N m s/rad, with a field times its square; one or per axis")
    field: Vector3 | None = Field(default=None, description="the field at t = 0, inertial axes, any unit")
    field_rate_rad_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="its steady rate, inertial axes, rad/s")


ControllerTable = Annotated[
    LqrTable | QuaternionFeedbackTable | EnergyShapingTable | SlidingModeTable | RateDampingTable,
    Field(discriminator="kind"),
]
