"""Tables of case-file keys from the JSON Schema: type, unit, bound, default and meaning."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from .sentences import unit_of as unit_in

Schema = Mapping[str, Any]
REF = "#/$defs/"
COMPARISONS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "exclusiveMinimum": ">", "minimum": ">=",
               "exclusiveMaximum": "<", "maximum": "<="}  # fmt: skip
LARGEST = 1e15
"""Larger bounds only keep integers within the machine range, so they are not shown."""

SYMBOL = r"(?:rad|deg|kg|km|N|m|s|h|J|T)(?:\^[\d.]+)?"
SYMBOLS = re.compile(rf"(?:1|{SYMBOL}(?: {SYMBOL})*)/(?:{SYMBOL}|\({SYMBOL}(?: {SYMBOL})*\)(?:\^\d)?)")
"""A quotient of units, such as 1/(N m)^2."""


@dataclass(frozen=True)
class KeyRow:
    """One key of a table.

    Attributes
    ----------
    key : str
        Name of the key.
    type : str
        Type of the value, such as "3 numbers".
    unit : str
        Unit; empty for a dimensionless value.
    bound : str
        Range or allowed words; empty if the value is not bounded.
    default : str
        Default value; empty if there is none, "required" if the key must be given.
    description : str
        Meaning of the value.
    """

    key: str
    type: str
    unit: str
    bound: str
    default: str
    description: str


@dataclass(frozen=True)
class KeyTable:
    """Keys of one table of a case file.

    Attributes
    ----------
    place : str
        Header of the table in the file, such as "[[plant.elements]]".
    kind : str
        Value of the key `kind`; empty for a table with only one kind.
    description : str
        Purpose of the table.
    rows : tuple of KeyRow
        The keys, in the order of the schema.
    schema : dict
        JSON Schema of the table, including all referenced definitions.
    """

    place: str
    kind: str
    description: str
    rows: tuple[KeyRow, ...]
    schema: dict[str, Any]

    @property
    def path(self) -> str:
        """Dotted path of the table with its kind, such as plant.elements.ring-damper."""
        return ".".join(each for each in (self.place.strip("[]"), self.kind) if each)

    @property
    def title(self) -> str:
        """Header and kind of the table, as written in a case file."""
        return f'{self.place} kind = "{self.kind}"' if self.kind else self.place or "top of the file"


@cache
def key_tables() -> tuple[KeyTable, ...]:
    """Return every table that a case file can contain, once, at the first place where it is allowed.

    Returns
    -------
    tuple of KeyTable
        In the order of the schema.
    """
    from .schema import Case

    schema = Case.model_json_schema()
    return tuple(_tables(schema, "", schema["$defs"], set()))


def find_tables(name: str) -> tuple[KeyTable, ...]:
    """Return the tables that match a name; empty if there is none.

    name: kind, dotted path or table name, such as "lqr", "controller.lqr", "plant" or "plant.elements".
    """
    every = key_tables()
    exact = tuple(each for each in every if each.path == name)
    near = tuple(each for each in every if name in {each.kind, each.place.strip("[]")})
    return exact or near or tuple(each for each in every if name == each.place.strip("[]").rpartition(".")[2])


def _tables(schema: Schema, place: str, defs: Schema, done: set[str]) -> Iterator[KeyTable]:
    required = set(schema.get("required", ()))
    properties: Schema = schema["properties"]
    kind = str(properties.get("kind", {}).get("const", ""))
    rows = tuple(_row(key, each, required=key in required) for key, each in properties.items())
    description = " ".join(str(schema.get("description", "")).split("\n\n")[0].split())
    yield KeyTable(place, kind, description, rows, _standalone(schema, defs))
    stem = place.strip("[]")
    own: list[tuple[str, str]] = []
    for key, each in properties.items():
        path = f"{stem}.{key}" if stem else key
        for name, listed in _references(each):
            if name not in done:
                done.add(name)  # before the tables within `own`, so that a kind has its shortest path
                own.append((name, f"[[{path}]]" if listed else f"[{path}]"))
    for name, path in own:
        yield from _tables(defs[name], path, defs, done)


def _references(schema: Schema, *, listed: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield each schema definition that a value may match, and whether the value is an entry of a list."""
    if "$ref" in schema:
        yield schema["$ref"].removeprefix(REF), listed
    for word in ("anyOf", "oneOf"):
        for each in schema.get(word, ()):
            yield from _references(each, listed=listed)
    if isinstance(schema.get("items"), dict):
        yield from _references(schema["items"], listed=True)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _references(schema["additionalProperties"], listed=listed)


