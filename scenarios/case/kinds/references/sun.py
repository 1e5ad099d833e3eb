"""Reference kind that points a body axis to the Sun, fixed or at the date of `[orbit]`."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from .....controllers import FixedReference, OrbitPointing, pointing_attitude
from .....plant.errors import InputError
from ...located import located
from ...schema.fields import Table, Vector3
from ..declared_keys import DeclaredKeys
from .kind import ReferenceKind
from .orbit_reference import along_orbit

if TYPE_CHECKING:
    from .....plant import Spacecraft
    from ...schema import Case

KEYS = DeclaredKeys(pointing_attitude, defaults={"target": "by default the Sun, with `[orbit]`"})


class ClockTable(Table):
    """Table with the target of the second axis."""

    clock_target: Vector3 | Literal["nadir", "velocity", "orbit-normal"] = Field(
        description="target of the second axis, inertial axes, any length but zero, or a direction of `[orbit]`"
    )


def _make(table: Any, case: "Case", craft: "Spacecraft") -> "FixedReference | OrbitPointing":
    """Return the Sun-pointing reference of a table."""
    if table.target is None:
        if case.orbit is None:
            raise InputError("reference: the Sun needs the date of [orbit]; give that table, or target")
        return along_orbit(case, table.boresight, table.clock, target="sun", clock_target=table.clock_target)
    if isinstance(table.clock_target, str):
        raise InputError(
            f'reference: clock_target = "{table.clock_target}" belongs to [orbit]; remove target, or use a vector'
        )
    with located("reference"), KEYS.located():
        return FixedReference(pointing_attitude(**KEYS.values(table), clock_target=table.clock_target))


KIND = ReferenceKind(
    table=KEYS.table(
        "sun", ClockTable, noun="reference", module=__name__,
        doc="Pointing of a body axis to the Sun of `[orbit]` or a fixed direction, with a second axis as near as "
        "possible to another direction.",
    ),
    make=_make,
)  # fmt: skip
