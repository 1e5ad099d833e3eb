"""Subcommands for case files: `list`, `new`, `show` and `schema`. Each function returns the exit code."""

import sys
import textwrap
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...controllers.laws.files.toml_text import toml_string
from ...controllers.laws.files.whole_file import write_whole
from ...plant.errors import InputError
from ...plant.nearest import nearest_words
from ...plant.plain_text import plain_line
from ..case.key_table import find_tables, key_tables
from ..case.loader import case_path, load_case, shipped_cases

if TYPE_CHECKING:
    from ..case.key_table import KeyTable

TEMPLATE = "new_case.toml"
TITLE = '"NAME"'
WIDTH = 100
"""Width of key descriptions, in characters."""


def list_cases(folder: Path | None = None, *, json: bool) -> int:
    """Print the shipped cases, or the cases in a folder, and the location of their files.

    folder: folder of case files; None: shipped cases.
    json: print one JSON object.
    Returns 0.
    Raises InputError if the folder contains no case file.
    """
    paths = {name: case_path(name) for name in shipped_cases()} if folder is None else _cases_of(folder)
    cases = [load_case(name if folder is None else path) for name, path in paths.items()]
    if json:
        rows = [
            {"name": item.name, "title": item.case.title, "description": item.case.description, "path": str(path)}
            for item, path in zip(cases, paths.values(), strict=True)
        ]
        return _print_json({"cases": rows})
    width = max(len(item.name) for item in cases)
    lines = [plain_line(f"{item.name:<{width}}  {item.case.title}") for item in cases]
    where = next(iter(paths.values())).parent
    return _print("\n".join([*lines, "", f"{len(cases)} files in {where}; polhode show CASE prints one"]))


def _cases_of(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder; state a folder with case files, or none for the shipped cases")
    paths = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    if not paths:
        raise InputError(f"{folder}: no case files (*.toml); polhode new NAME writes one")
    return paths


def new_case(name: Path, *, json: bool) -> int:
    """Write a commented case file as a starting point.

    name: path of the file; the suffix .toml is added.
    json: print one JSON object.
    Returns 0.
    Raises InputError if the file exists, and SaveError if it cannot be written.
    """
    path = name if name.suffix == ".toml" else name.with_name(f"{name.name}.toml")
    if not name.name or path.stem != " ".join(path.stem.split()) or not path.stem.isprintable():
        raise InputError(f"{str(name)!r}: must be the name of a file, such as my-craft")
    if path.exists():
        raise InputError(f"{path}: already exists; use a different name")
    text = resources.files("polhode.scenarios.commands").joinpath(TEMPLATE).read_text(encoding="utf-8")
    text = text.replace(TITLE, toml_string(path.stem)).replace("THIS_FILE", path.name)
    write_whole(path, lambda part: part.write_text(text, encoding="utf-8", newline="\n"))
    if json:
        return _print_json({"file": str(path)})
    return _print(f"written to {path}; try: polhode run {path}")


def show_case(case: str, *, overrides: Iterable[str], json: bool) -> int:
    """Validate a case file and print it.

    case: shipped name, or path of a case file or saved run.
    overrides: ``key.path=value``; if there are any, the case is printed without its comments.
    json: print one JSON object.
    Returns 0.
    Raises InputError if the case violates the schema.
    """
    changes = tuple(overrides)
    loaded = load_case(case, changes)
    if json:
        path = str(case_path(loaded.source)) if loaded.source in shipped_cases() else loaded.source
        return _print_json({"name": loaded.name, "title": loaded.case.title, "path": path, "case": loaded.document})
    if loaded.text and not changes:
        return _print(loaded.text.rstrip("\n"))
    from ..report.page.case_file import document_toml

    return _print(document_toml(loaded.document).rstrip("\n"))


def print_schema(kind: str | None = None, *, json: bool = False) -> int:
    """Print the JSON Schema of case files, or the keys of one table or kind.

    kind: name of a table or kind such as "plant", "lqr" or "controller.lqr"; None: the whole schema as JSON.
    json: print the JSON Schema of the table in place of its keys.
    Returns 0.
    Raises InputError if no table has the name, or if `json` is set and several tables have it.
    """
    from ..case.schema import Case

    if kind is None:
        return _print_schema({"$schema": "https://json-schema.org/draft/2020-12/schema", **Case.model_json_schema()})
    tables = find_tables(kind)
    if not tables:
        names = sorted({each.kind or each.place.strip("[]") for each in key_tables()} - {""})
        close = nearest_words(kind, names)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}"
        raise InputError(f"schema: no table or kind {kind!r}; {hint}")
    if not json:
        return _print("\n\n".join(_text(each) for each in tables))
    first, *others = tables
    if others:
        raise InputError(
            f"schema: {kind!r} is in several tables; give one of {', '.join(each.path for each in tables)}"
        )
    return _print_schema(first.schema)


def _text(table: "KeyTable") -> str:
    """Format the keys of a table: one line with type and bounds of each key, and its meaning below."""
    lines = [table.title, *([f"  {table.description}"] if table.description else [])]
    for row in table.rows:
        default = "required" if row.default == "required" else f"default {row.default}" if row.default else ""
        facts = [row.type, row.unit, row.bound, default]
        lines += ["", f"  {row.key}", _indented(", ".join(fact for fact in facts if fact)), _indented(row.description)]
    return "\n".join(lines)


def _indented(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6, break_on_hyphens=False)


def _print_schema(schema: Any) -> int:
    from json import dumps

    return _print(dumps(schema, indent=2))


def _print_json(value: Any) -> int:
    from ..report.json_text import dump

    return _print(dump(value))


def _print(text: str) -> int:
    sys.stdout.write(text + "\n")
    return 0
