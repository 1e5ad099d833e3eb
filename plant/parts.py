"""Structural check of an object against a protocol, without evaluating any property.

Up to Python 3.11, `isinstance` with a runtime protocol reads every attribute. Expensive properties, such as packed
parameters, would then be evaluated needlessly.
"""

from functools import cache
from typing import Any


def has_parts(value: object, kind: Any) -> bool:
    """Return whether an object has every member that a protocol class declares."""
    missing = _missing(type(value), kind)
    own = getattr(value, "__dict__", {}) if missing else {}
    return all(name in own or hasattr(value, name) for name in missing)


@cache
def _missing(made_of: type, kind: Any) -> tuple[str, ...]:
    """Return the members of a protocol class that a class lacks."""
    return tuple(name for name in _parts(kind) if not hasattr(made_of, name))


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    classes: tuple[type, ...] = kind.__mro__[:-1]
    named = {name for each in classes for name in (*vars(each), *vars(each).get("__annotations__", {}))}
    return tuple(sorted(name for name in named if not name.startswith("_")))
