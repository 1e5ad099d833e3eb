"""`[controller]`: which law closes the loop, and its tuning."""

from typing import Annotated, Literal

from pydantic import Field

from .fields import NonNegative, Positive, Switch, Table, Weight

__all__ = ["ControllerTable", "LqrTable", "QuaternionFeedbackTable"]


class _Sampled(Table):
    """What every sampled law has."""

    sample_s: Positive = Field(description="sampling period, s")
    delay_s: NonNegative = Field(default=0.0, description="from a sample to its torque, s")
    torque_limit_N_m: Positive | None = Field(
        default=None, description="largest magnitude of each component in the torque basis, N m"
    )


class LqrTable(_Sampled):
    """Linear-quadratic regulator on the exact linear model about the reference."""

    kind: Literal["lqr"] = Field(description="which law")
    attitude_weight: Weight = Field(description="on the attitude error squared, 1/rad^2; one or per axis")
    rate_weight: Weight = Field(description="on the rate error squared, s^2/rad^2; one or per axis")
    effort_weight: Weight = Field(description="on the torque squared, 1/(N m)^2; one or per component")


class QuaternionFeedbackTable(_Sampled):
    """Nonlinear quaternion feedback, tuned by natural frequency and damping ratio."""

    kind: Literal["quaternion-feedback"] = Field(description="which law")
    frequency_rad_s: Positive = Field(description="natural frequency of small errors, rad/s")
    damping_ratio: Positive = Field(description="damping ratio of small errors")
    gyroscopic: Switch = Field(default=True, description="whether the gyroscopic torque is cancelled")


ControllerTable = Annotated[LqrTable | QuaternionFeedbackTable, Field(discriminator="kind")]
