"""Overrides ``--set key.path=value`` that change the document of a case before validation."""

import re
import tomllib
from collections.abc import Iterable
from typing import Any, cast

from ...controllers.laws.files.valid_text import valid_text
from ...plant.errors import InputError
from .schema.initial import ALTERNATIVES

_KEY = re.compile(r"[A-Za-z0-9_-]+|\"[^\"=]+\"")  # in quotation marks if the key contains dots
_PATH = re.compile(rf"({_KEY.pattern})(\.({_KEY.pattern}))*")
_BARE = re.compile(r"[A-Za-z0-9_.:/ +-]+")


def parse_override(text: str) -> tuple[tuple[str, ...], Any]:
    """Parse ``key.path=value``. The value has TOML syntax; a word without quotation marks is a string.

    text: argument of ``--set``. Returns the path (keys, and list indices from 0) and the value. Raises InputError if
    the text does not have this form.

    Examples
    --------
    >>> parse_override("torques.0.from_s=10.5")
    (('torques', '0', 'from_s'), 10.5)
    >>> parse_override("plant.euler_sequence=3-2-1")
    (('plant', 'euler_sequence'), '3-2-1')
    >>> parse_override('dispersions."initial.rate_rad_s".sigma=1e-3')
    (('dispersions', 'initial.rate_rad_s', 'sigma'), 0.001)
    """
    if valid_text(text) != text:
        raise InputError(f"--set {text!r}: is not UTF-8 text, as required in a case")
    path, equals, written = (part.strip() for part in text.partition("="))
    if not equals or not _PATH.fullmatch(path):
        raise InputError(f"--set {text!r}: write key.path=value, such as run.duration_s=100")
    try:
        parsed = tomllib.loads(f"value = {written}\n")
    except tomllib.TOMLDecodeError:
        parsed = {"value": written} if _BARE.fullmatch(written) else {}
    if list(parsed) != ["value"]:
        raise InputError(f"--set {text!r}: {written!r} is not a TOML value such as 100, [0, 0.1, 0] or true")
    return tuple(key.strip('"') for key in _KEY.findall(path)), parsed["value"]


def apply_overrides(document: dict[str, Any], overrides: Iterable[str]) -> None:
    """Apply each ``key.path=value`` to the document. Missing tables are created; list entries must exist.

    A key replaces any key of the same quantity in a different unit (rate_rad_s, rate_deg_s).

    document: the case as read from TOML, changed in place.
    overrides: ``key.path=value``, applied in this order.
    Raises InputError if an override cannot be parsed, or its path passes through a value that has no keys.
    """
    for text in overrides:
        put_value(document, *parse_override(text), where=f"--set {text!r}")


def put_value(document: dict[str, Any], path: tuple[str, ...], value: Any, *, where: str) -> None:
    """Set a value in a document, as `apply_overrides` does; where: beginning of error messages."""
    place: Any = document
    for depth, key in enumerate(path[:-1]):
        place = _enter(place, key, path[: depth + 1], where)
    _put(place, path, value, where)


def _index(place: list[Any], path: tuple[str, ...], where: str) -> int:
    parent = ".".join(path[:-1])
    if not place:
        raise InputError(
            f"{where}: {parent} is an empty list, without an entry {path[-1]}; to add entries, give the whole list: "
            f"{parent}=[...]"
        )
    if not path[-1].isdigit() or int(path[-1]) >= len(place):
        raise InputError(f"{where}: {parent} has {len(place)} entries, numbered 0 to {len(place) - 1}")
    return int(path[-1])


def _enter(place: Any, key: str, path: tuple[str, ...], where: str) -> Any:
    if isinstance(place, list):
        items = cast("list[Any]", place)
        return items[_index(items, path, where)]
    if isinstance(place, dict):
        return cast("dict[str, Any]", place).setdefault(key, {})
    raise InputError(f"{where}: {'.'.join(path[:-1])} is a value, not a table; it has no key {key!r}")


def _put(place: Any, path: tuple[str, ...], value: Any, where: str) -> None:
    key = path[-1]
    if isinstance(place, list):
        items = cast("list[Any]", place)
        items[_index(items, path, where)] = value
    elif isinstance(place, dict):
        table = cast("dict[str, Any]", place)
        for group in ALTERNATIVES:
            if key in group and path[0] in {"initial", "reference"}:
                for other in group:
                    table.pop(other, None)
        table[key] = value
    else:
        raise InputError(f"{where}: {'.'.join(path[:-1])} is a value, not a table; it has no key {key!r}")
