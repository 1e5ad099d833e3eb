"""Torque kind for a scheduled torque with its own basis; overlapping torques add."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, model_validator

from .....plant import TorqueBasis, TorquePulse
from .....plant.errors import InputError
from .....plant.hub.actuated_coordinates import actuated_coordinate
from ...schema.fields import Basis, NonNegative, Number, Positive, Sequence, Table, Text, Vector3, wrong
from ...schema.plant import check_basis
from .kind import TorqueKind

if TYPE_CHECKING:
    from .....plant import Spacecraft

ON_COORDINATE = {"N m": "torque_N_m", "N": "force_N", "N/kg^0.5": "force_N_per_rtkg"}
"""Key of the load on an element coordinate, by unit of the load."""


class PulseTable(Table):
    """Torque on body or elements, constant or a raised cosine, for from_s <= t < to_s."""

    begins: ClassVar[str] = "from_s"

    kind: Literal["pulse"] = Field(default="pulse", description="which torque")
    from_s: NonNegative = Field(description="start of the torque, s")
    to_s: Positive = Field(description="end of the torque, s")
    coordinate: Text | None = Field(
        default=None,
        description="element coordinate on which it acts instead of on the body, by its name among the results: "
        "wheel_angle",
    )
    torque_N_m: Number | None = Field(default=None, description="for an angle: peak torque, N m")
    force_N: Number | None = Field(default=None, description="for a displacement: peak force, N")
    force_N_per_rtkg: Number | None = Field(default=None, description="for a vibration mode: peak load, N/kg^0.5")
    basis: Basis = Field(default="body", description="basis of the components")
    euler_sequence: Sequence | None = Field(default=None, description="Euler sequence of the two Euler bases")
    components_N_m: Vector3 | None = Field(
        default=None, description="for the body: components in the basis at the peak, N m"
    )
    shape: Literal["constant", "raised-cosine"] = Field(
        default="constant", description="raised-cosine: half of 1 - cos(2 pi (t - from_s) / (to_s - from_s))"
    )
    euler_rate_damping_N_m_s: Vector3 | None = Field(
        default=None, description="damping: factor of the conjugate rate that is subtracted from each component, N m s"
    )

    @model_validator(mode="after")
    def _consistent(self) -> "PulseTable":
        if self.to_s <= self.from_s:
            raise wrong(f"to_s = {self.to_s:g} s must be later than from_s = {self.from_s:g} s")
        check_basis(self.basis, self.euler_sequence, key="basis")
        given = [key for key in ON_COORDINATE.values() if getattr(self, key) is not None]
        if self.coordinate is None:
            if given:
                raise wrong(
                    f"{given[0]}: belongs to a torque on a coordinate; add coordinate, or use components_N_m instead"
                )
            if self.components_N_m is None:
                raise wrong("components_N_m: is missing; alternatively, give an element coordinate and its load")
            return self
        named = {"components_N_m", "basis", "euler_sequence", "euler_rate_damping_N_m_s"} & self.model_fields_set
        if named:
            raise wrong(
                f"{min(named)}: belongs to a torque on the body, but coordinate = {self.coordinate!r} is given; omit it"
            )
        if len(given) != 1:
            keys = f"{', '.join(list(ON_COORDINATE.values())[:-1])} or {list(ON_COORDINATE.values())[-1]}"
            raise wrong(f"coordinate = {self.coordinate!r} needs one of {keys}; got {' and '.join(given) or 'none'}")
        return self


def _on_coordinate(table: PulseTable, coordinate: str, craft: "Spacecraft") -> TorquePulse:
    driven = actuated_coordinate(craft, coordinate)
    key = ON_COORDINATE.get(driven.unit, "")
    size = getattr(table, key, None)
    if size is None:
        raise InputError(
            f"the load on {coordinate!r} is in {driven.unit}{f': use {key}' if key else ', for which there is no key'}"
        )
    return TorquePulse(size, start=table.from_s, stop=table.to_s, shape=table.shape, coordinate=coordinate)


def _pulse(table: PulseTable, craft: "Spacecraft") -> TorquePulse:
    if table.coordinate is not None:
        return _on_coordinate(table, table.coordinate, craft)
    assert table.components_N_m is not None  # noqa: S101 # the table is validated
    return TorquePulse(
        table.components_N_m,
        start=table.from_s,
        stop=table.to_s,
        basis=TorqueBasis(table.basis, table.euler_sequence),
        euler_rate_damping=table.euler_rate_damping_N_m_s or (0.0, 0.0, 0.0),
        shape=table.shape,
    )


KIND = TorqueKind(table=PulseTable, pulse=_pulse)
