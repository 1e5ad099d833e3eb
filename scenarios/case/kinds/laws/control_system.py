"""Law kind for a linear system from a file."""

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from .....controllers import LinearFeedback, law_from_system
from .....controllers.laws.files.system_file import signed_system
from .....plant import InputError, LinearModel, Spacecraft
from ...schema.fields import FileName, Switch
from .kind import LawKind
from .linear_table import LinearTable


class ControlSystemTable(LinearTable):
    """Linear system from other tools, given by matrices A, B, C, D or a gain K and used unchanged."""

    paths: ClassVar[tuple[str, ...]] = ("file",)

    kind: Literal["control-system"] = Field(description="which law")
    file: FileName = Field(
        description="file of its matrices, relative to the folder of the case file: .json, .mat or .npz with A, B, C, "
        "D, dt (s; 0: continuous) and names of inputs and outputs, or K on the states of the model"
    )
    feedback: Literal["negative", "positive"] | None = Field(
        default=None,
        description=(
            "meaning of its output: subtracted, u = -K y, or the torque; by default as stated in the "
            "file, such as that of `polhode design`, otherwise negative"
        ),
    )
    discretisation: Literal["tustin", "zoh"] = Field(
        default="tustin", description="discretisation of a continuous system"
    )
    anti_windup: Switch = Field(
        default=True, description="whether its integrators track the saturated command (anti-windup)"
    )


def _make(table: ControlSystemTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Read the linear system and return it as a law."""
    system, sign = signed_system(table.file)
    if sign and table.feedback not in (None, sign):
        raise InputError(
            f"feedback is {table.feedback!r} in the case, but {sign!r} in {table.file}; omit it in the case"
        )
    law: LinearFeedback = law_from_system(
        system,
        model(),
        sample=table.sample_s,
        delay=table.delay_s,
        feedback=None if sign else table.feedback,
        method=table.discretisation,
        saturation=table.saturation,
        anti_windup=table.anti_windup,
    )
    return table.with_filters(law)


KIND = LawKind(table=ControlSystemTable, make=_make)
