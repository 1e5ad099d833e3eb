"""Input shaper for a slew or spin-up."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field

from .....controllers import EigenaxisSlew, ShapedReference, SpinUp, shaper_impulses
from ...schema.fields import Table, wrong
from ..declared_keys import DeclaredKeys

if TYPE_CHECKING:
    from ...schema import Case


def _some(modes: tuple[Any, ...]) -> tuple[Any, ...]:
    if not modes:
        raise wrong("needs one vibration mode or more, such as [{ frequency_rad_s = 12.0, damping_ratio = 0.005 }]")
    return modes


MODE_KEYS = DeclaredKeys(shaper_impulses, {"frequency": "", "damping_ratio": ""})
MODE = MODE_KEYS.table(
    "", Table, noun="mode", module=__name__, name="ShaperModeTable",
    doc="Vibration mode that the shaper leaves at rest.",
)  # fmt: skip
KEYS = DeclaredKeys(shaper_impulses, {"kind": "", "tolerance": ""})
TABLE = KEYS.table(
    "", Table, noun="shaper", module=__name__, name="ShaperTable",
    doc="Input shaper: the motion divided among impulses so that vibration modes are at rest at its end.",
    more={
        "vibration_modes": (
            Annotated[tuple[MODE, ...], AfterValidator(_some)], Field(description="one mode or more")
        )
    },
)  # fmt: skip

SHAPER = {"shaper": (TABLE | None, Field(default=None, description="input shaper, against vibration at the end"))}
"""Key of the shaper, in the form that `pydantic.create_model` takes."""


def shaped(table: Any, case: "Case", reference: "EigenaxisSlew | SpinUp") -> EigenaxisSlew | SpinUp | ShapedReference:
    """Return the reference with its input shaper; if it has none, return the reference unchanged.

    If the case has a sampled law, the impulses of the shaper are at the samples of the law.
    """
    if table.shaper is None:
        return reference
    modes = [(mode.frequency_rad_s, mode.damping_ratio) for mode in table.shaper.vibration_modes]
    sample = getattr(case.controller, "sample_s", None)
    with KEYS.located(), MODE_KEYS.located():
        return ShapedReference(reference, modes, **KEYS.values(table.shaper), sample=sample)
