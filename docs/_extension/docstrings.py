"""Docstrings are plain text to a reader: |e| is a norm in them, not a substitution of reStructuredText."""

import re
from typing import Any

LITERAL = re.compile(r"(``[^`]*``|`[^`]*`)")


def escape(_app: Any, _what: str, _name: str, _value: Any, _options: Any, lines: list[str]) -> None:
    """Escape "|" and a final "_" outside code letters, up to the examples."""
    for number, line in enumerate(lines):
        if line.strip() == "Examples":
            return
        parts = LITERAL.split(re.sub(r"^(\s*[A-Z])\. ", r"\1\\. ", line))  # an initial, not the item of a list
        parts[::2] = [re.sub(r"(\w)_(?!\w)", r"\1\\_", part.replace("|", "\\|")) for part in parts[::2]]
        lines[number] = "".join(parts)


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx, before numpydoc reads the sections."""
    app.connect("autodoc-process-docstring", escape, priority=400)
    return {"parallel_read_safe": True}
