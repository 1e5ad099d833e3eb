"""Law kind for a periodic linear-quadratic regulator of magnetorquers along an orbit."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from .....controllers import Law, PeriodicDipoleFeedback, Reference, periodic_lqr
from .....plant import LinearModel, Spacecraft
from .....plant.errors import DesignError
from ...schema.fields import PositiveInteger, Weight
from ...schema.sampled import SampledTable
from .kind import LawKind


class PeriodicLqrTable(SampledTable):
    """Periodic linear-quadratic regulator of three magnetorquers in the magnetic field along the orbit."""

    kind: Literal["periodic-lqr"] = Field(description="which law")
    attitude_weight: Weight = Field(description="weight of the squared attitude error, 1/rad^2; one or per axis")
    rate_weight: Weight = Field(description="weight of the squared rate error, s^2/rad^2; one or per axis")
    effort_weight: Weight = Field(description="weight of the squared dipole, 1/(A m^2)^2; one or per axis")
    dipole_limit_A_m2: Weight = Field(description="largest dipole, A m^2, one number or one for each axis")
    orbits: PositiveInteger = Field(
        default=1,
        description="number of orbits in the period of the design; about a day for the field of the rotating Earth",
    )
    gains_per_orbit: PositiveInteger | None = Field(
        default=None, description="number of stored gains, between which the law interpolates; by default all samples"
    )


def _along(table: PeriodicLqrTable, craft: Spacecraft, reference: Reference) -> PeriodicDipoleFeedback:
    """Design the regulator along the reference."""
    return periodic_lqr(
        craft,
        reference=reference,
        attitude=table.attitude_weight,
        rate=table.rate_weight,
        effort=table.effort_weight,
        dipole_limit=table.dipole_limit_A_m2,
        sample=table.sample_s,
        delay=table.delay_s,
        orbits=table.orbits,
        points=table.gains_per_orbit,
    )


def _make(table: PeriodicLqrTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> Law:
    """Refuse a design about one state."""
    raise DesignError("a periodic-lqr is designed along the reference of the case, not about one state")


KIND = LawKind(table=PeriodicLqrTable, make=_make, along=_along)
