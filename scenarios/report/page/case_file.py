"""Case file on the page: the author's text, or TOML generated from the stored case."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ....controllers.laws.files.toml_text import toml_text

if TYPE_CHECKING:
    from ...case.loader import LoadedCase

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def case_text(loaded: "LoadedCase") -> str:
    """Return the text of a case file or, if there is no file, the stored case as TOML."""
    return loaded.text.rstrip() or document_toml(loaded.document).rstrip()


def document_toml(document: Mapping[str, Any]) -> str:
    """Return a case as TOML: plain keys first, then tables and lists of tables under their full names.

    Examples
    --------
    >>> print(document_toml({"run": {"step_s": 0.1}, "title": "a", "blocks": [{"kind": "lag"}]}), end="")
    title = "a"
    <BLANKLINE>
    [run]
    step_s = 0.1
    <BLANKLINE>
    [[blocks]]
    kind = "lag"
    """
    return "\n".join(_lines(document, "")).strip() + "\n"


def _lines(table: Mapping[str, Any], path: str) -> list[str]:
    plain = {key: value for key, value in table.items() if not _is_table(value) and not _is_tables(value)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if key in plain:
            continue
        name = f"{path}.{_key(key)}" if path else _key(key)
        if _is_table(value):
            lines += ["", f"[{name}]", *_lines(value, name)]
        else:
            for each in value:
                lines += ["", f"[[{name}]]", *_lines(each, name)]
    return lines


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    entries = cast("list[Any]", value)
    return bool(entries) and all(_is_table(each) for each in entries)


def _value(value: Any) -> str:
    """Return one value as TOML; a table in a list that also holds other values is written inline."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, Any]", value).items()
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in pairs) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(each) for each in cast("list[Any]", value)) + "]"
    return toml_text({"x": value}, {}).removeprefix("x = ").rstrip("\n")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else toml_text({"x": key}, {}).removeprefix("x = ").rstrip("\n")
