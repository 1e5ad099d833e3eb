"""Law kind for an external FMU."""

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from .....plant import LinearModel, Spacecraft
from .....sim import ExternalLaw
from ...schema.fields import Switch
from ...schema.fmu import FMUKeys
from ...schema.sampled import SampledTable
from .kind import LawKind


class FMULawTable(FMUKeys, SampledTable):
    """Law in a functional mock-up unit (FMI 2 or 3, co-simulation), in its own process; without margins."""

    needs_reference: ClassVar[bool] = False

    kind: Literal["fmu"] = Field(description="which law")
    pulsed: Switch = Field(
        default=False,
        description="whether the torque switches on and off, so that its metrics need an output row in every period",
    )


def _make(table: FMULawTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> ExternalLaw:
    return ExternalLaw(
        table.fmu,
        craft=craft,
        sample=table.sample_s,
        delay=table.delay_s,
        reads=tuple(table.inputs),
        pulsed=table.pulsed,
    )


KIND = LawKind(table=FMULawTable, make=_make)
