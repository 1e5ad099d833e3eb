"""Fields of a law's messages and tables, with names that C, C++ and FPP all allow, units and meanings."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..c99.names import free_name
from ..flight.gains import Gain
from ..flight.numbers import Number
from ..flight.sampled import Sampled

STATUSES = (
    ("OK", "the torque is valid"),
    ("BAD_INPUT", "a number of the state or the reference is not finite or too large"),
    ("BAD_ANSWER", "an output is not finite or too large; the law is restarted"),
    ("BAD_ATTITUDE", "an attitude is not a unit quaternion"),
    ("BAD_TIME", "the sample is earlier than the previous one; RESET_LAW accepts it"),
    ("NO_STATE", "no state has arrived since the last wake-up"),
    ("NO_REFERENCE", "no reference has arrived yet"),
    ("DISABLED", "the law was disabled"),
)
"""Status codes of a torque command: 0 to 4 from the step function, then the codes of the application."""

_RESERVED = frozenset({"sampletime", "status", "portnum", "context", "time", "y", "r", "u", "t"})
"""Names that the application itself uses, in lower case."""


@dataclass(frozen=True, kw_only=True)
class Interface:
    """A law and the fields of its input and output messages, in the argument order of the step function."""

    name: str
    sampled: Sampled
    gains: tuple[Gain, ...]
    state: tuple[Number, ...]
    reference: tuple[Number, ...]
    torque: tuple[Number, ...]
    single: bool
    fingerprint: str

    @property
    def real(self) -> str:
        """The C type of the law's numbers."""
        return "float" if self.single else "double"


def interface_of(name: str, sampled: Sampled, gains: Sequence[Gain], *, single: bool, fingerprint: str) -> Interface:
    """Return the interface of a law. name: application name, which prefixes all other names."""
    return Interface(
        name=name,
        sampled=sampled,
        gains=tuple(gains),
        state=_named(sampled.reads),
        reference=_named(sampled.reference),
        torque=_named(sampled.writes),
        single=single,
        fingerprint=fingerprint,
    )


def layout_of(gains: Sequence[Gain], fingerprint: str) -> int:
    """Return a number that identifies a list of gains and its plant, and changes with either."""
    return zlib.crc32("\n".join([fingerprint, *(gain.name for gain in gains)]).encode())


def message_tables(interface: Interface, text: Callable[[str], str]) -> dict[str, list[str]]:
    """Return the rows of Markdown tables for messages and gains. text: escapes a text for Markdown."""
    tables = {
        key: [f"| `{each.name}` | {text(each.unit) or '-'} | {text(each.meaning)} |" for each in fields]
        for key, fields in (
            ("state_rows", interface.state),
            ("reference_rows", interface.reference),
            ("torque_rows", interface.torque),
        )
    }
    bounds = {
        gain.name: "finite" if gain.low is None else f"{'above' if gain.open else 'at least'} {gain.low:g}"
        for gain in interface.gains
    }
    tables["gain_rows"] = [
        f"| `{gain.name}` | {text(gain.unit) or '-'} | {gain.start!r} | {bounds[gain.name]} |"
        for gain in interface.gains
    ]
    tables["status_rows"] = [f"| {n} | `{name}` | {meaning} |" for n, (name, meaning) in enumerate(STATUSES)]
    return tables


def _named(numbers: Sequence[Number]) -> tuple[Number, ...]:
    """Return numbers with names that are unique regardless of case and differ from all macros."""
    taken = set(_RESERVED)
    fields: list[Number] = []
    for number in numbers:
        name = free_name(number.name)
        if name.upper() == name:  # as macros are
            name = f"{name.lower()}_signal"
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        fields.append(Number(name, number.unit, number.meaning))
    return tuple(fields)
