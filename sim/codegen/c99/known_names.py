"""Values of names outside a kernel that went into its C: whether they are still the same."""

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["KnownNames"]


class KnownNames:
    """The values that a translation took from modules, closures and defaults, each with the way to look it up again."""

    def __init__(self) -> None:
        self._held: list[tuple[Callable[[], Any], Any, Any]] = []

    def note(self, look_up: Callable[[], Any], value: Any) -> None:
        """Note a value; `look_up` returns it, or what has come in its place."""
        self._held.append((look_up, value, _mark(value)))

    def unchanged(self) -> bool:
        """Return whether every name has the value that was noted."""
        for look_up, value, mark in self._held:
            try:
                now = look_up()
            except Exception:  # noqa: BLE001 # a name that is gone, however it says so
                return False
            if (now is not value and type(now) is not type(value)) or _mark(now) != mark:
                return False
        return True


def _mark(value: Any) -> Any:
    """What tells a value from others: the numbers of an array, how a number or tuple is written, else which it is."""
    given: type[object] = value.__class__
    if issubclass(given, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if issubclass(given, bool | int | float | complex | np.generic | str):
        return repr(value)
    if issubclass(given, dict):
        return tuple((_mark(key), _mark(each)) for key, each in value.items())
    if issubclass(given, tuple | list):
        return tuple(_mark(each) for each in value)
    return id(value), id(getattr(value, "__code__", None))
