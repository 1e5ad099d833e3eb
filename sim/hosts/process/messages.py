"""Messages exchanged with a process, one JSON object per line; see PROTOCOL.md."""

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from .port import Port
from .terms import Terms

VERSION = 1
END = b'{"end":true}\n'
QUOTED = 120


class MessageError(Exception):
    """Invalid answer of a process; the message continues a sentence after the name: "answered ..."."""


def hello(terms: Terms) -> bytes:
    """Return the line that begins a run."""
    message = {
        "polhode": VERSION,
        "name": terms.name,
        "role": terms.role,
        "reads": [port.to_dict() for port in terms.reads],
        "writes": [port.to_dict() for port in terms.writes],
        "sample_s": terms.sample,
        "offset_s": terms.offset,
        "delay_s": terms.delay,
        "seed": terms.seed,
        "run": terms.run,
    }
    return _line(message)


def numbered(number: int, message: Mapping[str, object]) -> bytes:
    """Return a message as a line with its number, from 0; a sample is sent as time (s) and inputs."""
    return _line({"n": number, **message})


def check_hello(line: bytes, terms: Terms) -> None:
    """Raise MessageError unless the first answer of a process confirms the terms of the run."""
    message = _object(line)
    version = message.get("polhode")
    if type(version) is not int or version != VERSION:
        raise MessageError(f"speaks protocol version {_shown(version)} instead of {VERSION}: {_quoted(line)}")
    for key, ports in (("reads", terms.reads), ("writes", terms.writes)):
        theirs = _ports(message.get(key), key, line)
        if theirs != list(ports):
            mine, its = (", ".join(port.words for port in each) or "nothing" for each in (ports, theirs))
            raise MessageError(f"{key} {its}, but the run has {mine}")
    if "sample_s" not in message:
        raise MessageError(f"omits sample_s; null stands for any period: {_quoted(line)}")
    period = message["sample_s"]
    if period is not None and (isinstance(period, bool) or period != terms.sample):
        raise MessageError(f"is designed for a period of {_shown(period)} s, but is sampled every {terms.sample!r} s")


def numbers_in(line: bytes, number: int, size: int) -> list[float]:
    """Return the numbers in an answer to a sample. Raises MessageError when the answer is invalid."""
    message = _object(line)
    got = message.get("n")
    if isinstance(got, bool) or got != number:
        raise MessageError(f"answered sample {_shown(got)} instead of sample {number}: {_quoted(line)}")
    values = message.get("v")
    if not isinstance(values, list):
        raise MessageError(f'answered without a list "v": {_quoted(line)}')
    numbers = cast("list[Any]", values)
    if len(numbers) != size:
        raise MessageError(f"answered {len(numbers)} numbers instead of {size}: {_quoted(line)}")
    found: list[float] = []
    for each in numbers:
        if isinstance(each, bool) or not isinstance(each, int | float):
            raise MessageError(f"answered {_shown(each)} instead of a number: {_quoted(line)}")
        try:
            value = float(each)
        except OverflowError:
            raise MessageError(f"answered a number too large for double precision: {_quoted(line)}") from None
        if not math.isfinite(value):
            raise MessageError(f"answered a number that is not finite: {_quoted(line)}")
        found.append(value)
    return found


def _line(message: Mapping[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _object(line: bytes) -> dict[str, Any]:
    def refuse(word: str) -> NoReturn:
        raise MessageError(f"answered {word}, which JSON does not have: {_quoted(line)}")

    try:
        found: Any = json.loads(line.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or an integer of thousands of digits
        raise MessageError(f"answered text that is not JSON: {_quoted(line)}") from None
    if not isinstance(found, dict):
        raise MessageError(f"answered text that is not a JSON object: {_quoted(line)}")
    message = cast("dict[str, Any]", found)
    if "error" in message:
        raise MessageError(f"says: {_short(str(message['error']))}")
    return message


def _ports(given: Any, key: str, line: bytes) -> list[Port]:
    try:
        return [Port(str(each["name"]), int(each["size"]), unit=str(each["unit"])) for each in given]
    except (TypeError, KeyError, ValueError, OverflowError):
        raise MessageError(
            f"answered without a list {key!r} of signals with name, size and unit: {_quoted(line)}"
        ) from None


def _shown(value: object) -> str:
    return _short(json.dumps(value)) if not isinstance(value, float) else repr(value)


def _quoted(line: bytes) -> str:
    return _short(repr(line.decode("utf-8", "backslashreplace")))


def _short(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 3]}..."
