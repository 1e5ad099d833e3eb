"""Trust in external programs: only the user can grant it, a results file never can."""

from collections.abc import Mapping
from typing import Any, cast

TRUST = "trust"


def untrusted(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a case without its trust keys."""
    return {key: _untrusted(value) for key, value in document.items() if key != TRUST}


def trusts(override: str) -> bool:
    """Return whether an override sets a trust key and nothing else, such as "controller.trust=true"."""
    return override.partition("=")[0].rpartition(".")[2].strip() == TRUST


def _untrusted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return untrusted(cast("Mapping[str, Any]", value))
    if isinstance(value, list):
        return [_untrusted(each) for each in cast("list[Any]", value)]
    return value
