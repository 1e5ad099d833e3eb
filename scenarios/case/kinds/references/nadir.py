"""Reference kind that points a body axis to the centre of attraction."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from .....controllers import NadirPointing, OrbitPointing
from .....plant.errors import InputError
from ...located import located
from ...schema.fields import Table, wrong
from ..declared_keys import DeclaredKeys
from .kind import ReferenceKind
from .orbit_reference import along_orbit

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case

OF_CASE = "by default that of the case"
KEYS = DeclaredKeys(NadirPointing, defaults=dict.fromkeys(("mu", "position", "velocity"), OF_CASE))


class OwnOrbitTable(Table):
    """Table with the keys of an orbit, which are given all together or not at all."""

    clock_target: Literal["orbit-normal", "velocity", "sun"] = Field(
        default="orbit-normal", description="target of the second axis; the Sun (with `[orbit]`) gives yaw steering"
    )

    @model_validator(mode="after")
    def _whole(self) -> "OwnOrbitTable":
        orbit = [getattr(self, key) for key in ("mu_m3_s2", "position_m", "velocity_m_s")]
        if None in orbit and orbit != [None, None, None]:
            raise wrong("give mu_m3_s2, position_m and velocity_m_s together, or none of them")
        return self


def _make(table: Any, case: "Case", craft: "Spacecraft") -> "NadirPointing | OrbitPointing":
    """Return nadir pointing along the orbit given in the table, in `[orbit]` or by the gravity gradient."""
    if case.orbit is not None and table.mu_m3_s2 is None:
        return along_orbit(case, table.boresight, table.clock, target="nadir", clock_target=table.clock_target)
    if table.clock_target == "sun":
        raise InputError('reference: clock_target = "sun" needs the date of [orbit]; give that table')
    mu, position, velocity = table.mu_m3_s2, table.position_m, table.velocity_m_s
    if mu is None:
        orbits = [item.orbit for item in case.plant.potentials if item.orbit is not None]
        if len(orbits) != 1:
            raise InputError(
                "reference: nadir needs an orbit: give mu_m3_s2, position_m and velocity_m_s here, or one "
                f"gravity-gradient potential that has them; the plant has {len(orbits)}"
            )
        mu, position, velocity = orbits[0]
    if position is None or velocity is None:  # the spacecraft translates along its own orbit
        position, velocity = case.initial.position_m, case.initial.velocity_m_s
    if position is None or velocity is None:
        raise InputError("reference: nadir needs an orbit: give position_m and velocity_m_s in [initial]")
    orbit: dict[str, Any] = {"mu": mu, "position": position, "velocity": velocity}
    with located("reference"), KEYS.located():
        return NadirPointing(**KEYS.values(table) | orbit, clock_target=table.clock_target)


KIND = ReferenceKind(
    table=KEYS.table(
        "nadir", OwnOrbitTable, noun="reference", module=__name__,
        doc="Nadir pointing of a body axis along `[orbit]`, the orbit of this table, or that of the gravity gradient.",
    ),
    make=_make,
)  # fmt: skip
