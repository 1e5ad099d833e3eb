"""A kernel on one run, in plain Python, and on several, compiled: with the same numbers in its lanes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.ccallback import CFunc

from polhode.sim.codegen.c99.kinds import FLAG, INTEGER, REAL, Kind
from polhode.sim.machine import compiler, packs

__all__ = ["LANES", "in_packs", "one_by_one"]

LANES = packs.LANES
ROOM = 40
"""Numbers of a row whose length does not matter."""


def flattened(found: Any) -> list[float]:
    if found is None:
        return []
    return [float(each) for each in found] if isinstance(found, tuple) else [float(found)]


def one_by_one(kernel: Callable[..., Any], given: list[Any]) -> tuple[np.ndarray, list[np.ndarray]]:
    """What each lane returns, (lanes, n), and its rows afterwards, each (lanes, size).

    given: a row or a number of each lane, or what all have alike.
    """
    told, rows = [], [np.array(each) for each in given if np.ndim(each) == 2]
    for lane in range(LANES):
        here = iter(rows)
        own = [next(here)[lane] if np.ndim(v) == 2 else float(v[lane]) if np.ndim(v) == 1 else v for v in given]
        with np.errstate(all="ignore"):
            told.append(flattened(kernel(*own)))
    return np.array(told), rows


def in_packs(kernel: Callable[..., Any], kinds: tuple[Kind, ...], given: list[Any], results: int):
    """The same in packs."""
    lines, arguments, at, places = ["def whole(work, integers):"], [], 0, []
    integers: list[int] = []
    for n, (kind, value) in enumerate(zip(kinds, given, strict=True)):
        if kind in (INTEGER, FLAG):
            arguments.append(f"integers[{len(integers)}]" + (" != 0" if kind == FLAG else ""))
            integers.append(int(value))
            continue
        if np.ndim(value) == 0:
            arguments.append(repr(float(value)))
            continue
        size = 1 if kind == REAL else value.shape[1]
        lines.append(f"    a{n} = pack_row(work, {at}, {size})")
        arguments.append(f"a{n}[0]" if kind == REAL else f"a{n}")
        places.append((at, np.reshape(value, (LANES, size)), kind == REAL))
        at += size
    lines.append(f"    told = pack_row(work, {at}, {results})")
    lines.append(f"    found = kernel({', '.join(arguments)})")
    lines += (
        [f"    told[{k}] = found[{k}]" for k in range(results)] if results > 1 else ["    told[0] = found"] * results
    )
    names = {"kernel": kernel, "pack_row": packs.pack_row}
    exec("\n".join([*lines, "    return 0"]), names)  # of names of kernels
    signature = (types.int64(types.float64[::1], types.int64[::1]),)
    work = np.zeros((at + results) * LANES)
    for first, value, _ in places:
        work[LANES * first : LANES * (first + value.shape[1])] = value.T.ravel()
    call(names["whole"], signature, work, np.array([*integers, 0], dtype=np.int64))
    table = work.reshape(-1, LANES).T
    rows = [table[:, first : first + value.shape[1]] for first, value, plain in places if not plain]
    return table[:, at:], rows


def call(function: Callable[..., Any], signature: Any, *arrays: np.ndarray) -> None:
    """Call a function that is compiled as the kernels of the engine are."""
    from polhode.sim.machine.entry import counts_at, row_at

    body = function
    import numba

    inner = numba.extending.register_jitable(**compiler.OPTIONS)(body)

    def entry(t):
        return inner(row_at(t, 0), counts_at(t, 2))

    compiler._register_kernels()  # as the engine does
    with compiler._at_once():
        made = CFunc(entry, ((types.CPointer(types.int64),), types.int64), locals={}, options=compiler.OPTIONS)
        made.compile()
    table = compiler.table_of((), arrays)
    ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(made.address)(table.ctypes.data)
