"""Cache of solutions within a process, because runs often repeat the same design for the same plant."""

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

KEPT = 32
P = ParamSpec("P")
Arrays = tuple[NDArray[Any], ...]


def cached_solution(function: Callable[P, Any]) -> Callable[P, Any]:
    """Decorate a function of arrays and numbers that returns arrays, so that its results are cached.

    Arguments are compared bitwise. Each call returns a copy, which the caller may modify.
    """
    lock = Lock()
    known: dict[Hashable, Arrays] = {}  # most recently used last

    @wraps(function)
    def cached(*args: P.args, **kwargs: P.kwargs) -> Any:
        key = (*(_key(value) for value in args), *((name, _key(value)) for name, value in sorted(kwargs.items())))
        found = known.get(key)
        if found is None:
            found = tuple(np.array(array) for array in function(*args, **kwargs))
        with lock:
            known.pop(key, None)
            known[key] = found
            if len(known) > KEPT:
                del known[next(iter(known))]
        return tuple(array.copy(order="K") for array in found)

    return cached


def _key(value: Any) -> Hashable:
    if not isinstance(value, np.ndarray):
        return value
    array: Any = value  # pyright: ignore[reportUnknownVariableType] # of any dtype
    return array.dtype.str, array.shape, array.strides, array.tobytes()  # rounding in solvers depends on the layout
