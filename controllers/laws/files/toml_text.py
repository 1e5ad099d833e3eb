"""Writing of numbers, strings and matrices as TOML, which the standard library can only read."""

import json
from collections.abc import Mapping
from typing import Any


def toml_text(body: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any] | None]) -> str:
    """Return a TOML document.

    body: top-level keys, written before the tables.
    tables: tables by name. Tables and keys with the value None are omitted.
    -> document, with all digits of numbers and one line per matrix row.
    """
    lines = [f"{key} = {_value(value)}" for key, value in body.items()]
    for name, table in tables.items():
        if table is not None:
            lines += ["", f"[{name}]"]
            lines += [f"{key} = {_value(value)}" for key, value in table.items() if value is not None]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, int | float):
        return repr(value)
    rows = list(value)
    if any(isinstance(row, list | tuple) for row in rows):
        return "[\n" + "".join(f"  {_value(row)},\n" for row in rows) + "]"
    return "[" + ", ".join(_value(item) for item in rows) + "]"


def toml_string(value: str) -> str:
    """Return a value as a TOML basic string.

    The escapes of JSON are valid in TOML. In addition, TOML requires DEL to be escaped and forbids lone surrogates.
    """
    whole = value.encode("utf-8", "backslashreplace").decode("utf-8")
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
