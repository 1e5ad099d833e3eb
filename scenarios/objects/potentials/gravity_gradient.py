"""The gravity gradient of an orbit in a case."""

from typing import Literal

from pydantic import Field

from ....plant import GravityGradient
from ...case.schema.fields import Positive, Vector3, wrong
from ...case.schema.potential import Orbit, PotentialTable
from .kind import PotentialKind

__all__ = ["KIND", "GravityGradientTable"]


class GravityGradientTable(PotentialTable):
    """Gravity gradient of a central field on a Kepler orbit, or on the orbit of a translating spacecraft."""

    kind: Literal["gravity-gradient"] = Field(description="which potential")
    mu_m3_s2: Positive = Field(description="gravitational parameter of the centre, m^3/s^2")
    position_m: Vector3 | None = Field(default=None, description="orbit at t = 0, inertial axes, m")
    velocity_m_s: Vector3 | None = Field(default=None, description="orbit at t = 0, inertial axes, m/s")

    @property
    def orbit(self) -> Orbit:
        """Orbit of the spacecraft about the centre."""
        return self.mu_m3_s2, self.position_m, self.velocity_m_s

    def check(self, *, key: str, kind: str, placed: bool, translation: bool) -> None:
        """Raise unless the orbit is given once.

        key: its key path; kind, placed: not used; translation: whether the orbit is the motion of the spacecraft
        itself.
        """
        del kind, placed
        orbit = (self.position_m, self.velocity_m_s)
        if translation and orbit != (None, None):
            raise wrong(
                f"{key}: the spacecraft's own motion is the orbit; give position_m and velocity_m_s in [initial]"
            )
        if not translation and None in orbit:
            raise wrong(
                f"{key}: gravity-gradient needs position_m and velocity_m_s, the orbit at t = 0 "
                "(or plant.translation = true)"
            )


def _make(table: GravityGradientTable) -> GravityGradient:
    return GravityGradient(mu=table.mu_m3_s2, position=table.position_m, velocity=table.velocity_m_s)


KIND = PotentialKind(table=GravityGradientTable, make=_make)
