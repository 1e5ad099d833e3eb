"""Common keys of minimum-time slews, with or without pointing cones, and creation of the reference."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from .....controllers import KeepOutSlew, PointingCone, TimeOptimalSlew, WheelAllocation
from .....plant.attitude.free_motion import gyrostat
from .....plant.errors import InputError
from ...located import located
from ...schema.fields import (
    FileName,
    Inertia,
    Number,
    Positive,
    PositiveInteger,
    Quaternion,
    Table,
    Text,
    Vector3,
    Weight,
    entries_of,
    numbers_of,
    vectors_of,
    wrong,
)
from ...schema.initial import AttitudeTable, EulerAnglesTable

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case

Array = NDArray[np.float64]
Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]


class ConeTable(Table):
    """Cone about an inertial direction; a body axis stays outside or inside it."""

    name: Text = Field(default="cone", description="name in messages and figures")
    axis: Vector3 = Field(description="body axis, body axes, any length but zero")
    direction: Vector3 = Field(description="axis of the cone, inertial axes, any length but zero")
    half_angle_deg: Positive = Field(description="half-angle, deg, below 180")
    keep: Literal["out", "in"] = Field(default="out", description="side on which the body axis stays")


class SlewWheelsTable(Table):
    """Wheels that apply the torque of a slew, in place of a torque limit per body axis."""

    axes: Vectors | None = Field(
        default=None, description="axes of the wheels, body axes; those of the plant by default, with their momentum"
    )
    torque_limit_N_m: Positive | Numbers = Field(description="torque of each wheel available to the slew, N m")
    momentum_capacity_N_m_s: Positive | Numbers | None = Field(
        default=None, description="largest momentum of each wheel, N m s; for the pseudo-inverse"
    )
    allocation: Literal["pseudo-inverse", "min-max"] = Field(
        default="pseudo-inverse", description="allocation of the torque to the wheels"
    )
    momentum_N_m_s: Numbers | None = Field(
        default=None, description="momentum of each wheel at the start, N m s; zero by default if axes are given"
    )


class OptimalSlewTable(AttitudeTable):
    """Keys of a rest-to-rest slew in least time."""

    paths: ClassVar[tuple[str, ...]] = ("plan_file",)

    from_attitude: Quaternion | None = Field(
        default=None, description="start attitude, Euler parameters, scalar first; the initial attitude by default"
    )
    from_attitude_deg: EulerAnglesTable | None = Field(default=None, description="the same as Euler angles")
    from_s: Number = Field(default=0.0, description="when it starts, s")
    pointing_axis: Vector3 | None = Field(
        default=None, description="instead of attitude: body axis that is pointed at the end, with free roll about it"
    )
    pointing_direction: Vector3 | None = Field(
        default=None, description="final direction of pointing_axis, inertial axes"
    )
    rate_limit_deg_s: Positive | None = Field(default=None, description="largest rate, deg/s")
    rate_limit_rad_s: Positive | None = Field(default=None, description="largest rate, rad/s")
    torque_limit_N_m: Weight | None = Field(
        default=None, description="torque available to the slew, per body axis, N m; one or per axis"
    )
    wheels: SlewWheelsTable | None = Field(default=None, description="wheels, instead of torque_limit_N_m")
    inertia_kg_m2: Inertia | None = Field(
        default=None, description="inertia that the plan assumes; that of the spacecraft by default, dispersed or not"
    )
    intervals: PositiveInteger = Field(default=60, description="intervals of constant torque")
    starts: PositiveInteger = Field(default=6, description="starts of the search")
    seed: int = Field(default=0, ge=0, description="seed of the random starts")
    plan_file: FileName | None = Field(
        default=None,
        description="CSV file of `polhode plan`, whose inputs must equal those of the case; without it, the slew is "
        "planned in each run",
    )

    @model_validator(mode="after")
    def _complete(self) -> "OptimalSlewTable":
        ended = self.attitude is not None or self.attitude_deg is not None
        pointing = (self.pointing_axis, self.pointing_direction)
        if (None in pointing) != (pointing == (None, None)):
            raise wrong("give pointing_axis and pointing_direction together, or neither")
        if ended == (self.pointing_axis is not None):
            raise wrong("needs attitude or attitude_deg, or else pointing_axis and pointing_direction")
        torque = self.torque_limit_N_m
        if (torque is None) == (self.wheels is None):
            raise wrong("needs torque_limit_N_m, or else wheels")
        if torque is not None and min(cast("list[float]", entries_of(torque) or [torque])) <= 0.0:
            raise wrong(f"torque_limit_N_m must be greater than 0 N m; got {torque}")
        return self


def optimal_slew(
    table: OptimalSlewTable, case: "Case", craft: "Spacecraft", cones: tuple[ConeTable, ...] = ()
) -> TimeOptimalSlew:
    """Return the slew; it is planned unless its plan file contains the plan.

    If a value is invalid or no plan is found, the message of the error begins with the key path.
    """
    from math import radians

    from ..start import attitude_of, initial_state, pose

    start = attitude_of(table.from_attitude, table.from_attitude_deg, "reference: from")
    if start is None:
        start, _ = pose(case.initial, "initial")
    initial = initial_state(craft, case.initial)
    settings: dict[str, Any] = {
        "end": attitude_of(table.attitude, table.attitude_deg, "reference: "),
        "inertia": craft.locked_inertia(initial),
        "begin": table.from_s,
        "rate_limit": table.rate_limit_rad_s if table.rate_limit_deg_s is None else radians(table.rate_limit_deg_s),
        "intervals": table.intervals,
        "starts": table.starts,
        "seed": table.seed,
        "plan_file": table.plan_file,
    }
    if table.pointing_axis is not None:
        settings["pointing"] = (table.pointing_axis, table.pointing_direction)
    with located("reference"):
        if table.wheels is None:
            settings["torque_limit"] = table.torque_limit_N_m
        else:
            wheels = table.wheels
            axes, held = _wheels(craft, initial) if wheels.axes is None else (wheels.axes, None)
            settings["wheels"] = WheelAllocation(axes, limit=wheels.torque_limit_N_m, method=wheels.allocation)
            settings["momentum_capacity"] = wheels.momentum_capacity_N_m_s
            # wheel torque accelerates the spacecraft without the axial inertia of the wheels
            settings["inertia"] = gyrostat(craft, initial).inertia
            settings["wheel_momentum"] = held if wheels.momentum_N_m_s is None else wheels.momentum_N_m_s
        if table.inertia_kg_m2 is not None:
            settings["inertia"] = table.inertia_kg_m2
        if not cones:
            return TimeOptimalSlew(start, **settings)
        made = [
            PointingCone(
                each.axis, each.direction, half_angle=radians(each.half_angle_deg), keep=each.keep, name=each.name
            )
            for each in cones
        ]
        return KeepOutSlew(start, cones=made, **settings)


def _wheels(craft: "Spacecraft", initial: Array) -> tuple[list[Array], list[float]]:
    """Return spin axes and initial momenta (N m s) of the wheels of a spacecraft."""
    axes: list[Array] = []
    held: list[float] = []
    at = 0
    momenta = initial[craft.layout.internal_momentum]
    for element in craft.elements:
        if getattr(element, "spins", False):  # a wheel
            axes.append(cast("Any", element).axis)
            held.append(float(momenta[at]))
        at += len(element.coordinates)
    if not axes:
        raise InputError("wheels: the plant has no wheels; give wheels.axes, or torque_limit_N_m in place of wheels")
    return axes, held
