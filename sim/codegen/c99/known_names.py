"""Record of the global values used in a translated kernel, which detects later changes."""

from collections.abc import Callable
from typing import Any

import numpy as np


class KnownNames:
    """Values that a translation took from modules, closures and defaults, each with a look-up function."""

    def __init__(self) -> None:
        self._held: list[tuple[Callable[[], Any], Any, Any]] = []

    def note(self, look_up: Callable[[], Any], value: Any) -> None:
        """Record a value. look_up: function that returns the current value."""
        self._held.append((look_up, value, _mark(value)))

    def unchanged(self) -> bool:
        """Return whether every name still has the recorded value."""
        for look_up, value, mark in self._held:
            try:
                now = look_up()
            except Exception:  # noqa: BLE001 # a name that is gone may raise anything
                return False
            if (now is not value and type(now) is not type(value)) or _mark(now) != mark:
                return False
        return True


def _mark(value: Any) -> Any:
    """Return a key for a value: an array's contents, a number or tuple as a string, or an object's id."""
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
