"""CCSDS messages in keyword-value notation (KVN): headers, metadata, and lines of data."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ....controllers.laws.files.text_file import read_bytes
from ....controllers.laws.files.whole_file import WholeFiles
from ....plant.checks import of_kind
from ....plant.errors import InputError

BEGINS, ENDS = ("META_START", "DATA_START"), ("META_STOP", "DATA_STOP")
BESIDE = ("COVARIANCE", "DATA_QUALITY")  # blocks that are skipped
LARGEST = 256 * 2**20
"""Largest size of a message, bytes: some two million rows."""


class Segment(NamedTuple):
    """A segment of a message: metadata by keyword, and the lines of data."""

    meta: dict[str, str]
    rows: list[list[str]]


def write_message(
    path: str | Path, header: Mapping[str, str], meta: Mapping[str, str], rows: Iterable[str], *, bracket: bool
) -> Path:
    """Write a message with one segment. bracket: whether DATA_START and DATA_STOP enclose the data.

    Raises SaveError when the file cannot be written.
    """
    target = Path(path)
    lines = [*(f"{key} = {value}" if key != "COMMENT" else f"COMMENT {value}" for key, value in header.items()), ""]
    lines += ["META_START", *(f"{key} = {value}" for key, value in meta.items()), "META_STOP", ""]
    lines += ["DATA_START"] * bracket + list(rows) + ["DATA_STOP"] * bracket
    with WholeFiles() as files:
        files.part(target).write_text("\n".join(lines) + "\n", encoding="ascii")
    return target


def word(name: str, value: str) -> str:
    """Return the value of a keyword. Raises InputError if it is not a line of ASCII."""
    of_kind(name, value, str, such_as="a word")
    if not value.strip() or not value.isascii() or not value.isprintable():
        raise InputError(f"{name} must be one line of ASCII, as required in a CCSDS message; got {value!r}")
    return value.strip()


def read_message(path: str | Path, keyword: str) -> tuple[str, list[Segment]]:
    """Return the version and the segments of a message. keyword: first keyword, which identifies the kind.

    Raises InputError when the file is not a message of this kind.
    """
    try:
        text = read_bytes(path, what="a CCSDS message", largest=LARGEST).decode("ascii")
    except FileNotFoundError:
        raise InputError(f"{path}: cannot be read (No such file or directory)") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a CCSDS message in keyword-value notation: it is not ASCII") from None
    header, segments = _parsed(path, text, keyword)
    if keyword not in header or not segments:
        raise InputError(f"{path}: is not a CCSDS message with {keyword} and a data segment (XML is not supported)")
    return header[keyword], segments


def _parsed(path: str | Path, text: str, keyword: str) -> tuple[dict[str, str], list[Segment]]:
    """Return the header and the segments of a message. Raises InputError if a line is not in the notation."""
    header: dict[str, str] = {}
    segments: list[Segment] = []
    within = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.split()[0] == "COMMENT":
            continue
        if within and within not in BEGINS:
            within = "" if line == f"{within}_STOP" else within
        elif line.endswith("_START") and line.removesuffix("_START") in BESIDE:
            within = line.removesuffix("_START")
        elif line in BEGINS or line in ENDS:
            if line == "META_START":
                segments.append(Segment({}, []))
            within = line if line in BEGINS else ""
        elif "=" in line and within != "DATA_START":
            key, _, value = line.partition("=")
            target = segments[-1].meta if within == "META_START" else header
            target[key.strip()] = value.split("[")[0].strip()
        elif segments and within != "META_START":
            segments[-1].rows.append(line.split())
        else:
            raise InputError(f"{path}, line {number}: is not a keyword with a value: {line[:60]!r}")
        if len(header) == 1 and keyword not in header:
            raise InputError(f"{path}: starts with {next(iter(header))} instead of {keyword}")
    return header, segments


def one_segment(path: str | Path, segments: Sequence[Segment], which: int | None, wanted: Sequence[str]) -> Segment:
    """Return the requested segment.

    Raises InputError if there are several segments and none is requested, or required keywords are missing.
    """
    if which is None and len(segments) > 1:
        raise InputError(f"{path}: has {len(segments)} segments; select one: segment=0 to {len(segments) - 1}")
    number = 0 if which is None else which
    if not 0 <= number < len(segments):
        raise InputError(f"{path}: has {len(segments)} segments, numbered from 0; there is no segment {number}")
    found = segments[number]
    lacking = [key for key in wanted if key not in found.meta]
    if lacking:
        raise InputError(f"{path}: its metadata has no {lacking[0]}, which is mandatory")
    if not found.rows:
        raise InputError(f"{path}: its segment {number} has no data")
    return found
