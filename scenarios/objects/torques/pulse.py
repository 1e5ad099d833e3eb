"""A torque that acts by the clock, each with its own basis; those that overlap add."""

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from ....plant import TorqueBasis, TorquePulse
from ...case.schema.fields import Basis, NonNegative, Positive, Sequence, Table, Vector3, wrong
from ...case.schema.plant import check_basis
from .kind import TorqueKind

__all__ = ["KIND", "PulseTable"]


class PulseTable(Table):
    """A torque, constant or in the shape of a raised cosine, acting for from_s <= t < to_s."""

    begins: ClassVar[str] = "from_s"

    kind: Literal["pulse"] = Field(default="pulse", description="which torque")
    from_s: NonNegative = Field(description="from when it acts, s")
    to_s: Positive = Field(description="until when it acts, s")
    basis: Basis = Field(default="body", description="basis of the components")
    euler_sequence: Sequence | None = Field(default=None, description="of the two Euler bases")
    components_N_m: Vector3 = Field(description="components in the basis at the peak of the shape, N m")
    shape: Literal["constant", "raised-cosine"] = Field(
        default="constant", description="raised-cosine: half of 1 - cos(2 pi (t - from_s) / (to_s - from_s))"
    )
    euler_rate_damping_N_m_s: Vector3 | None = Field(
        default=None, description="component n is lowered by this times the rate conjugate to it, N m s"
    )

    @model_validator(mode="after")
    def _consistent(self) -> "PulseTable":
        if self.to_s <= self.from_s:
            raise wrong(f"to_s = {self.to_s:g} s must be later than from_s = {self.from_s:g} s")
        check_basis(self.basis, self.euler_sequence, key="basis")
        return self


def _pulse(table: PulseTable) -> TorquePulse:
    return TorquePulse(
        table.components_N_m,
        start=table.from_s,
        stop=table.to_s,
        basis=TorqueBasis(table.basis, table.euler_sequence),
        euler_rate_damping=table.euler_rate_damping_N_m_s or (0.0, 0.0, 0.0),
        shape=table.shape,
    )


KIND = TorqueKind(table=PulseTable, pulse=_pulse)
