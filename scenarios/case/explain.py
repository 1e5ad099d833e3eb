"""pydantic's validation errors in our own words: full key path, value, bound, way out."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ...plant.errors import InputError
from ..objects.kinds import Kinds
from .sentences import words

__all__ = ["explain", "nearest"]


def nearest(word: str, words: Sequence[str]) -> str:
    """Return the end of a message: the nearest of the words allowed, or all of them when none is near.

    Examples
    --------
    >>> nearest("inertia_kgm2", ("inertia_kg_m2", "mass_kg"))
    '; did you mean inertia_kg_m2?'
    """
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; allowed here: {', '.join(words)}"


def explain(error: ValidationError, model: type[BaseModel], document: Mapping[str, Any], source: str) -> InputError:
    """Translate a validation error.

    error: what pydantic found.
    model: the model that was filled, to name the keys it knows.
    document: the data that was given.
    source: the case's name or path, put before a list of several faults.
    -> one message; with several faults, the first on the first line, and a line for each of the others.
    """
    faults = error.errors(include_url=False)
    # What the user typed wrongly comes first; that the right key is then missing is no second fault.
    faults.sort(key=lambda fault: fault["type"] != "extra_forbidden")
    lines: list[str] = []
    for fault in faults:
        line = _sentence(fault, model, document)
        parent, _, key = line.partition(": required, but")[0].rpartition(".")
        if fault["type"] == "missing" and any(
            said.startswith(parent) and said.endswith(f"unknown key; did you mean {key}?") for said in lines
        ):
            continue
        lines.append(line)
    if len(lines) == 1:
        return InputError(f"{source}: {lines[0]}")
    others = "\n".join(f"  {line}" for line in lines[1:])
    return InputError(f"{source}: {lines[0]}\nand {len(lines) - 1} more:\n{others}")


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
    for part in loc:
        tagged = _tagged(options, part)
        if tagged is not None and not (isinstance(document, dict) and part in document):
            here, options = tagged, ()
            continue
        path.append(str(part))
        document = _child(document, part)
        if isinstance(part, str):
            holder = here or holder
            field = holder.model_fields.get(part)
            options = _models(field.annotation, *field.metadata) if field else ()
            here = options[0] if len(options) == 1 else None
    return ".".join(path), holder


def _child(document: Any, part: int | str) -> Any:
    try:
        return document[part]
    except (KeyError, IndexError, TypeError):
        return None


def _models(annotation: Any, *more: Any) -> tuple[type[BaseModel], ...]:
    """Every table model inside an annotation, or of the kinds that are noted beside it."""
    inner = get_args(annotation)
    for each in (*more, *inner):
        if isinstance(each, Kinds):
            return cast("Kinds[Any]", each).tables
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
