"""Template files: `@mark@` is replaced by a string, and a line that ends with `@lines mark@` by lines."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

_MARK = re.compile(r"@([a-zA-Z]\w*)@")
_LINES = re.compile(r"(.*)@lines (\w+)@")
_IF = re.compile(r"@if (\w+)@")
_END = "@end@"


def filled(folder: str, name: str, marks: Mapping[str, str | Sequence[str]]) -> str:
    """Return a template file from a neighbouring folder with its marks replaced by strings.

    marks: a string, or lines, for each mark. Inserted text is not searched for marks, since it may contain text from a
    case file. A block of lines between `@if mark@` and `@end@` is omitted if the mark in `@if mark@` is empty.
    """
    template = (files(__name__.rpartition(".")[0]) / folder / name).read_text(encoding="utf-8")
    out: list[str] = []
    kept = True
    for line in template.splitlines():
        bare = line.strip()
        condition, several = _IF.fullmatch(bare), _LINES.fullmatch(line)
        if condition:
            kept = bool(marks[condition[1]])
        elif bare == _END:
            kept = True
        elif kept and several:
            out += [f"{several[1]}{each}".rstrip() for each in marks[several[2]]]
        elif kept:
            out.append(_MARK.sub(lambda found: _text(marks[found[1]]), line))
    return "\n".join(out) + "\n"


def _text(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else "\n".join(value)
