"""Additional outputs of an FMU: signals of blocks and elements, attitude error, coordinate rates."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....controllers import Block, Law
from ....controllers.loop.routes import commands_of
from ....plant import Spacecraft
from ....plant.elements.signal import element_signal_table
from ...results.block_quantities import STAMP, block_quantities
from ...results.quantities import QUANTITIES
from ...results.signal_quantities import signal_quantities


@dataclass(frozen=True, kw_only=True)
class Output:
    """One output number: name, unit (empty if unknown), meaning, and index in its group."""

    name: str
    unit: str
    words: str
    place: int


ERROR = tuple(
    Output(name=name, unit="rad", words=words, place=n)
    for n, (name, words) in enumerate(
        [("attitude_error", "angle from the reference to the attitude, along the shorter rotation")]
        + [(f"error_vector_{axis}", "attitude error as a rotation vector, body components") for axis in "xyz"]
    )
)
"""Outputs of a closed loop that has a reference."""


def block_outputs(craft: Spacecraft, law: Law | None, blocks: Sequence[Block]) -> tuple[Output, ...]:
    """Return the signals of blocks, such as measurements and estimates, with the same names as in a run."""
    taken = (*QUANTITIES, *signal_quantities(craft.elements))
    found: list[Output] = []
    for name, quantity in block_quantities(craft, blocks, commands=commands_of(law), taken=taken).items():
        block = blocks[quantity.by] if quantity.by >= 0 else None
        timestamped = block is not None and block.timestamped == quantity.signal
        unit = block.writes[quantity.signal].unit if block is not None and timestamped else quantity.unit
        for n, component in enumerate(quantity.components or ("",)):
            end = component[1:] if component in {"e0", "e1", "e2", "e3"} else component
            of = {"valid": "1", "time": "s"}.get(component, unit) if timestamped and component in STAMP else unit
            words = f"{quantity.words}{', ' if quantity.frame else ''}{quantity.frame}"
            called = f"{name}_{end}" if end else name
            at = quantity.columns.start + n
            found.append(Output(name=called, unit=of if "," not in of else "", words=words, place=at))
    return tuple(found)


def element_outputs(craft: Spacecraft) -> tuple[Output, ...]:
    """Return the signals of the elements, such as the torques of motors."""
    return tuple(
        Output(
            name=f"{label}_{signal.whole_name}",
            unit=signal.unit,
            words=f"{signal.words} ({label.replace('_', ' ')})",
            place=n,
        )
        for n, (label, signal) in enumerate(element_signal_table(craft.elements))
    )


def rate_outputs(craft: Spacecraft) -> tuple[Output, ...]:
    """Return the coordinate rates of the elements, such as wheel speeds relative to the hub."""
    return tuple(
        Output(name=name, unit=unit, words=f"rate of change of {name.removesuffix('_rate').replace('_', ' ')}", place=n)
        for n, (name, unit) in enumerate(craft.layout.rates.items())
    )
