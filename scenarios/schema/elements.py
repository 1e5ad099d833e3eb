"""`[[plant.elements]]`: what moves inside the craft."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .arms import FlexibleArmTable
from .fields import NonNegative, Number, Positive, Switch, Table, Vector3, numbers_of, vectors_of, wrong

__all__ = [
    "ElementTable",
    "FlexibleArmTable",
    "FlexibleModesTable",
    "MassSpringDamperTable",
    "PendulumTable",
    "RingDamperTable",
    "ViscousWheelTable",
    "WheelArrayTable",
    "WheelTable",
]

Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]


class RingDamperTable(Table):
    """A ring, wholly or partly filled with a viscous fluid that moves as one slug."""

    kind: Literal["ring-damper"] = Field(description="which element")
    axis: Vector3 = Field(description="axis of the ring, body axes, any length but zero")
    mass_kg: Positive = Field(description="mass of the fluid, kg; not in the craft's mass_kg")
    radius_m: Positive = Field(description="mean radius of the ring, m")
    height_m: Number = Field(default=0.0, description="height of its plane along the axis, from the mass centre, m")
    fill_deg: Annotated[Positive, Field(le=360.0)] = Field(default=360.0, description="arc the fluid fills, deg")
    friction_kg_s: NonNegative = Field(description="Cd, kg/s: the torque on the fluid is -Cd R^2 times its rate")
    angle_rad: Number = Field(default=0.0, description="angle of the middle of the slug at t = 0, rad")
    relative_rate_rad_s: Number = Field(default=0.0, description="rate of the slug at t = 0, rad/s")
    model: Literal["consistent", "published"] = Field(
        default="consistent", description="published: Shivarama & Fahrenthold's (63)-(68) as printed, to compare only"
    )


class ViscousWheelTable(Table):
    """A damper wheel: a rotor with viscous friction on its axis."""

    kind: Literal["viscous-wheel"] = Field(description="which element")
    axis: Vector3 = Field(description="its axis, body axes, any length but zero")
    inertia_kg_m2: Positive = Field(description="axial inertia, kg m^2; the transverse one belongs to the craft's")
    friction_N_m_s: NonNegative = Field(description="viscous friction, N m s/rad")
    relative_rate_rad_s: Number = Field(default=0.0, description="its rate relative to the craft at t = 0, rad/s")


class WheelTable(ViscousWheelTable):
    """A reaction or momentum wheel."""

    kind: Literal["wheel"] = Field(description="which element")  # pyright: ignore[reportIncompatibleVariableOverride] # the word
    friction_N_m_s: NonNegative = Field(default=0.0, description="viscous friction, N m s/rad")
    coulomb_N_m: NonNegative = Field(default=0.0, description="Coulomb friction, N m")
    motor_torque_N_m: Number = Field(default=0.0, description="constant torque of the motor on the wheel, N m")
    torque_limit_N_m: Positive | None = Field(default=None, description="largest torque of the motor, N m")
    speed_limit_rad_s: Positive | None = Field(
        default=None, description="relative rate beyond which the motor no longer drives outwards, rad/s"
    )


class WheelArrayTable(Table):
    """Equal wheels that share the torque the controller asks for, in place of a torque from outside."""

    kind: Literal["wheel-array"] = Field(description="which element")
    axes: Vectors = Field(description="their axes, body axes; three or more that span space")
    inertia_kg_m2: Positive = Field(description="axial inertia of each, kg m^2")
    friction_N_m_s: NonNegative = Field(default=0.0, description="viscous friction of each, N m s/rad")
    coulomb_N_m: NonNegative = Field(default=0.0, description="Coulomb friction of each, N m")
    torque_limit_N_m: Positive | None = Field(default=None, description="largest torque of each motor, N m")
    speed_limit_rad_s: Positive | None = Field(
        default=None, description="relative rate beyond which a motor no longer drives outwards, rad/s"
    )
    relative_rates_rad_s: Numbers | None = Field(default=None, description="their rates at t = 0, rad/s; zero")
    allocation: Literal["pseudo-inverse", "min-max"] = Field(
        default="pseudo-inverse", description="how they share a torque: least squares, or the smallest largest torque"
    )
    keep_direction: Switch = Field(
        default=False, description="whether a demand beyond what they reach is shortened as a whole"
    )

    @model_validator(mode="after")
    def _limited(self) -> "WheelArrayTable":
        if self.keep_direction and self.torque_limit_N_m is None:
            raise wrong("wheel-array: keep_direction = true needs torque_limit_N_m, or there is nothing to keep it at")
        return self


class PendulumTable(Table):
    """A point mass on a massless rod hinged to the craft: sloshing fuel."""

    kind: Literal["pendulum"] = Field(description="which element")
    hinge_m: Vector3 = Field(description="the hinge, from the mass centre, body axes, m")
    length_m: Positive = Field(description="from hinge to mass, m")
    mass_kg: Positive = Field(description="kg; not in the craft's mass_kg")
    direction: Vector3 = Field(description="where the rod points at rest, body axes, any length but zero")
    axis: Vector3 | None = Field(default=None, description="of a planar pendulum, body axes; spherical without it")
    damping_N_m_s: NonNegative = Field(default=0.0, description="friction of the hinge, N m s/rad")
    stiffness_N_m_rad: NonNegative = Field(
        default=0.0, description="of the hinge, N m/rad; the pull is that times the sine"
    )
    angle_rad: Numbers | float = Field(default=0.0, description="angle at t = 0, rad; two of a spherical one")
    rate_rad_s: Numbers | float = Field(default=0.0, description="its rate at t = 0, rad/s")


class MassSpringDamperTable(Table):
    """A mass that slides along a line, on a spring and a damper."""

    kind: Literal["mass-spring-damper"] = Field(description="which element")
    point_m: Vector3 = Field(description="where the mass is at rest, from the mass centre, body axes, m")
    axis: Vector3 = Field(description="the line, body axes, any length but zero")
    mass_kg: Positive = Field(description="kg; not in the craft's mass_kg")
    stiffness_N_m: NonNegative = Field(default=0.0, description="stiffness, N/m")
    damping_N_s_m: NonNegative = Field(default=0.0, description="damping, N s/m")
    displacement_m: Number = Field(default=0.0, description="displacement at t = 0, m")
    rate_m_s: Number = Field(default=0.0, description="its rate at t = 0, m/s")


class FlexibleModesTable(Table):
    """Appendages as modes: frequencies, damping ratios and how each takes part in the craft's motion."""

    kind: Literal["flexible-modes"] = Field(description="which element")
    frequencies_rad_s: Numbers = Field(description="of the modes with the craft held, rad/s")
    damping_ratios: Numbers = Field(description="one per mode")
    rotation_sqrt_kg_m: Vectors = Field(
        description="participation in rotation, one vector per mode, sqrt(kg) m, body axes"
    )
    translation_sqrt_kg: Vectors | None = Field(
        default=None, description="participation in translation, one vector per mode, sqrt(kg), body axes"
    )

    @model_validator(mode="after")
    def _as_many(self) -> "FlexibleModesTable":
        n = len(self.frequencies_rad_s)
        for name in ("damping_ratios", "rotation_sqrt_kg_m", "translation_sqrt_kg"):
            value = getattr(self, name)
            if value is not None and len(value) != n:
                raise wrong(f"{name} needs one entry for each of the {n} frequencies; got {len(value)}")
        return self


ElementTable = Annotated[
    FlexibleArmTable
    | FlexibleModesTable
    | MassSpringDamperTable
    | PendulumTable
    | RingDamperTable
    | ViscousWheelTable
    | WheelArrayTable
    | WheelTable,
    Field(discriminator="kind"),
]
