"""Reference that points a body axis to the Sun: a fixed direction, or that of the date of `[orbit]`."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from .....controllers import FixedReference, OrbitPointing, pointing_attitude
from .....plant.errors import InputError
from ...located import located
from ...schema.fields import Table, Vector3
from .kind import ReferenceKind
from .orbit_reference import along_orbit

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case

__all__ = ["KIND", "SunTable"]


class SunTable(Table):
    """Pointing of a body axis to the Sun of `[orbit]` or a fixed direction, a second axis as near to another one."""

    kind: Literal["sun"] = Field(description="which reference")
    boresight: Vector3 = Field(description="the body axis that points, body axes, any length but zero")
    target: Vector3 | None = Field(
        default=None,
        description="target direction, inertial axes, any length but zero; by default the Sun, with `[orbit]`",
    )
    clock: Vector3 = Field(description="the second body axis, body axes, any length but zero")
    clock_target: Vector3 | Literal["nadir", "velocity", "orbit-normal"] = Field(
        description="target of the second axis, inertial axes, any length but zero, or a direction of `[orbit]`"
    )


def _make(table: SunTable, case: "Case", craft: "Spacecraft") -> "FixedReference | OrbitPointing":
    """Return the attitude."""
    if table.target is None:
        if case.orbit is None:
            raise InputError("reference: the Sun needs the date of [orbit]; give that table, or target")
        return along_orbit(case, table.boresight, table.clock, target="sun", clock_target=table.clock_target)
    if isinstance(table.clock_target, str):
        raise InputError(
            f'reference: clock_target = "{table.clock_target}" is of [orbit]; remove target, or give a vector'
        )
    with located("reference"):
        return FixedReference(
            pointing_attitude(table.boresight, table.target, clock=table.clock, clock_target=table.clock_target)
        )


KIND = ReferenceKind(table=SunTable, make=_make)
