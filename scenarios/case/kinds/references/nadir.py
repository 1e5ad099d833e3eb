"""Reference that points a body axis to the centre of attraction."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from .....controllers import NadirPointing, OrbitPointing
from .....plant.errors import InputError
from ...located import located
from ...schema.fields import Positive, Table, Vector3, wrong
from .kind import ReferenceKind
from .orbit_reference import along_orbit

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case

__all__ = ["KIND", "NadirTable"]


class NadirTable(Table):
    """Nadir pointing of a body axis along `[orbit]`, or the orbit given here, or that of the gravity gradient."""

    kind: Literal["nadir"] = Field(description="which reference")
    boresight: Vector3 = Field(description="the body axis that points, body axes, any length but zero")
    clock: Vector3 = Field(description="the second body axis, body axes, any length but zero")
    clock_target: Literal["orbit-normal", "velocity", "sun"] = Field(
        default="orbit-normal", description="target of the second axis; sun, with `[orbit]`: yaw steering"
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


def _make(table: NadirTable, case: "Case", craft: "Spacecraft") -> "NadirPointing | OrbitPointing":
    """Return the pointing along the orbit given here, that of the case, or that of the gravity gradient."""
    if case.orbit is not None and table.mu_m3_s2 is None:
        return along_orbit(case, table.boresight, table.clock, target="nadir", clock_target=table.clock_target)
    if table.clock_target == "sun":
        raise InputError('reference: clock_target = "sun" needs the date of [orbit]; give that table')
    mu, place, velocity = table.mu_m3_s2, table.position_m, table.velocity_m_s
    if mu is None:
        fields = [item.orbit for item in case.plant.potentials if item.orbit is not None]
        if len(fields) != 1:
            raise InputError(
                "reference: nadir needs an orbit: give mu_m3_s2, position_m and velocity_m_s here, or one "
                f"gravity-gradient potential that has them; the plant has {len(fields)}"
            )
        mu, place, velocity = fields[0]
    if place is None or velocity is None:  # the craft's own orbit
        place, velocity = case.initial.position_m, case.initial.velocity_m_s
    if place is None or velocity is None:
        raise InputError("reference: nadir needs an orbit: give position_m and velocity_m_s in [initial]")
    with located("reference"):
        return NadirPointing(
            place,
            velocity,
            mu=mu,
            boresight=table.boresight,
            clock=table.clock,
            clock_target=table.clock_target,
        )


KIND = ReferenceKind(table=NadirTable, make=_make)
