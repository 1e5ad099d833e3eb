"""Texts of the files that make a law an application of NASA's core Flight System (cFS)."""

from collections.abc import Sequence

from polhode import __version__

from ....plant import InputError
from ..c99.literals import real_text
from ..escaped import c_comment, c_string, markdown_text
from ..flight.numbers import Number
from .interface import STATUSES, Interface, layout_of, message_tables
from .template import filled

LONGEST_NAME = 11
"""Maximum length of a name: with `_tbl.tbl` appended, it reaches the 19 characters of a cFE file name."""

FILES = {
    "CMakeLists.txt": "CMakeLists.txt",
    "README.md": "README.md",
    "fsw/inc/{}_events.h": "events.h",
    "fsw/inc/{}_msg.h": "msg.h",
    "fsw/inc/{}_msgids.h": "msgids.h",
    "fsw/inc/{}_perfids.h": "perfids.h",
    "fsw/src/{}_app.c": "app.c",
    "fsw/src/{}_app.h": "app.h",
}
TABLE_FILES = {"fsw/inc/{}_table.h": "table.h", "fsw/tables/{}_tbl.c": "tbl.c"}


def check_cfs_name(name: str) -> None:
    """Raise InputError if a name is invalid for a cFS application."""
    if len(name) > LONGEST_NAME:
        raise InputError(
            f"the name of a cFS application has at most {LONGEST_NAME} letters, since its table file has the same "
            f"name; got {name!r}: end --out with a shorter name, such as attctl"
        )


def cfs_texts(interface: Interface) -> dict[str, str]:
    """Return the content of all files except the law's, by path in the application's folder."""
    name, sampled = interface.name, interface.sampled
    marks: dict[str, str | Sequence[str]] = {
        "U": name.upper(),
        "n": name,
        "version": __version__,
        "real": interface.real,
        "about": _about(interface),
        "about_md": markdown_text(sampled.words),
        "use": f"The torque acts {sampled.delay!r} s after the sample."
        if sampled.delay
        else "The torque acts immediately.",
        "sample": repr(sampled.sample),
        "statuses": [
            f"#define {name.upper()}_STATUS_{status} {n} /* {meaning} */"
            for n, (status, meaning) in enumerate(STATUSES)
        ],
        "state_fields": _fields(interface.state),
        "reference_fields": _fields(interface.reference),
        "torque_fields": _fields(interface.torque),
        "state_copies": _received(interface, "State", interface.state),
        "reference_copies": _received(interface, "Reference", interface.reference),
        "torque_copies": [f"Payload->{each.name} = Torque[{n}];" for n, each in enumerate(interface.torque)],
        "hk_copies": [
            f"Payload->{each.name} = {name.upper()}_AppData.Torque.Payload.{each.name};" for each in interface.torque
        ],
        "gains": "gains" if interface.gains else "",
        "parameters": f" &{name.upper()}_AppData.Parameters," if interface.gains else "",
        **_gain_marks(interface),
        **message_tables(interface, markdown_text),
    }
    files = {**FILES, **(TABLE_FILES if interface.gains else {})}
    return {path.format(name): filled("cfs", template, marks) for path, template in files.items()}


def _about(interface: Interface) -> list[str]:
    made = f"designed on the plant {interface.fingerprint}" if interface.fingerprint else "designed without a plant"
    return [c_comment(interface.sampled.words), f"Written by polhode {__version__}; {made}."]


def _fields(numbers: Sequence[Number]) -> list[str]:
    return [f"double {each.name}; /* {_described(each)} */" for each in numbers]


def _described(number: Number) -> str:
    """Return the unit and meaning of a number for a comment."""
    return c_comment(", ".join(each for each in (number.unit, number.meaning) if each) or "of unknown unit")


def _received(interface: Interface, row: str, numbers: Sequence[Number]) -> list[str]:
    app = f"{interface.name.upper()}_AppData"
    return [f"{app}.{row}[{n}] = ({interface.real})Payload->{each.name};" for n, each in enumerate(numbers)]


def _gain_marks(interface: Interface) -> dict[str, str | Sequence[str]]:
    gains = interface.gains
    return {
        "layout": f"0x{layout_of(gains, interface.fingerprint):08X}u",
        "count": str(len(gains)),
        "gain_fields": [f"double {each.name}; /* {c_comment(each.unit or 'of unknown unit')} */" for each in gains],
        "gain_values": [f"{real_text(each.start)}, /* {each.name} */" for each in gains],
        "gain_copies": [f"Gains[{n}] = ({interface.real})Table->{each.name};" for n, each in enumerate(gains)],
        "gain_names": [f"{c_string(each.name)}," for each in gains],
    }
