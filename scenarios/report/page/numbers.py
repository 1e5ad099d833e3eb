"""Formatting of numbers on the review page: arrays for its scripts, and values as text."""

import base64
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..console import label


def stored(values: ArrayLike, *, exact: bool = False) -> dict[str, str]:
    """Return an array as base64 of little-endian float32.

    exact: store float64 instead, for example for times.
    """
    kind = "<f8" if exact else "<f4"
    with np.errstate(over="ignore"):
        data = np.ascontiguousarray(np.asarray(values, dtype=np.float64).ravel().astype(kind)).tobytes()
    return {"type": "float64" if exact else "float32", "base64": base64.b64encode(data).decode("ascii")}


def value_text(value: Any, *, digits: int = 5) -> str:
    """Return a number as text for a table: "no value" for None, and "unlimited" for infinity.

    Examples
    --------
    >>> value_text(0.000123456), value_text(None), value_text(float("inf")), value_text(-0.0)
    ('0.00012346', 'no value', 'unlimited', '0')
    """
    if value is None:
        return "no value"
    number = float(value)
    if not isfinite(number):
        return "not a number" if number != number else "unlimited"  # noqa: PLR0124
    return f"{number + 0.0:.{digits}g}"


def metric_words(name: str) -> tuple[str, str]:
    """Return the name of a metric in words, and its unit."""
    words, unit = label(name)
    return words, unit
