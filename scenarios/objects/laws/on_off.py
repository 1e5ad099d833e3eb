"""On-off thrusters in a case."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from pydantic import Field

from ....controllers import OnOffThrusters
from ....plant import LinearModel, Spacecraft
from ...case.schema.fields import Weight
from ...case.schema.sampled import SampledTable
from .kind import LawKind

__all__ = ["KIND", "OnOffTable"]


class OnOffTable(SampledTable):
    """Thrusters that are on or off about each axis, with a deadband and hysteresis."""

    kind: Literal["on-off"] = Field(description="which law")
    torque_N_m: Weight = Field(description="torque of the thrusters, N m; one or per axis")
    deadband_deg: Weight = Field(description="signal at which they are switched on, deg; one or per axis")
    lead_s: Weight = Field(description="time by which the rate looks ahead in the signal, s; one or per axis")
    hysteresis_deg: Weight = Field(default=0.0, description="how far below they are switched off, deg; one or per axis")


def _make(table: OnOffTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> OnOffThrusters:
    """Make the on-off law."""
    return OnOffThrusters(
        torque=table.torque_N_m,
        deadband=np.radians(table.deadband_deg),
        lead=table.lead_s,
        hysteresis=np.radians(table.hysteresis_deg),
        sample=table.sample_s,
        delay=table.delay_s,
        torques=craft.torques,
    )


KIND = LawKind(table=OnOffTable, make=_make)
