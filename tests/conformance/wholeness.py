"""Missing parts of a kind: key in the schema, row in the guide, battery, picture."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["classes_made", "without_battery", "without_picture", "without_row", "without_schema"]


def without_row(rows: Iterable[tuple[str, str, str]], guide: str) -> list[str]:
    """Rows (category, name, words) missing in the case reference of the guide."""
    wanted = [f"| {what} | `{name}` | {words.rstrip('.').replace('|', chr(92) + '|')} |" for what, name, words in rows]
    return [row for row in wanted if row not in guide]


def without_schema(names: Iterable[str], schema: Mapping[str, Any]) -> list[str]:
    """Names that no key of a case file accepts."""
    text = str(schema)
    return [name for name in names if f"'{name}'" not in text]


def classes_made(make: Any) -> list[str]:
    """Classes that a kind of a case creates, from the annotation of its function."""
    said = inspect.signature(make).return_annotation
    text = said if isinstance(said, str) else repr(said)
    return [word for word in re.findall(r"\b[A-Z]\w+", text.replace("ForwardRef", "")) if word != "None"]


def without_battery(classes: Iterable[str], battery: str) -> list[str]:
    """Classes that the source of a battery never creates."""
    return [name for name in classes if not re.search(rf"\b{name}\(", battery)]


def without_picture(panels: Mapping[str, set[str]], usual: set[str]) -> list[str]:
    """Kinds whose runs have only the usual panels."""
    return [kind for kind, drawn in panels.items() if not drawn - usual]
