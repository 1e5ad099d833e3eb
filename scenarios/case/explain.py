"""Convert pydantic's validation errors into messages with key path, value, bound and remedy."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ...plant.errors import InputError
from ...plant.nearest import nearest_words
from .kinds.distributions import Distributions
from .kinds.kinds import Kinds
from .schema.fields import given
from .sentences import words

MOST = 20
"""Largest number of explained faults, since each needs a search for the intended word."""

_NAMED_BY_PYDANTIC = re.compile(
    r"(function|literal|constrained|tuple|list|dict|float|int|str|bool|nullable|[A-Z]\w*Table)\b"
)


def nearest(word: str, words: Sequence[str]) -> str:
    """Return the end of a message: the most similar allowed words, or all words if none is similar.

    Examples
    --------
    >>> nearest("inertia_kgm2", ("inertia_kg_m2", "mass_kg"))
    '; did you mean inertia_kg_m2?'
    """
    close = nearest_words(word, words, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; allowed here: {', '.join(words)}"


def explain(error: ValidationError, model: type[BaseModel], document: Mapping[str, Any], source: str) -> InputError:
    """Return an InputError with the message for a validation error.

    error: faults reported by pydantic.
    model: validated model, which defines the allowed keys.
    document: validated data.
    source: name or path of the case, at the start of the message.
    The message has one line per fault, at most MOST lines.
    """
    faults = error.errors(include_url=False)
    # Mistyped keys come first, so that the missing correct key is not reported as a second fault.
    faults.sort(key=lambda fault: fault["type"] != "extra_forbidden")
    lines: list[str] = []
    groups, alternatives = _grouped(faults, document)
    left = 0
    for left, group in zip(range(len(groups) - 1, -1, -1), groups, strict=True):  # noqa: B007 # read after the loop
        fault = _either(group) if group[0]["loc"] in alternatives else group[0]
        line = _sentence(fault, model, document)
        parent, _, key = line.partition(": required, but")[0].rpartition(".")
        if fault["type"] == "missing" and any(
            said.startswith(parent) and said.endswith(f"unknown key; did you mean {key}?") for said in lines
        ):
            continue
        lines.append(line)
        if len(lines) == MOST:
            break
    if len(lines) == 1:
        return InputError(f"{source}: {lines[0]}")
    others = "\n".join(f"  {line}" for line in lines[1:])
    count = f"{len(lines) - 1} more" if not left else f"{len(lines) - 1 + left} more; the first {len(lines) - 1}"
    return InputError(f"{source}: {lines[0]}\nand {count}:\n{others}")


def _grouped(
    faults: Sequence[ErrorDetails], document: Any
) -> tuple[list[list[ErrorDetails]], Mapping[tuple[int | str, ...], list[ErrorDetails]]]:
    """Group the faults that pydantic reports for alternative types of the same value.

    Returns all groups in the order of the faults, and the groups for alternative types by place.
    """
    groups: list[list[ErrorDetails]] = []
    alternatives: dict[tuple[int | str, ...], list[ErrorDetails]] = {}
    for fault in faults:
        loc = _written(fault, document)
        if loc == fault["loc"]:
            groups.append([fault])
            continue
        if loc not in alternatives:
            alternatives[loc] = []
            groups.append(alternatives[loc])
        alternatives[loc].append({**fault, "loc": loc})
    return groups, alternatives


def _written(fault: ErrorDetails, document: Any) -> tuple[int | str, ...]:
    """Return the place of a fault, without the trailing name that pydantic gives the alternative type."""
    *parents, last = fault["loc"] or ("",)
    for part in parents:
        document = _child(document, part)
    is_key = not isinstance(last, str) or (isinstance(document, Mapping) and last in document)
    return fault["loc"] if is_key or not _NAMED_BY_PYDANTIC.match(str(last)) else tuple(parents)


def _either(faults: Sequence[ErrorDetails]) -> ErrorDetails:
    """Combine the faults of alternative types: list all types, or explain the fault in the intended type."""
    said = [words(fault, str(fault["loc"][-1])) for fault in faults]
    ends = [sentence.rpartition("; got ")[2] for sentence in said]
    if len(set(ends)) > 1:  # for a list type, the fault is in one of the entries
        message = next((each for each in said if not each.endswith(f"; got {given(faults[0]['input'])}")), said[0])
    else:
        rules = [sentence.rpartition("; got ")[0].removeprefix("must be ") for sentence in said]
        message = f"must be {' or '.join(dict.fromkeys(rules))}; got {ends[0]}"
    return {**faults[0], "type": "polhode", "ctx": {"message": message}}


def _sentence(fault: ErrorDetails, model: type[BaseModel], document: Mapping[str, Any]) -> str:
    path, here = _walk(fault["loc"], model, document)
    prefix = f"{path}: " if path else ""
    if fault["type"] == "extra_forbidden":
        key = str(fault["loc"][-1])
        return f"{prefix}unknown key{nearest(key, tuple(here.model_fields))}"
    return prefix + words(fault, path.rsplit(".", 1)[-1])


def _walk(loc: tuple[int | str, ...], model: type[BaseModel], document: Any) -> tuple[str, type[BaseModel]]:
    """Return the dotted key path without pydantic's union tags, and the model that holds the last key."""
    path: list[str] = []
    here: type[BaseModel] | None = model
    holder = model
    options: tuple[type[BaseModel], ...] = ()
    for n, part in enumerate(loc):
        tagged = _tagged(options, part)
        if tagged is not None and not _is_key(document, *loc[n : n + 2]):
            here, options = tagged, ()
            continue
        if here is not None and part == here.__name__:  # added by pydantic for a table that is one of several forms
            continue
        path.append(str(part))
        document = _child(document, part)
        if isinstance(part, str):
            holder = here or holder
            field = holder.model_fields.get(part)
            options = _models(field.annotation, *field.metadata) if field else ()
            here = options[0] if len(options) == 1 else None
    return ".".join(path), holder


def _is_key(document: Any, part: int | str, after: int | str | None = None) -> bool:
    """Return whether a part of a place is a key of the document, instead of a union tag.

    after: next part of the place, if any; the value of the key must then be a table or list.
    """
    if not (isinstance(document, Mapping) and part in document):
        return False
    return after is None or isinstance(document[part], Mapping | list)


def _child(document: Any, part: int | str) -> Any:
    try:
        return document[part]
    except (KeyError, IndexError, TypeError):
        return None


def _models(annotation: Any, *more: Any) -> tuple[type[BaseModel], ...]:
    """Return every table model in an annotation, or in its registry of kinds."""
    inner = get_args(annotation)
    for each in (*more, *inner):
        if isinstance(each, Kinds):
            return cast("Kinds[Any]", each).tables
        if isinstance(each, Distributions):
            return (each.table,)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return (annotation,)
    return tuple(model for argument in inner for model in _models(argument))


def _tagged(options: tuple[type[BaseModel], ...], tag: int | str) -> type[BaseModel] | None:
    if len(options) < 2:
        return None
    for option in options:
        kind = option.model_fields.get("kind")
        if kind is not None and tag in get_args(kind.annotation):
            return option
    return None