def _standalone(schema: Schema, defs: Schema) -> dict[str, Any]:
    needed: dict[str, Any] = {}

    def collect(text: str) -> None:
        for name in re.findall(rf'"{re.escape(REF)}(\w+)"', text):
            if name not in needed:
                needed[name] = defs[name]
                collect(json.dumps(defs[name]))

    alone = {key: value for key, value in schema.items() if key != "$defs"}
    collect(json.dumps(alone))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **alone, **({"$defs": needed} if needed else {})}


def _row(key: str, schema: Schema, *, required: bool) -> KeyRow:
    description = " ".join(str(schema.get("description", "")).split())
    default = "required" if required else _default(schema.get("default"))
    return KeyRow(key, _type(schema), unit_of(key, description), _bound(schema), default, description)


def _default(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return ""
    return json.dumps(value)


def _choices(schema: Schema) -> list[Schema]:
    """Return the alternative schemas of a value, without null."""
    several = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return [each for each in several if each.get("type") != "null"] or [schema]


def _type(schema: Schema) -> str:
    words = [_one_type(each) for each in _choices(schema)]
    return " or ".join(dict.fromkeys(words))


def _one_type(schema: Schema) -> str:
    if "const" in schema or "enum" in schema:
        return "word"
    if any(word in schema for word in ("anyOf", "oneOf")):
        return _type(schema)
    if "$ref" in schema or schema.get("type") == "object":
        return "table"
    if schema.get("type") == "array":
        entries: list[Schema] = schema.get("prefixItems", [])
        if entries:
            return _counted(len(entries), _one_type(entries[0]))
        return f"list of {_plural(_type(schema.get('items', {})))}"
    names = {"number": "number", "integer": "whole number", "boolean": "true or false", "string": "text"}
    return names.get(str(schema.get("type")), "any value")


def _counted(count: int, word: str) -> str:
    return f"{count} rows of {word}" if word[0].isdigit() else f"{count} {_plural(word)}"


def _plural(word: str) -> str:
    if " or " in word:
        return " or ".join(_plural(each) for each in word.split(" or "))
    fixed = {"text": "texts", "any value": "values"}
    return fixed.get(word, word if word[0].isdigit() or word.startswith("list") else f"{word}s")


def _bound(schema: Schema) -> str:
    words: list[str] = []
    for each in _choices(schema):
        if "const" in each:
            words.append(json.dumps(each["const"]))
        elif "enum" in each:
            words.append(", ".join(json.dumps(value) for value in each["enum"]))
        else:
            words += [_range(each)] if _range(each) else []
            if each.get("type") == "array" and isinstance(each.get("items"), dict):
                words += [f"each {text}" for text in (_bound(each["items"]),) if text]
    return "; ".join(dict.fromkeys(words))


def _range(schema: Schema) -> str:
    limits = [f"{sign} {schema[word]:g}" for word, sign in COMPARISONS.items()
              if isinstance(schema.get(word), int | float) and abs(schema[word]) < LARGEST]  # fmt: skip
    return " and ".join(limits)


def unit_of(key: str, description: str) -> str:
    """Return the unit in the suffix of a key; if it has none, a quotient of units in its description."""
    parts = [part.strip() for part in re.split(r"[,;:]| or | and ", description)]
    quotients = (part for part in parts if SYMBOLS.fullmatch(part) and "in the unit of" not in description)
    return unit_in(key) or next(quotients, "")
