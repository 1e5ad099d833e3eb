"""Texts of the files that make a law a component of NASA's F Prime."""

import re
from collections.abc import Sequence

from polhode import __version__

from ....plant import InputError
from ..escaped import line_comment, markdown_text
from ..flight.gains import Gain
from ..flight.numbers import Number
from .interface import STATUSES, Interface, message_tables
from .template import filled

NAMESPACE = "Gnc"
"""FPP module of the component, and project folder that contains the component."""

FILES = {
    "CMakeLists.txt": "CMakeLists.txt",
    "{}.fpp": "component.fpp",
    "{}.hpp": "component.hpp",
    "{}.cpp": "component.cpp",
    "docs/sdd.md": "sdd.md",
}

_WORDS = """
F32 F64 I16 I32 I64 I8 U16 U32 U64 U8 action active activity always array assert async at base block bool change
choice command component connections constant container cpu default diagnostic dictionary do drop else enter entry
enum event every exit external false fatal format get group guard guarded health high hook id if implements import
include initial input instance interface internal locate low machine match module on omit opcode orange output
param passive phase port priority private product queue queued record recv red ref reg request resp save send
serial set severity signal size stack state string struct sync telemetry text throttle time topology true type
unmatched update warning with yellow
"""

WORDS = frozenset(_WORDS.split())
"""Reserved words of FPP, which need a leading dollar sign when used as names."""


def check_fprime_name(name: str) -> None:
    """Raise InputError if a name is invalid for an F Prime component."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise InputError(
            f"the name of a component must be a letter followed by letters, digits and underscores; got {name!r}: "
            "end --out with a name such as AttitudeControl"
        )


def fprime_texts(interface: Interface) -> dict[str, str]:
    """Return the content of all files except the law's, by path in the component's folder."""
    name, sampled = interface.name, interface.sampled
    marks: dict[str, str | Sequence[str]] = {
        "N": name,
        "U": name.upper(),
        "M": NAMESPACE,
        "version": __version__,
        "real": interface.real,
        "about": line_comment(sampled.words),
        "about_md": markdown_text(sampled.words),
        "plant": line_comment(interface.fingerprint or "none"),
        "use": f"The torque acts {sampled.delay!r} s after the sample."
        if sampled.delay
        else "The torque acts immediately.",
        "sample": repr(sampled.sample),
        "statuses": [f"{status} = {n} @< {meaning}" for n, (status, meaning) in enumerate(STATUSES)],
        "state_members": _members(interface.state),
        "reference_members": _members(interface.reference),
        "torque_members": _members(interface.torque),
        "torque_channels": [f"telemetry {_channel(each)}: F64 @< {_described(each)}" for each in interface.torque],
        "state_declared": _arguments(interface.state, ") override;"),
        "reference_declared": _arguments(interface.reference, ") override;"),
        "state_arguments": _arguments(interface.state, ") {"),
        "reference_arguments": _arguments(interface.reference, ") {"),
        "state_copies": _received(interface, "state", interface.state),
        "reference_copies": _received(interface, "reference", interface.reference),
        "torque_values": [
            f"torque[{n}]{',' if n + 1 < len(interface.torque) else ');'}" for n in range(len(interface.torque))
        ],
        "torque_writes": [f"this->tlmWrite_{_channel(each)}(torque[{n}]);" for n, each in enumerate(interface.torque)],
        "gains": "gains" if interface.gains else "",
        "parameters": " &this->m_parameters," if interface.gains else "",
        "params": [_param(each) for each in interface.gains],
        "gain_reads": [
            line
            for n, each in enumerate(interface.gains)
            for line in (
                f"gains[{n}] = static_cast<{interface.real}>(this->paramGet_{each.name}(valid));",
                "allKnown = allKnown && isKnown(valid);",
            )
        ],
        **message_tables(interface, markdown_text),
    }
    return {path.format(name): filled("fprime", template, marks) for path, template in FILES.items()}


def _word(name: str) -> str:
    """Return a name as written in FPP."""
    return f"${name}" if name in WORDS else name


def _members(numbers: Sequence[Number]) -> list[str]:
    return [f"{_word(each.name)}: F64 @< {_described(each)}" for each in numbers]


def _described(number: Number) -> str:
    """Return the unit and meaning of a number for an annotation."""
    return line_comment(", ".join(each for each in (number.unit, number.meaning) if each) or "of unknown unit")


def _channel(number: Number) -> str:
    """Return the name of a number's telemetry channel."""
    return "".join(word[:1].upper() + word[1:] for word in number.name.split("_"))


def _arguments(numbers: Sequence[Number], last: str) -> list[str]:
    """Return the arguments of a handler, one per line. last: text after the last argument."""
    ends = [","] * (len(numbers) - 1) + [last]
    return [f"F64 {each.name}{end}" for each, end in zip(numbers, ends, strict=True)]


def _received(interface: Interface, row: str, numbers: Sequence[Number]) -> list[str]:
    return [f"this->m_{row}[{n}] = static_cast<{interface.real}>({each.name});" for n, each in enumerate(numbers)]


def _param(gain: Gain) -> str:
    bound = "finite" if gain.low is None else f"{'above' if gain.open else 'at least'} {gain.low:g}"
    unit = line_comment(gain.unit or "of unknown unit")
    return f"param {_word(gain.name)}: F64 default {gain.start!r} @< {unit}, {bound}"
