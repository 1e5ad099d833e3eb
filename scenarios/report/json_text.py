"""JSON text with exact doubles and without NaN."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np


def dump(value: Mapping[str, Any]) -> str:
    """Return a JSON object as text with exact doubles; non-finite numbers become null.

    value: the object. Its `warnings`, added if missing, name the place of each non-finite number. The text is ASCII,
    and parsing it gives identical doubles.

    Examples
    --------
    >>> dump({"x": 0.1})
    '{"x": 0.1}'
    """
    lost: list[str] = []
    clean = _clean(value, "", lost)
    if lost:
        clean["warnings"] = [*clean.get("warnings", []), f"not finite, written as null: {', '.join(lost)}"]
    return json.dumps(clean, allow_nan=False)


def _clean(value: Any, path: str, lost: list[str]) -> Any:
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {key: _clean(item, f"{path}.{key}" if path else key, lost) for key, item in items}
    if isinstance(value, list | tuple):
        entries = cast("Sequence[Any]", value)
        return [_clean(item, f"{path}.{index}", lost) for index, item in enumerate(entries)]
    if isinstance(value, np.generic):
        return _clean(cast("Any", value).item(), path, lost)
    if isinstance(value, float) and not math.isfinite(value):
        lost.append(path)
        return None
    return value
