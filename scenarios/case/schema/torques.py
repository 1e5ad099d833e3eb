"""`[[torques]]`: torque pulses from outside, each with its own basis; pulses that overlap add."""

from typing import Literal

from pydantic import Field, model_validator

from .fields import Basis, NonNegative, Positive, Sequence, Table, Vector3, wrong
from .plant import check_basis

__all__ = ["TorqueTable"]


class TorqueTable(Table):
    """A torque, constant or in the shape of a raised cosine, acting for from_s <= t < to_s."""

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
    def _consistent(self) -> "TorqueTable":
        if self.to_s <= self.from_s:
            raise wrong(f"to_s = {self.to_s:g} s must be later than from_s = {self.from_s:g} s")
        check_basis(self.basis, self.euler_sequence, key="basis")
        return self
