"""Whether an object has the parts of a protocol, without asking any of them for its value.

`isinstance` on a runtime protocol reads every part of the object up to Python 3.11: a property that computes (packed
parameters, say) is then computed for nothing, each time.
"""

from functools import cache
from typing import Any

__all__ = ["has_parts"]


def has_parts(value: object, kind: Any) -> bool:
    """Whether an object has every part that a protocol class declares."""
    own, declared = getattr(value, "__dict__", {}), type(value)
    return all(hasattr(declared, name) or name in own or hasattr(value, name) for name in _parts(kind))


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    classes: tuple[type, ...] = kind.__mro__[:-1]
    named = {name for each in classes for name in (*vars(each), *vars(each).get("__annotations__", {}))}
    return tuple(sorted(name for name in named if not name.startswith("_")))
