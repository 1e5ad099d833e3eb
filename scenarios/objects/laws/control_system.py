"""A linear system in a file as a law, in a case."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ....controllers import LinearFeedback, fly_system
from ....controllers.files.system_file import signed_system
from ....plant import InputError, LinearModel, Spacecraft
from ...case.schema.fields import Switch, Text
from .kind import LawKind
from .linear_table import LinearTable

__all__ = ["KIND", "ControlSystemTable"]


class ControlSystemTable(LinearTable):
    """Linear system from other tools, given by matrices A, B, C, D or a gain K and used unchanged."""

    paths: ClassVar[tuple[str, ...]] = ("file",)

    kind: Literal["control-system"] = Field(description="which law")
    file: Annotated[Text, Field(min_length=1)] = Field(
        description="its matrices, from the folder of the case file: .json, .mat or .npz with A, B, C, D, dt (s; 0: "
        "continuous) and names of inputs and outputs, or K on the states of the model"
    )
    feedback: Literal["negative", "positive"] | None = Field(
        default=None,
        description="what it puts out: what is taken off, u = -K y, or the torque; if left out what the file says, as "
        "that of `polhode design` does, and negative where it says nothing",
    )
    discretisation: Literal["tustin", "zoh"] = Field(default="tustin", description="how a continuous one is sampled")
    anti_windup: Switch = Field(
        default=True, description="whether its integrators track the saturated command (anti-windup)"
    )


def _make(table: ControlSystemTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Read the system and fly it."""
    system, told = signed_system(table.file)
    if told and table.feedback not in (None, told):
        raise InputError(
            f"feedback is {table.feedback!r} in the case and {told!r} in {table.file}; leave it out of the case"
        )
    law: LinearFeedback = fly_system(
        system,
        model(),
        sample=table.sample_s,
        delay=table.delay_s,
        feedback=None if told else table.feedback,
        method=table.discretisation,
        saturation=table.saturation,
        anti_windup=table.anti_windup,
    )
    return table.with_filters(law)


KIND = LawKind(table=ControlSystemTable, make=_make)
