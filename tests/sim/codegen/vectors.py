"""A kernel on one run in plain Python, and on several runs in vectors of C: equal results in the lanes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from polhode.sim.codegen.c99.kinds import FLAG, INTEGER, REAL, SIMD_MASK, SIMD_REAL, Array, Kind, Scalar, Several
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.c99.simd_types import HEAD as SIMD_HEAD
from polhode.sim.codegen.c99.simd_types import TARGET, WIDTH
from polhode.sim.codegen.c99.values import Value
from polhode.sim.codegen.library_build import OPTIONS
from polhode.sim.codegen.library_text import HEAD
from polhode.sim.codegen.library_variants import VARIANTS, best_variant, machine
from polhode.sim.codegen.simd_calls import replaced_by_vectors
from polhode.sim.codegen.toolchain import build
from polhode.sim.engine.packs import LANES

from .c99.compiled import flat

__all__ = ["LANES", "ROOM", "in_vectors", "one_by_one"]

ROOM = 94
"""Numbers of a row whose length does not matter."""


def flattened(found: Any) -> list[float]:
    if found is None:
        return []
    return [float(each) for each in found] if isinstance(found, tuple) else [float(found)]


def one_by_one(kernel: Callable[..., Any], given: list[Any]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Result of each lane, (lanes, n), and its rows afterwards, each (lanes, size).

    given: a row or a number for each lane, or a value common to all.
    """
    told, rows = [], [np.array(each) for each in given if np.ndim(each) == 2]
    for lane in range(LANES):
        here = iter(rows)
        own = [next(here)[lane] if np.ndim(v) == 2 else float(v[lane]) if np.ndim(v) == 1 else v for v in given]
        with np.errstate(all="ignore"):
            told.append(flattened(kernel(*own)))
    return np.array(told), rows


def in_vectors(
    kernel: Callable[..., Any], kinds: tuple[Kind, ...], given: list[Any], *, variant: str = ""
) -> tuple[np.ndarray, list[np.ndarray]]:
    """The same in vectors, compiled like a variant of the library: that of this processor if none is named."""
    program = Program("vectors", replaced=replaced_by_vectors(), whole_records=True)
    values: list[Value] = []
    columns: list[np.ndarray] = []
    integers: list[int] = []
    rows: list[slice] = []
    at = 0
    for kind, value in zip(kinds, given, strict=True):
        if kind in (INTEGER, FLAG):
            values.append(Value(kind, f"integers[{len(integers)}]" + (" != 0" if kind == FLAG else "")))
            integers.append(int(value))
        elif np.ndim(value) == 0:
            values.append(Value(REAL, repr(float(value))))
        else:
            table = np.reshape(value, (LANES, -1))
            size = table.shape[1]
            if kind == REAL:
                values.append(Value(SIMD_REAL, f"vectors[{at}]"))
            else:
                values.append(Value(Array(SIMD_REAL, 1), f"(vectors + {at})", extents=(lambda n=size: str(n),)))
                rows.append(slice(at, at + size))
            columns.append(table)
            at += size
    function = program.function(kernel, [each.kind for each in values])
    lines, results = [f"    {function.call(values)};"], 0
    if isinstance(function.result, Scalar | Several):
        lines = [f"    const {program.type_name(function.result)} found = {function.call(values)};"]
        for text, kind in zip(flat(function.result, "found"), scalars(function.result), strict=True):
            of = text if kind == SIMD_REAL else f"zero + (double){text}"
            lines.append(f"    vectors[{at + results}] = {of};")
            results += 1
    for kind in (SIMD_REAL, SIMD_MASK):
        program.type_name(kind)
    whole = "\n".join(
        [HEAD + SIMD_HEAD, program.text(), f"POLHODE_API integer width(void) {{ return {WIDTH}; }}",
         f"{TARGET} POLHODE_API void run(simd_real *vectors, const integer *integers)", "{",
         "    const simd_real zero = POLHODE_SIMD_OF(-0.0);", "    (void)zero;", *lines, "}", ""]
    )  # fmt: skip
    options = VARIANTS.get(machine(), {"baseline": ()})[variant or best_variant()]
    with TemporaryDirectory() as folder:
        source, library = Path(folder, "vectors.c"), Path(folder, "vectors.so")
        source.write_text(whole, encoding="ascii")
        build([source], library, options=(*OPTIONS, *options))
        made = ctypes.CDLL(str(library))
    table = np.concatenate([*columns, np.zeros((LANES, results))], axis=1)
    numbers = np.array([*integers, 0], dtype=np.int64)
    width = made.width()
    for first in range(0, LANES, width):
        part = table[first : first + width]
        room = np.zeros(part.size + LANES)
        space = room[-room.ctypes.data // 8 % LANES :][: part.size]  # aligned as a vector is
        space[:] = part.T.ravel()
        made.run(ctypes.c_void_p(space.ctypes.data), ctypes.c_void_p(numbers.ctypes.data))
        part[:] = space.reshape(-1, width).T
    return table[:, at:], [table[:, each] for each in rows]


def scalars(kind: Kind) -> list[Kind]:
    """Types of the numbers of a result, one by one."""
    return [each for item in kind.items for each in scalars(item)] if isinstance(kind, Several) else [kind]
