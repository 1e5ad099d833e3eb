"""A linear system in a file as a law, in a case."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ....controllers import LinearFeedback, fly_system, load_system
from ....plant import LinearModel, Spacecraft
from ...case.schema.fields import Switch, Text
from .kind import LawKind
from .linear_table import LinearTable

__all__ = ["KIND", "ControlSystemTable"]


class ControlSystemTable(LinearTable):
    """A linear system of somebody's own tools, of its matrices A, B, C, D or a gain K, flown as it is."""

    paths: ClassVar[tuple[str, ...]] = ("file",)

    kind: Literal["control-system"] = Field(description="which law")
    file: Annotated[Text, Field(min_length=1)] = Field(
        description="its matrices, from the folder of the case file: .json, .mat or .npz with A, B, C, D, dt (s; 0: "
        "continuous) and names of inputs and outputs, or K on the states of the model"
    )
    feedback: Literal["negative", "positive"] = Field(
        default="negative",
        description="what it puts out: what is taken off, u = -K y, or the torque, as `polhode design` writes it",
    )
    discretisation: Literal["tustin", "zoh"] = Field(default="tustin", description="how a continuous one is sampled")
    anti_windup: Switch = Field(
        default=True, description="whether its integrators follow the command that really went out"
    )


def _make(table: ControlSystemTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Read the system and fly it."""
    law: LinearFeedback = fly_system(
        load_system(table.file),
        model(),
        sample=table.sample_s,
        delay=table.delay_s,
        feedback=table.feedback,
        method=table.discretisation,
        saturation=table.saturation,
        anti_windup=table.anti_windup,
    )
    return table.with_filters(law)


KIND = LawKind(table=ControlSystemTable, make=_make)
