"""`[controller]`: which law closes the loop, and its tuning; the linear designs are in `linear_designs`."""

from typing import Annotated, Literal

from pydantic import Field

from .fields import Positive, Switch, Text, Vector3, Weight
from .linear_designs import LqgTable, LqiTable, LqrTable, MixedSensitivityTable, PidTable, PolePlacementTable
from .sampled import ActuatedTable, SampledTable

__all__ = [
    "ControllerTable",
    "EnergyShapingTable",
    "FileTable",
    "OnOffTable",
    "QuaternionFeedbackTable",
    "RateDampingTable",
    "SlidingModeTable",
]


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


class OnOffTable(SampledTable):
    """Thrusters that are on or off about each axis, with a deadband and hysteresis."""

    kind: Literal["on-off"] = Field(description="which law")
    torque_N_m: Weight = Field(description="torque of the thrusters, N m; one or per axis")
    deadband_deg: Weight = Field(description="signal at which they are switched on, deg; one or per axis")
    lead_s: Weight = Field(description="time by which the rate looks ahead in the signal, s; one or per axis")
    hysteresis_deg: Weight = Field(default=0.0, description="how far below they are switched off, deg; one or per axis")


class FileTable(ActuatedTable):
    """A law that was saved to a file, for this very plant."""

    kind: Literal["file"] = Field(description="which law")
    file: Annotated[Text, Field(min_length=1)] = Field(description="its path, from the folder of the case file")


ControllerTable = Annotated[
    EnergyShapingTable
    | FileTable
    | LqgTable
    | LqiTable
    | LqrTable
    | MixedSensitivityTable
    | OnOffTable
    | PidTable
    | PolePlacementTable
    | QuaternionFeedbackTable
    | RateDampingTable
    | SlidingModeTable,
    Field(discriminator="kind"),
]
