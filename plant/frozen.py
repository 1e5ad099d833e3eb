"""Immutable models: frozen dataclasses with read-only arrays."""

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
A = TypeVar("A", bound=NDArray[Any])

_PLAIN = frozenset({float, int, bool, str})

_without_arrays: set[type[Any]] = set()
"""Classes of field values that contain no arrays to freeze, added as they occur."""


def read_only(array: A) -> A:
    """Return the array itself if it is read-only, otherwise a read-only copy."""
    return _locked(array.copy()) if array.flags.writeable else array


def frozen_arrays(cls: type[T]) -> type[T]:
    """Replace the arrays in the fields of a frozen dataclass by read-only copies.

    This class decorator is placed above `@dataclass(frozen=True)`. The decorator also covers arrays in tuples and in
    the values of dicts. `model.A[0, 0] = 1` then raises ValueError.
    """
    return _freezing(cls, read_only)


def frozen_results(cls: type[T]) -> type[T]:
    """Make the arrays in the fields read-only without copying: for large results without other references."""
    return _freezing(cls, _locked)


def _locked(array: A) -> A:
    array.setflags(write=False)
    return array


def _freezing(cls: type[T], lock: Callable[[Any], Any]) -> type[T]:
    build: Callable[..., None] = cls.__init__
    names = tuple(field.name for field in fields(cls))  # pyright: ignore[reportArgumentType] # cls is a dataclass

    def freeze(self: T) -> None:
        attributes = vars(self)
        for name in names:
            value = attributes[name]
            kind: type[Any] = value.__class__
            if kind in _without_arrays:
                continue
            if kind is np.ndarray:
                frozen = lock(value)
            elif kind is tuple or kind is dict or issubclass(kind, np.ndarray):
                frozen = _each(value, lock)
            else:
                _without_arrays.add(kind)
                continue
            if frozen is not value:
                object.__setattr__(self, name, frozen)

    @wraps(build)
    def initialise(self: T, *args: Any, **kwargs: Any) -> None:
        build(self, *args, **kwargs)
        freeze(self)

    def restore(self: T, state: dict[str, Any]) -> None:  # copying and unpickling bypass __init__
        self.__dict__.update(state)
        freeze(self)

    cls.__init__ = initialise
    cls.__setstate__ = restore  # pyright: ignore[reportAttributeAccessIssue] # a dataclass defines none
    return cls


def _each(value: Any, lock: Callable[[Any], Any]) -> Any:
    if isinstance(value, np.ndarray):
        return lock(value)  # pyright: ignore[reportUnknownArgumentType] # of any dtype
    if type(value) is tuple:
        if _PLAIN.issuperset(map(type, value)):  # pyright: ignore[reportUnknownArgumentType] # such as strings
            return value  # pyright: ignore[reportUnknownVariableType]
        items = tuple(_each(item, lock) for item in value)  # pyright: ignore[reportUnknownVariableType]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if type(value) is dict:
        if _PLAIN.issuperset(map(type, value.values())):  # pyright: ignore[reportUnknownArgumentType] # such as metrics
            return dict(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return {key: _each(item, lock) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value
