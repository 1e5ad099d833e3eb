"""Trial calls of user-defined laws and blocks that reveal out-of-bounds indices before a run."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...plant.errors import InputError


def try_law(function: Callable[..., Any], *, y: int, q: np.ndarray, z: np.ndarray) -> None:
    """Call a law once in plain Python on arrays of the lengths in the run, to find index errors.

    function: law(t, y, r, q, z, u); y: number of inputs of the law; q, z: its parameters and memory. Raises InputError
    with the name of the law and the array lengths if the law exceeds an array. Other exceptions are ignored, since the
    inputs are artificial.
    """
    _try_law(function, y, q.tobytes(), z.tobytes())


@lru_cache(maxsize=64)
def _try_law(function: Callable[..., Any], y: int, q: bytes, z: bytes) -> None:
    """Call a law as `try_law` does, once for each law and set of arguments; q and z are passed as bytes."""
    seen, r = np.zeros(y), np.zeros(REFERENCE.size)
    seen[SEEN.attitude] = r[REFERENCE.attitude] = 1.0
    own = [np.frombuffer(each).copy() for each in (q, z)]
    sizes = f"y has {y} numbers here, r {r.size}, q (parameters) {own[0].size}, z (memory) {own[1].size}, u 3"
    _try(f"law {getattr(function, '__name__', '')!r}", function, seen, r, *own, np.zeros(3), sizes=sizes)


def try_block(name: str, function: Callable[..., Any], *, y: int, q: np.ndarray, z: np.ndarray, v: int) -> None:
    """Call a block(t, y, q, z, v) once in plain Python, as `try_law` does for laws."""
    sizes = f"y has {y} numbers here, q (parameters) {q.size}, z (memory) {z.size}, v {v}"
    _try(f"block {name!r}", function, np.zeros(y), q.copy(), z.copy(), np.zeros(v), sizes=sizes)


def _try(who: str, function: Callable[..., Any], *arrays: np.ndarray, sizes: str) -> None:
    try:
        with np.errstate(all="ignore"):
            function(0.0, *arrays)
    except IndexError as error:
        raise InputError(f"the {who} exceeds its arrays ({error}): {sizes}") from error
    except Exception:  # noqa: BLE001 # a user-defined function may raise anything; the run reports it
        pass
