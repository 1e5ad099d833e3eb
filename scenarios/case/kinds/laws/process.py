"""Law kind for an external process."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from .....plant import LinearModel, Spacecraft
from .....sim import ExternalLaw
from ...schema.block import names_of
from ...schema.fields import Switch
from ...schema.process import ProcessKeys
from ...schema.sampled import SampledTable
from .kind import LawKind


class ProcessLawTable(ProcessKeys, SampledTable):
    """Law in an external process, in any language, over the line protocol of polhode; without margins."""

    needs_reference: ClassVar[bool] = False

    kind: Literal["process"] = Field(description="which law")
    reads: Annotated[tuple[str, ...], BeforeValidator(names_of)] = Field(
        default=("attitude", "rate", "reference"),
        description="inputs at each sample, in this order: momentum, attitude, rate, reference, any further "
        "state of the spacecraft",
    )
    pulsed: Switch = Field(
        default=False,
        description="whether the torque switches on and off, so that its metrics need an output row in every period",
    )


def _make(table: ProcessLawTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> ExternalLaw:
    return ExternalLaw(
        table.process, craft=craft, sample=table.sample_s, delay=table.delay_s, reads=table.reads, pulsed=table.pulsed
    )


KIND = LawKind(table=ProcessLawTable, make=_make)
