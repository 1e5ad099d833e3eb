"""Structural check against a protocol that evaluates no property.

Up to Python 3.11 `isinstance` on a runtime protocol reads every attribute. Properties that compute, such as packed
parameters, would then be evaluated for nothing.
"""

from functools import cache
from typing import Any


def has_parts(value: object, kind: Any) -> bool:
    """Return whether an object has every member that a protocol class declares."""
    own, declared = getattr(value, "__dict__", {}), type(value)
    return all(hasattr(declared, name) or name in own or hasattr(value, name) for name in _parts(kind))


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    classes: tuple[type, ...] = kind.__mro__[:-1]
    named = {name for each in classes for name in (*vars(each), *vars(each).get("__annotations__", {}))}
    return tuple(sorted(name for name in named if not name.startswith("_")))
