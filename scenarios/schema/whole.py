"""The JSON Schema of case files: of either kind."""

from typing import Any

from pydantic import TypeAdapter

from .case import Case
from .satellite_case import SatelliteCase

__all__ = ["case_json_schema"]


def case_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a case: one with a `[plant]`, or one with a `[satellite]`.

    Returns
    -------
    dict
        `anyOf` with both, and `$defs` of every table.

    Examples
    --------
    >>> [each["$ref"] for each in case_json_schema()["anyOf"]]
    ['#/$defs/Case', '#/$defs/SatelliteCase']
    """
    kinds: TypeAdapter[Any] = TypeAdapter(Case | SatelliteCase)
    return kinds.json_schema()
