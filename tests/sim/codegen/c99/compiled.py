"""Functions of a translated program, compiled and callable from Python with numbers and arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polhode.sim.codegen.c99.kinds import REAL, Array, Kind, Nothing, Scalar, Several
from polhode.sim.codegen.c99.program import Function, Program
from polhode.sim.codegen.c99.simd_types import HEAD as SIMD_HEAD
from polhode.sim.codegen.c99.values import Value
from polhode.sim.codegen.library_text import HEAD as LIBRARY_HEAD
from polhode.sim.codegen.toolchain import build

HEAD = f"#include <stddef.h>\n{LIBRARY_HEAD}{SIMD_HEAD}"


def flat(kind: Kind, code: str) -> list[str]:
    """Results as single numbers."""
    if isinstance(kind, Scalar):
        return [code]
    assert isinstance(kind, Several)
    return [
        text
        for n, each in enumerate(kind.items)
        for text in flat(each, f"{code}.a[{n}]" if kind.alike else f"{code}.f{n}")
    ]


def wrapper(function: Function, n: int) -> str:
    """A function with a fixed signature: numbers, arrays, extents, results."""
    values: list[Value] = []
    numbers = arrays = extents = 0
    for kind in function.kinds:
        if isinstance(kind, Array):
            sizes = tuple((lambda k=extents + m: f"(integer)extents[{k}]") for m in range(kind.dimensions))
            values.append(
                Value(kind, f"({kind.item.name.replace('_number', '_number')} *)arrays[{arrays}]", extents=sizes)
            )
            arrays, extents = arrays + 1, extents + kind.dimensions
        elif isinstance(kind, Scalar):
            values.append(Value(kind, f"({kind.name})numbers[{numbers}]"))
            numbers += 1
        else:
            values.append(Value(kind))
    call = function.call(values)
    head = f"void call_{n}(const double *numbers, void **arrays, const long long *extents, double *out)"
    if isinstance(function.result, Nothing):
        return f"{head}\n{{\n    {call};\n}}\n"
    texts = flat(function.result, "found")
    lines = "\n".join(f"    out[{k}] = (double){text};" for k, text in enumerate(texts))
    name = function.result.name if isinstance(function.result, Scalar | Several) else ""
    return f"{head}\n{{\n    const {name} found = {call};\n{lines}\n}}\n"


def compiled(program: Program, functions: Sequence[Function], folder: Path, *options: str) -> list[Callable[..., Any]]:
    """Compile a program; call(*arguments) of each returns its results as floats and modifies arrays in place."""
    wrappers = [wrapper(function, n) for n, function in enumerate(functions)]
    source, library = folder / "program.c", folder / "program.so"
    source.write_text(HEAD + program.text() + "\n" + "\n".join(wrappers), encoding="ascii")
    build([source], library, options=(*(options or ("-O0",)), "-shared", "-fPIC"))
    loaded = ctypes.CDLL(str(library))
    return [_call(getattr(loaded, f"call_{n}"), function) for n, function in enumerate(functions)]


def _call(entry: Any, function: Function) -> Callable[..., Any]:
    def call(*arguments: Any) -> list[float]:
        numbers = [
            float(each) for each, kind in zip(arguments, function.kinds, strict=True) if isinstance(kind, Scalar)
        ]
        held = [each for each, kind in zip(arguments, function.kinds, strict=True) if isinstance(kind, Array)]
        for each, kind in zip(held, (kind for kind in function.kinds if isinstance(kind, Array)), strict=True):
            assert each.flags.c_contiguous
            assert each.ndim == kind.dimensions
            assert kind.item != REAL or each.dtype == np.float64
        out = np.zeros(32)
        pointers = (ctypes.c_void_p * max(len(held), 1))(*(each.ctypes.data for each in held))
        sizes = np.array([size for each in held for size in each.shape] or [0], np.int64)
        entry(
            np.array(numbers or [0.0]).ctypes.data_as(ctypes.c_void_p),
            pointers,
            sizes.ctypes.data_as(ctypes.c_void_p),
            out.ctypes.data_as(ctypes.c_void_p),
        )
        return out.tolist()

    return call
