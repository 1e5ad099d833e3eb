"""`[initial]` and `[reference]`: the state at the start and the attitude to hold."""

from pydantic import Field, model_validator

from .fields import Quaternion, Sequence, Table, Vector3, wrong

__all__ = ["ALTERNATIVES", "EulerAnglesTable", "InitialTable", "PoseTable", "ReferenceTable"]

ALTERNATIVES = (("attitude", "attitude_deg"), ("rate_rad_s", "rate_deg_s", "momentum_N_m_s"))
"""Keys that say the same thing in different units: at most one of each group is given."""


class EulerAnglesTable(Table):
    """An attitude as three rotation angles about the axes of a sequence."""

    sequence: Sequence = Field(description='axes of the three rotations, such as "3-2-1"')
    angles: Vector3 = Field(description="the three angles, deg")


class PoseTable(Table):
    """An attitude and a rate, each in one of several ways."""

    attitude: Quaternion | None = Field(default=None, description="Euler parameters, scalar first")
    attitude_deg: EulerAnglesTable | None = Field(default=None, description="the attitude as Euler angles")
    rate_rad_s: Vector3 | None = Field(default=None, description="angular velocity, body axes, rad/s")
    rate_deg_s: Vector3 | None = Field(default=None, description="angular velocity, body axes, deg/s")

    @model_validator(mode="after")
    def _one_of_each(self) -> "PoseTable":
        for group in ALTERNATIVES:
            named = [key for key in group if getattr(self, key, None) is not None]
            if len(named) > 1:
                raise wrong(f"give only one of {' and '.join(named)}")
        return self


class InitialTable(PoseTable):
    """The state at t = 0: aligned with inertial space and at rest unless said otherwise."""

    momentum_N_m_s: Vector3 | None = Field(
        default=None, description="angular momentum, body axes, N m s, in place of a rate"
    )
    position_m: Vector3 | None = Field(
        default=None, description="position of the mass centre, inertial axes, m; with translation"
    )
    velocity_m_s: Vector3 | None = Field(
        default=None, description="velocity of the mass centre, inertial axes, m/s; with translation"
    )


class ReferenceTable(PoseTable):
    """The attitude to hold; with a rate (reference body axes) the attitude to spin through."""

    @model_validator(mode="after")
    def _something(self) -> "ReferenceTable":
        if self.attitude is None and self.attitude_deg is None:
            raise wrong("needs attitude or attitude_deg")
        return self
