"""External torque from a process or FMU, sampled and held."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import BeforeValidator, Field

from ....controllers import Block
from ....controllers.loop.exerted import exerted_unit
from ....plant.checks import choice
from ....plant.errors import InputError
from ....plant.hub.driven import driven_coordinate
from ....sim import Port, process_block
from ....sim.exchange.process.answers import Answers
from ...case.schema.block import names_of
from ...case.schema.fields import NonNegative, Positive, Table, Text

if TYPE_CHECKING:
    from ....plant import Spacecraft

__all__ = ["FORCE", "TORQUE", "ExertedTable", "exerted"]

TORQUE, FORCE = "torque", "force"
"""What the side outside calls it: three numbers, N m, in body axes; on coordinates of elements one for each, a torque
(N m) on angles, a force on displacements (N) and modes (N/kg^0.5)."""


class ExertedTable(Table):
    """Common keys of external torques that are sampled."""

    begins: ClassVar[str] = "offset_s"

    name: Text | None = Field(default=None, description="name in the results; by default its kind")
    on: Annotated[tuple[str, ...], BeforeValidator(names_of)] = Field(
        default=(),
        description="coordinates of elements that it acts on in place of the body, by their names among the "
        "results: wheel_angle; one, or a list, with a number for each",
    )
    sample_s: Positive = Field(description="sampling period, s; the torque is held between samples")
    offset_s: NonNegative = Field(default=0.0, description="time of its first sample, s; before, it is zero")
    delay_s: NonNegative = Field(default=0.0, description="delay from a sample to its torque, s")


def exerted(
    answers: Answers,
    table: ExertedTable,
    craft: "Spacecraft",
    ports: Mapping[str, Port],
    name: str,
    *,
    reads: Sequence[str],
    writes: str | None = None,
) -> Block:
    """Return the block that exerts the answered torque, as a signal with that name.

    writes: what the side outside calls it, where that is not for the case to say. Raises InputError when that is not
    what acts there.
    """
    told = [ports[choice("signal", each, tuple(ports))] for each in reads]
    driven = [driven_coordinate(craft, each) for each in table.on]
    first = driven[0] if driven else None
    port = Port(TORQUE, 3, unit="N m") if first is None else Port(first.quantity, len(driven), unit=first.unit)
    if writes not in (None, port.name):
        where = f"acts on {first.name}, in {first.unit}" if first is not None else "acts on the body"
        raise InputError(f"outputs: what {where}, is its {port.name}; got {writes}")
    block = process_block(
        answers, reads=told, writes=[port], sample=table.sample_s, offset=table.offset_s, delay=table.delay_s,
        name=name, torque=port.name, on=table.on,
    )  # fmt: skip
    exerted_unit(craft, block)
    return block.renamed({port.name: name})
