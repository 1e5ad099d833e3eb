"""Short `repr` of objects that hold arrays: shapes replace long contents."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

NUMBERS = 9
"""Largest number of entries of an array that is written out: the nine of an inertia matrix."""

LETTERS = 160
"""Largest length of the text of one field, in characters."""


def brief(self: Any) -> str:
    """Return class and fields in one line, with shapes in place of long arrays and classes in place of long objects."""
    text = ", ".join(f"{field.name}={_value(getattr(self, field.name))}" for field in fields(self) if field.repr)
    return f"{type(self).__name__}({text})"


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, tuple | list):
        items: tuple[Any, ...] = tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        text = f"({', '.join(_value(item) for item in items[:NUMBERS])})"
        return text if len(items) <= NUMBERS and len(text) <= LETTERS else f"<{len(items)} items>"
    text = " ".join(repr(value).split())
    if len(text) > LETTERS and is_dataclass(value):
        text = brief(value)
    if len(text) <= LETTERS:
        return text
    return f"{text[: LETTERS - 4]}...'" if isinstance(value, str) else f"<{type(value).__name__}>"


def _array(value: Any) -> str:
    if value.size > NUMBERS:
        return f"<{' x '.join(str(size) for size in value.shape)}>"
    return " ".join(np.array2string(value, precision=6, separator=", ").split())
