"""Schema of `[initial]`, and common keys for attitude and rate."""

from pydantic import Field, model_validator

from .fields import Quaternion, Sequence, Table, Vector3, wrong

ALTERNATIVES = (
    ("attitude", "attitude_deg"),
    ("rate_rad_s", "rate_deg_s", "momentum_N_m_s"),
    ("from_attitude", "from_attitude_deg"),
    ("rate_limit_rad_s", "rate_limit_deg_s"),
    ("acceleration_limit_rad_s2", "acceleration_limit_deg_s2"),
    ("acceleration_rad_s2", "acceleration_deg_s2", "ramp_s"),
)
"""Groups of keys for one quantity in different units; a table has at most one key of each group."""


class EulerAnglesTable(Table):
    """Attitude as three rotation angles about the axes of a sequence."""

    sequence: Sequence = Field(description='axes of the three rotations, such as "3-2-1"')
    angles: Vector3 = Field(description="the three angles, deg")


class AttitudeTable(Table):
    """Attitude in one of two notations; a table gives one key per quantity."""

    attitude: Quaternion | None = Field(default=None, description="Euler parameters, scalar first")
    attitude_deg: EulerAnglesTable | None = Field(default=None, description="the attitude as Euler angles")

    @model_validator(mode="after")
    def _one_of_each(self) -> "AttitudeTable":
        for group in ALTERNATIVES:
            named = [key for key in group if getattr(self, key, None) is not None]
            if len(named) > 1:
                raise wrong(f"give only one of {' and '.join(named)}")
        return self


class PoseTable(AttitudeTable):
    """Attitude and rate, each in one of several notations."""

    rate_rad_s: Vector3 | None = Field(default=None, description="angular velocity, body axes, rad/s")
    rate_deg_s: Vector3 | None = Field(default=None, description="angular velocity, body axes, deg/s")


class InitialTable(PoseTable):
    """State at t = 0; by default aligned with inertial space and at rest."""

    momentum_N_m_s: Vector3 | None = Field(
        default=None, description="angular momentum, body axes, N m s, instead of a rate"
    )
    position_m: Vector3 | None = Field(
        default=None, description="position of the mass centre, inertial axes, m; with translation"
    )
    velocity_m_s: Vector3 | None = Field(
        default=None, description="velocity of the mass centre, inertial axes, m/s; with translation"
    )
