"""Programs that a case would run are trusted by who runs it, not by a file of results that it was found in."""

from collections.abc import Mapping
from typing import Any, cast

__all__ = ["trusts", "untrusted"]

TRUST = "trust"


def untrusted(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a case without what it says it trusts."""
    return {key: _untrusted(value) for key, value in document.items() if key != TRUST}


def trusts(override: str) -> bool:
    """Whether an override only says what is trusted: "controller.trust=true"."""
    return override.partition("=")[0].rpartition(".")[2].strip() == TRUST


def _untrusted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return untrusted(cast("Mapping[str, Any]", value))
    if isinstance(value, list):
        return [_untrusted(each) for each in cast("list[Any]", value)]
    return value
