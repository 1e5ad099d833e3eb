"""Input shaper of a slew or spin-up."""

from typing import TYPE_CHECKING, Literal, TypeVar

from pydantic import Field, field_validator

from .....controllers import EigenaxisSlew, ShapedReference, SpinUp
from ...schema.fields import NonNegative, Positive, Table, wrong

if TYPE_CHECKING:
    from ...schema import Case

__all__ = ["ShaperTable", "shaped"]

Turn = TypeVar("Turn", EigenaxisSlew, SpinUp)


class ShaperModeTable(Table):
    """Vibration mode that the shaper leaves at rest."""

    frequency_rad_s: Positive = Field(description="undamped natural frequency, rad/s")
    damping_ratio: NonNegative = Field(default=0.0, description="damping ratio, below 1")


class ShaperTable(Table):
    """Input shaper: the motion divided among impulses so that vibration modes are at rest at its end."""

    kind: Literal["zv", "zvd", "ei", "two-hump"] = Field(
        default="zvd", description="shaper, from the shortest to the most tolerant of a wrong frequency"
    )
    vibration_modes: tuple[ShaperModeTable, ...] = Field(description="one mode or more")
    tolerance: Positive = Field(
        default=0.05, description="largest residual vibration of ei and two-hump, share of the unshaped one"
    )

    @field_validator("vibration_modes")
    @classmethod
    def _some(cls, modes: tuple[ShaperModeTable, ...]) -> tuple[ShaperModeTable, ...]:
        if not modes:
            raise wrong("needs one vibration mode or more, such as [{ frequency_rad_s = 12.0, damping_ratio = 0.005 }]")
        return modes


def shaped(table: ShaperTable | None, case: "Case", reference: Turn) -> Turn | ShapedReference:
    """Return the reference with its shaper, whose impulses are at samples of the law; itself without one."""
    if table is None:
        return reference
    modes = [(mode.frequency_rad_s, mode.damping_ratio) for mode in table.vibration_modes]
    sample = getattr(case.controller, "sample_s", None)
    return ShapedReference(reference, modes, kind=table.kind, tolerance=table.tolerance, sample=sample)
