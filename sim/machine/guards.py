# pyright: basic
# (the functions made here are compiled; numba has no type stubs)
"""A user's own compiled law, reference or block, so that nothing it does wrong passes for an answer.

An index out of range raises instead of reaching foreign memory. Compiled code that raises comes back to the engine as
if nothing had happened: what the function writes therefore goes into an array of its own first, and only what came to
its end is handed on. What was asked for is then not a number, and the run ends.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...controllers.laws.law_layout import REFERENCE, SEEN
from ...plant.errors import InputError

__all__ = ["GUARDED", "guarded", "try_block", "try_law"]

GUARDED = {"error_model": "numpy", "boundscheck": True}
"""Users' functions are compiled with these: they divide as numpy does, and keep within their arrays."""


def guarded(kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what is compiled for a user's function of a kind of `polhode.sim.machine.addresses.SIGNATURES`."""
    if kind not in ("law", "reference", "block"):
        return function
    import numba

    from .addresses import new_row

    inner = numba.njit(getattr(function, "py_func", function), **GUARDED)

    def law(t, y, r, q, z, u):
        u[0] = np.nan
        own = new_row(3)
        own[0], own[1], own[2] = np.nan, np.nan, np.nan
        inner(t, y, r, q, z, own)
        u[0], u[1], u[2] = own[0], own[1], own[2]

    def reference(t, q, r):
        r[0] = np.nan
        own = np.full(r.size, np.nan)
        inner(t, q, own)
        for n in range(r.size):
            r[n] = own[n]

    def block(t, y, q, z, v):
        v[0] = np.nan
        own = np.full(v.size, np.nan)
        inner(t, y, q, z, own)
        for n in range(v.size):
            v[n] = own[n]

    return numba.njit({"law": law, "reference": reference, "block": block}[kind], **GUARDED)


def try_law(function: Callable[..., Any], *, y: int, q: np.ndarray, z: np.ndarray) -> None:
    """Call a law once in plain Python on arrays of the sizes it will be given, and refuse one that goes beyond them.

    function: law(t, y, r, q, z, u); y: how many numbers the law is shown; q, z: its parameters and memory. Raises
    InputError: naming the law and the sizes. What else it may raise on made-up numbers is left to the run.
    """
    _try_law(function, y, q.tobytes(), z.tobytes())


@lru_cache(maxsize=64)
def _try_law(function: Callable[..., Any], y: int, q: bytes, z: bytes) -> None:
    """The same; of the numbers their bytes."""
    seen, r = np.zeros(y), np.zeros(REFERENCE.size)
    seen[SEEN.attitude] = r[REFERENCE.attitude] = 1.0
    own = [np.frombuffer(each).copy() for each in (q, z)]
    sizes = f"y has {y} numbers here, r {r.size}, q (parameters) {own[0].size}, z (memory) {own[1].size}, u 3"
    _try(f"law {getattr(function, '__name__', '')!r}", function, seen, r, *own, np.zeros(3), sizes=sizes)


def try_block(name: str, function: Callable[..., Any], *, y: int, q: np.ndarray, z: np.ndarray, v: int) -> None:
    """The same of a block(t, y, q, z, v)."""
    sizes = f"y has {y} numbers here, q (parameters) {q.size}, z (memory) {z.size}, v {v}"
    _try(f"block {name!r}", function, np.zeros(y), q.copy(), z.copy(), np.zeros(v), sizes=sizes)


def _try(who: str, function: Callable[..., Any], *arrays: np.ndarray, sizes: str) -> None:
    try:
        with np.errstate(all="ignore"):
            function(0.0, *arrays)
    except IndexError as error:
        raise InputError(f"the {who} goes beyond its arrays ({error}): {sizes}") from error
    except Exception:  # noqa: BLE001 # a function of the user's own may raise anything; the run will tell
        pass
