"""Reading of untrusted JSON text with limited nesting."""

import json
from typing import Any, cast

from ....plant.errors import InputError

DEEPEST = 64  # nesting levels; a case has about six


def read_json(text: str | bytes, *, where: str) -> Any:
    """Parse JSON text; where: origin for messages. Raises InputError if invalid or nested too deeply."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise _deep(where) from None
    except ValueError as error:
        raise InputError(f"{where}: is not JSON ({error})") from None
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return found
    raise _deep(where)


def _inside(value: Any) -> "list[Any]":
    if isinstance(value, dict):
        return [*cast("dict[str, Any]", value).values()]
    return cast("list[Any]", value) if isinstance(value, list) else []


def _deep(where: str) -> InputError:
    return InputError(f"{where}: is nested more than {DEEPEST} levels deep")
