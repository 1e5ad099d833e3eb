"""Name, unit and meaning of every number that a law or block reads or writes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ....controllers import Block
from ....controllers.contracts.law_layout import REFERENCE, SEEN
from ....controllers.loop.routes import APPLIED, ATTITUDE, OF_PORT, RATE, REFERENCE_SIGNAL, SHOWN, Source
from ....plant import Spacecraft

AXES = "xyz"
MOMENTUM = "momentum"
MESSAGE = ("valid", "time")
"""Names of the last two numbers in the signal of a sensor."""

MEANING = {
    MOMENTUM: "total angular momentum, wheels and appendages included, body axes",
    ATTITUDE: "Euler parameter, body to inertial",
    RATE: "rate of the body relative to inertial axes, body axes",
}
UNITS = {MOMENTUM: "N m s", ATTITUDE: "1", RATE: "rad/s"}


class Number(NamedTuple):
    """Name, unit (empty if unknown) and meaning of one number."""

    name: str
    unit: str
    meaning: str = ""


class Attitude(NamedTuple):
    """Index of the first of the four components of a unit quaternion, and index of its validity flag."""

    at: int
    valid: int | None = None


def signal_numbers(craft: Spacecraft, source: Source, blocks: Sequence[Block]) -> list[Number]:
    """Return the description of each number of one signal."""
    name, width = source.name, source.width
    block = blocks[source.by] if source.by >= 0 else None
    by = f"as the block {block.name!r} wrote it" if block is not None else ""
    if name in (MOMENTUM, ATTITUDE, RATE):
        ends = AXES if width == len(AXES) else map(str, range(width))
        meaning = f"{MEANING[name]}{', ' if by else ''}{by}"
        return [Number(f"{name}_{end}", UNITS[name], meaning) for end in ends]
    if name == REFERENCE_SIGNAL:
        return reference_numbers()
    if name == APPLIED or name.startswith("command"):
        port = next((port for port, other in OF_PORT.items() if other == name), "")
        meaning = f"current torque command{', ' if by else ''}{by}" if name == APPLIED else f"torque command {by}"
        return _torque(craft, name, port, meaning.rstrip())
    if block is None:
        return [Number(name, _units(craft).get(name, ""), name.replace("_", " "))]
    return _block_numbers(block, name, width)


def _block_numbers(block: Block, name: str, width: int) -> list[Number]:
    """Return the description of each number of an output signal of a block; a message has validity and time."""
    unit = block.writes[name].unit if name in block.writes else ""
    if block.timestamped != name:
        ends = [""] if width == 1 else [f"_{axis}" for axis in AXES] if width == len(AXES) else _counted(width)
        return [Number(f"{name}{end}", unit, f"signal of the block {block.name!r}") for end in ends]
    ends = [f"_{axis}" for axis in AXES] if width == len(AXES) + len(MESSAGE) else _counted(width - len(MESSAGE))
    found = [Number(f"{name}{end}", unit, f"reading of {block.name!r}") for end in ends]
    found.append(Number(f"{name}_valid", "1", "1 if the measurement is new and valid, otherwise 0"))
    return [*found, Number(f"{name}_time", "s", "time of the measurement")]


def command_numbers(craft: Spacecraft, port: str) -> list[Number]:
    """Return the three numbers of a torque command. port: name of the control torque, or empty."""
    return _torque(craft, f"{port}_torque" if port else "torque", port, "torque on the spacecraft")


def reference_numbers() -> list[Number]:
    """Return the description of each number of a reference."""
    attitude = [
        Number(f"attitude_{n}", "1", "Euler parameter of the target, target axes to inertial") for n in range(4)
    ]
    rate = [Number(f"rate_{axis}", "rad/s", "rate of the target relative to inertial, target axes") for axis in AXES]
    change = [
        Number(f"acceleration_{axis}", "rad/s^2", "time derivative of the target rate, target axes") for axis in AXES
    ]
    return [*attitude, *rate, *change]


def attitudes_of(sources: Sequence[Source], blocks: Sequence[Block]) -> list[Attitude]:
    """Return the positions of unit quaternions in a sequence of signals."""
    found: list[Attitude] = []
    at = 0
    for source in sources:
        block = blocks[source.by] if source.by >= 0 else None
        if source.name == ATTITUDE or (source.name == REFERENCE_SIGNAL and source.by == SHOWN):
            found.append(Attitude(at))
        elif (
            block is not None
            and block.timestamped == source.name
            and block.writes[source.name].unit == "1"
            and source.width == REFERENCE.rate + len(MESSAGE)
        ):
            found.append(Attitude(at, at + REFERENCE.rate))
        at += source.width
    return found


def _torque(craft: Spacecraft, name: str, port: str, meaning: str) -> list[Number]:
    basis = craft.ports[port] if port else craft.torques
    axes = {"body": "body axes", "inertial": "inertial axes"}.get(basis.name, f"components in the {basis.name} basis")
    giver = ", exerted by the wheels, on which the opposite torque acts" if basis.internal else ""
    return [Number(f"{name}_{n + 1}", "N m", f"{meaning}, {axes}{giver}") for n in range(3)]


def _units(craft: Spacecraft) -> Mapping[str, str]:
    layout = craft.layout
    others = dict(zip(layout.names[SEEN.rate :], layout.units[SEEN.rate :], strict=True))
    return {**others, **layout.rates}


def _counted(width: int) -> list[str]:
    return [f"_{n}" for n in range(width)]
