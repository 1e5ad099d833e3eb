"""Sampled external torque from a process or FMU, held between samples."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import BeforeValidator, Field

from .....controllers import Block, Clock, Signal
from .....controllers.loop.external_torques import external_torque_unit
from .....plant.checks import choice
from .....plant.errors import InputError
from .....plant.hub.actuated_coordinates import actuated_coordinate
from .....sim import ExternalBlock
from .....sim.hosts.process.answers import Answers
from ...schema.block import names_of
from ...schema.fields import NonNegative, Positive, Table, Text

if TYPE_CHECKING:
    from .....plant import Spacecraft

TORQUE, FORCE = "torque", "force"
"""Name of the load in messages to the external program. A torque on the body has three components in body axes, N m.
A load on element coordinates has one component per coordinate: a torque on angles (N m), or a force on displacements
(N) or vibration modes (N/kg^0.5)."""


class ExternalTorqueTable(Table):
    """Common keys of external torques that are sampled."""

    begins: ClassVar[str] = "offset_s"

    name: Text | None = Field(default=None, description="name in the results; by default its kind")
    coordinates: Annotated[tuple[str, ...], BeforeValidator(names_of)] = Field(
        default=(),
        description="element coordinates on which the torque acts instead of the body, by their names in the "
        "results, such as wheel_angle; one name, or a list with an output for each",
    )
    sample_s: Positive = Field(description="sampling period, s; the torque is held between samples")
    offset_s: NonNegative = Field(default=0.0, description="time of the first sample, s; the torque is zero before")
    delay_s: NonNegative = Field(default=0.0, description="delay from a sample until its torque acts, s")


def external_torque(
    answers: Answers,
    table: ExternalTorqueTable,
    craft: "Spacecraft",
    signals: Mapping[str, Signal],
    name: str,
    *,
    reads: Sequence[str],
    writes: str | None = None,
) -> Block:
    """Return the block that computes the external torque.

    answers: the external program; signals: existing signals by name; name: name of the block and of its signal; reads:
    signals that the program reads; writes: name of the torque in the program, if the case gives one. Raises InputError
    if this name is not "torque" or "force" as required, or a coordinate is unknown.
    """
    inputs = {each: signals[choice("signal", each, tuple(signals))] for each in reads}
    driven = [actuated_coordinate(craft, each) for each in table.coordinates]
    first = driven[0] if driven else None
    own = TORQUE if first is None else first.quantity
    unit = "N m" if first is None else first.unit
    if writes not in (None, own):
        where = f"acts on {first.name}, in {first.unit}" if first is not None else "acts on the body"
        raise InputError(f"outputs: the output that {where} must be named {own}; got {writes}")
    torque = Signal(unit=unit, role="torque", coordinates=table.coordinates)
    clock = Clock(table.sample_s, offset=table.offset_s, delay=table.delay_s)
    block = ExternalBlock(answers, reads=inputs, writes={own: torque}, clock=clock, name=name)
    external_torque_unit(craft, block)
    return block.renamed({own: name})
