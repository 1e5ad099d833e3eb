"""`[reference]`: what the craft should do; without a kind, an attitude to hold or to spin through."""

from typing import Annotated, Any, Literal, cast

from pydantic import Discriminator, Field, Tag, model_validator

from .fields import Number, Positive, Quaternion, Table, Vector3, Weight, entries_of, wrong
from .initial import AttitudeTable, EulerAnglesTable, PoseTable

__all__ = [
    "EigenaxisSlewTable",
    "HeldReferenceTable",
    "NadirTable",
    "ReferenceTable",
    "SpinTable",
    "SpinUpTable",
    "SunTable",
]

_BORESIGHT = Field(description="the body axis that points, body axes, any length but zero")
_CLOCK = Field(description="the second body axis, body axes, any length but zero")


class HeldReferenceTable(PoseTable):
    """The attitude to hold; without a kind, and with a rate, the attitude to spin through."""

    kind: Literal["fixed"] = Field(default="fixed", description="which reference")

    @model_validator(mode="after")
    def _something(self) -> "HeldReferenceTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg")
        if "kind" in self.model_fields_set and (self.rate_rad_s or self.rate_deg_s) is not None:
            raise wrong('kind = "fixed" is at rest; remove the rate or write kind = "spin"')
        return self


class SpinTable(PoseTable):
    """The attitude at t = 0 and the steady rate, reference body axes."""

    kind: Literal["spin"] = Field(description="which reference")

    @model_validator(mode="after")
    def _complete(self) -> "SpinTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg")
        if self.rate_rad_s is None and self.rate_deg_s is None:
            raise wrong('kind = "spin" needs rate_deg_s or rate_rad_s')
        return self


class EigenaxisSlewTable(AttitudeTable):
    """Rest to rest to an attitude about the eigenaxis, the fastest way within the limits."""

    kind: Literal["eigenaxis-slew"] = Field(description="which reference")
    from_attitude: Quaternion | None = Field(
        default=None, description="where it starts, Euler parameters, scalar first; the initial attitude if left out"
    )
    from_attitude_deg: EulerAnglesTable | None = Field(default=None, description="the same as Euler angles")
    from_s: Number = Field(default=0.0, description="when it starts, s")
    rate_limit_deg_s: Positive | None = Field(default=None, description="largest rate, deg/s")
    rate_limit_rad_s: Positive | None = Field(default=None, description="largest rate, rad/s")
    acceleration_limit_deg_s2: Positive | None = Field(default=None, description="largest acceleration, deg/s^2")
    acceleration_limit_rad_s2: Positive | None = Field(default=None, description="largest acceleration, rad/s^2")
    torque_limit_N_m: Weight | None = Field(
        default=None, description="what the slew itself may take of each body component, N m; one or per axis"
    )
    profile: Literal["bang-coast-bang", "smooth"] = Field(
        default="bang-coast-bang", description="constant acceleration, or a quintic in time"
    )

    @model_validator(mode="after")
    def _limited(self) -> "EigenaxisSlewTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg, where the slew ends")
        torque = self.torque_limit_N_m
        if torque is None and self.acceleration_limit_deg_s2 is None and self.acceleration_limit_rad_s2 is None:
            raise wrong("needs torque_limit_N_m or acceleration_limit_deg_s2")
        if torque is not None and min(cast("list[float]", entries_of(torque) or [torque])) <= 0.0:
            raise wrong(f"torque_limit_N_m must be greater than 0 N m; got {torque}")
        return self


class SpinUpTable(PoseTable):
    """From rest to a steady spin; the attitude, at rest, is the initial one if left out."""

    kind: Literal["spin-up"] = Field(description="which reference")
    from_s: Number = Field(default=0.0, description="when it starts, s")
    ramp_s: Positive | None = Field(default=None, description="how long it takes to the rate, s")
    acceleration_deg_s2: Positive | None = Field(default=None, description="largest acceleration, deg/s^2")
    acceleration_rad_s2: Positive | None = Field(default=None, description="largest acceleration, rad/s^2")
    profile: Literal["ramp", "smooth"] = Field(default="ramp", description="constant acceleration, or smooth")

    @model_validator(mode="after")
    def _complete(self) -> "SpinUpTable":
        if self.rate_deg_s is None and self.rate_rad_s is None:
            raise wrong("needs rate_deg_s or rate_rad_s, the spin at last")
        if self.ramp_s is None and self.acceleration_deg_s2 is None and self.acceleration_rad_s2 is None:
            raise wrong("needs ramp_s or acceleration_deg_s2")
        return self


class SunTable(Table):
    """A body axis to a fixed direction, a second one as near as possible to another."""

    kind: Literal["sun"] = Field(description="which reference")
    boresight: Vector3 = _BORESIGHT
    target: Vector3 = Field(description="where it points, inertial axes, any length but zero")
    clock: Vector3 = _CLOCK
    clock_target: Vector3 = Field(description="what it comes near to, inertial axes, any length but zero")


class NadirTable(Table):
    """A body axis to the centre of attraction; the orbit is the gravity gradient's if left out."""

    kind: Literal["nadir"] = Field(description="which reference")
    boresight: Vector3 = _BORESIGHT
    clock: Vector3 = _CLOCK
    clock_target: Literal["orbit-normal", "velocity"] = Field(
        default="orbit-normal", description="what the second axis is as near to as possible"
    )
    mu_m3_s2: Positive | None = Field(default=None, description="gravitational parameter of the centre, m^3/s^2")
    position_m: Vector3 | None = Field(default=None, description="orbit at t = 0, inertial axes, m")
    velocity_m_s: Vector3 | None = Field(default=None, description="orbit at t = 0, inertial axes, m/s")

    @model_validator(mode="after")
    def _whole(self) -> "NadirTable":
        orbit = (self.mu_m3_s2, self.position_m, self.velocity_m_s)
        if None in orbit and orbit != (None, None, None):
            raise wrong("give mu_m3_s2, position_m and velocity_m_s together, or none of them")
        return self


def _kind(value: Any) -> str:
    """The tag of what was given; anything but a table is left to the plainest one to refuse."""
    if isinstance(value, dict):
        return str(cast("dict[str, Any]", value).get("kind", "fixed"))
    return str(getattr(value, "kind", "fixed"))


ReferenceTable = Annotated[
    Annotated[HeldReferenceTable, Tag("fixed")]
    | Annotated[SpinTable, Tag("spin")]
    | Annotated[EigenaxisSlewTable, Tag("eigenaxis-slew")]
    | Annotated[SpinUpTable, Tag("spin-up")]
    | Annotated[SunTable, Tag("sun")]
    | Annotated[NadirTable, Tag("nadir")],
    Discriminator(_kind),
]
