"""JSON text with exact doubles and without NaN."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np


def dump(value: Mapping[str, Any]) -> str:
    """Return one JSON object as text; numbers keep all significant digits, and none is NaN or infinite.

    value: the object. A non-finite number becomes null, and `warnings` (added where missing) names its place.
    -> JSON text that reads back to identical doubles, in ASCII for any terminal and file.

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
