"""The C text of the engine's library: its entry functions, and every kernel that is called by address."""

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ...controllers.contracts.kernel_call import call_law, call_reference
from ...plant.formulations.registry import FORMULATIONS
from ...plant.hub.element_calls import call_element  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...plant.kernels.kernel import KERNELS
from ..engine.advance import advance
from ..engine.blocks import call_block  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ..engine.constant_mass_rows import VelocityRows, velocity_rows
from ..engine.extremes import spread_rows
from ..engine.loop_arrays import LoopArrays, Rows, SpreadArrays
from ..engine.observe import observe, start_rates
from ..engine.passive import passive  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ..engine.replay import BlockRows, replay_rows
from ..engine.steppers.elliptic import elliptic_step
from ..engine.steppers.implicit import implicit_step
from ..engine.steppers.implicit_layout import CODE, META, USER_CODE
from ..engine.steppers.own_step import call_step  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from .c99.kinds import FLAG, INTEGER, NOTHING, REAL, Array, Kind, Pointer, Record
from .c99.pointer_calls import call_pointer, export_text, pointer_at
from .c99.pointers import SIGNATURES, VECTORS
from .c99.program import Program, Replacement
from .c99.simd_types import HEAD as SIMD_HEAD
from .c99.sources import parameters_of
from .c99.values import UNARY, Value, operand
from .fusion_check import SYMBOL
from .fusion_kernel import complex_products, fusion_probe
from .library import symbol_of
from .simd_calls import replaced_by_vectors
from .simd_text import simd_text

MARK = re.compile(r"^@kernel\b", re.MULTILINE)

VISIBLE = "POLHODE_API"

EXPORT = re.compile(rf"^{VISIBLE}\b[^(]*?\b(polhode_\w+)\(", re.MULTILINE)

TANGENTS = "POLHODE_TANGENTS"
"""Macro that is defined if the text is compiled as C++ with dual numbers in place of doubles.

The compiler then decides which kernels are inlined, and the vector code is omitted.
"""

HEAD = f"""\
#include <math.h>
#ifdef __cplusplus
#define POLHODE_C extern "C"
#else
#define POLHODE_C
#endif
#if defined(_WIN32)
#define POLHODE_API POLHODE_C __declspec(dllexport)
#elif defined(__GNUC__)
#define POLHODE_API POLHODE_C __attribute__((visibility("default")))
#else
#define POLHODE_API POLHODE_C
#endif
#ifndef {TANGENTS}
#define POLHODE_PASSIVE(value) (value)
#endif
#if defined(__GNUC__) && !defined({TANGENTS})
#define POLHODE_INLINE inline __attribute__((always_inline))
#else
#define POLHODE_INLINE inline
#endif
"""

DUAL_NUMBER = "dual_number.hpp"
"""C++ header with the dual number, beside this file; a text that is compiled with `TANGENTS` includes it."""

REAL_TYPE = "typedef double real;"

REAL_OR_DUAL = f"""\
#ifdef {TANGENTS}
#include "{DUAL_NUMBER}"
#else
{REAL_TYPE}
#endif"""
"""Definition of `real`, by the way in which a text is compiled."""

ROOMS = ("plant", "controllers", "sim")

ARGUMENTS: dict[tuple[str, ...], str] = {
    ("t", "y", "r", "q", "z", "u"): "law",
    ("t", "y", "q", "z", "v"): "block",
    ("t", "q", "r"): "reference",
    ("t", "x", "p", "dx", "w"): "user",
    ("phase", "t", "x", "u", "p", "row", "w"): "element",
    ("phase", "t", "x", "dx", "p", "row", "w"): "element",
}
"""Signatures of the kernels that are called by address, with the names of their arguments."""

_CALLS: dict[Callable[..., Any], str] = {
    call_element: "element",
    call_block: "block",
    call_law: "law",
    call_reference: "reference",
}


def exported_kernels() -> list[tuple[str, Callable[..., Any]]]:
    """Return every kernel of polhode that is called by address, each with its signature.

    Imports the modules of plant, controllers and sim that define kernels; these modules need only NumPy.
    """
    for room in ROOMS:
        package = import_module(f"polhode.{room}")
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            if MARK.search(path.read_text(encoding="utf-8")):
                import_module(".".join((package.__name__, *path.relative_to(folder).with_suffix("").parts)))
    views = [each.view for each in FORMULATIONS.values()]
    ours = [kernel for kernel in (*KERNELS, *views) if kernel.__module__.startswith("polhode.")]
    found = ((ARGUMENTS.get(parameters_of(kernel)), kernel) for kernel in ours)
    named = [(signature, kernel) for signature, kernel in found if signature is not None]
    return sorted(named, key=lambda each: symbol_of(each[1]))  # independent of the import order


def exported_names(text: str) -> list[str]:
    """Return the names of the functions that a library text exports, in the order of the text."""
    return EXPORT.findall(text)


def replaced_by_pointers() -> dict[Callable[..., Any], Replacement]:
    """Return replacements for kernel calls.

    Calls by number are calls by address in compiled code; `passive` removes tangents.
    """

    def through(signature: str) -> Replacement:
        def write(scope: Any, arguments: Sequence[Value]) -> Value:
            of_vectors = any(value.kind == VECTORS for value in arguments)
            kind = f"simd_{signature}" if of_vectors else signature
            callee = pointer_at(scope.program, kind, arguments[0])
            call_pointer(scope, Pointer(kind), callee, arguments[1:])
            return Value(NOTHING, "")

        return write

    def step(scope: Any, arguments: Sequence[Value]) -> Value:
        _, _, t, h, x, u, p, w, y, within, of, table = arguments
        code = Value(REAL, f"{operand(table, UNARY)}[{META} * {table.extents[1]()} + {CODE}]")
        whole = Value(INTEGER, f"(integer)({within.code})", UNARY, within.reads)
        callee = pointer_at(scope.program, "step", code)
        text = call_pointer(scope, Pointer("step"), callee, [t, h, x, u, p, w, y, whole, of, table])
        return scope.keep(Value(REAL, text), acts=True)

    def without_tangents(_: Any, arguments: Sequence[Value]) -> Value:
        (value,) = arguments
        return Value(REAL, f"POLHODE_PASSIVE({value.code})", UNARY, value.reads)

    by_address = {function: through(signature) for function, signature in _CALLS.items()}
    return {**by_address, call_step: step, passive: without_tangents}


def library_text(*, simd: bool = True) -> str:
    """Return the C text of the whole library.

    simd: whether to include the loops that simulate several runs simultaneously in vector registers.
    """
    kernels = exported_kernels()
    program = Program("polhode", replaced=replaced_by_pointers() | replaced_by_vectors(), whole_records=True)
    exports: list[str] = []
    for signature, kernel in kernels:
        kinds = tuple(SIGNATURES[signature].arguments.values())
        exports.append(export_text(signature, program.function(kernel, kinds), symbol_of(kernel), visible=VISIBLE))
    exports += [*_entries(program), probe_entry(program)]
    exports.append(_addresses([name for text in exports for name in exported_names(text)]))
    if simd:
        exports.append(simd_text(program, kernels, visible=VISIBLE))
    whole = "\n\n".join([HEAD + SIMD_HEAD * simd, program.text(), *exports]) + "\n"
    return whole.replace(REAL_TYPE, REAL_OR_DUAL, 1)


def _addresses(names: Sequence[str]) -> str:
    """Return the function that writes the addresses of all exported functions, in the order of the text.

    Libraries compiled from the same text list the same functions at the same places.
    """
    lines = [f"        t[{n}] = (integer){name};" for n, name in enumerate(names)]
    body = "\n".join(["    if (t) {", *lines, "    }", f"    return {len(names)};"])
    width = f"{VISIBLE} integer polhode_real_width(void)\n{{\n    return (integer)(sizeof(real) / sizeof(double));\n}}"
    every = f"{VISIBLE} integer polhode_addresses_entry(integer *t) /* t = 0: only their number */\n{{\n{body}\n}}"
    return f"{width}\n\n{every}"


def probe_entry(program: Program) -> str:
    """Return the C text of the function that detects FMA contraction, and add its kernels to the program."""
    kinds = (INTEGER, Array(REAL, 1), Array(REAL, 1))
    names = [program.function(kernel, kinds).name for kernel in (fusion_probe, complex_products)]
    calls = "".join(f"    {name}(n, x, y);\n" for name in names)
    return f"{VISIBLE} void {SYMBOL}(integer n, const real *x, real *y)\n{{\n{calls}}}"


def _entries(program: Program) -> list[str]:
    """Return the functions that take the engine's address table."""
    law, reference, user = Pointer("law"), Pointer("reference"), Pointer("user")
    records = (LoopArrays, Rows, BlockRows, SpreadArrays, VelocityRows)
    bundle, rows, block_rows, spread_arrays, velocity_arrays = map(Record, records)
    go = program.function(advance, (law, reference, user, bundle)).name
    see = program.function(observe, (reference, user, rows)).name
    begin = program.function(start_rates, (user, rows)).name
    replay = program.function(replay_rows, (REAL, block_rows)).name
    spread = program.function(spread_rows, (spread_arrays,)).name
    velocities = program.function(velocity_rows, (velocity_arrays,)).name
    types = {made_of: program.record_type(made_of) for made_of in records}
    casts = {each.signature: program.type_name(each) for each in (law, reference, user)}
    table = "integer *t"
    made = [
        _entry("advance_entry", table, f"return {go}(({casts['law']})t[0], ({casts['reference']})t[1], "
               f"({casts['user']})t[2], (const {types[LoopArrays]} *)(t + 3));"),
        _entry("observe_entry", table, f"{see}(({casts['reference']})t[0], ({casts['user']})t[1], "
               f"(const {types[Rows]} *)(t + 2));\n    return 0;"),
        _entry("start_entry", table, f"{begin}(({casts['user']})t[1], (const {types[Rows]} *)(t + 2));\n    return 0;"),
        _entry("spread_entry", table, f"{spread}((const {types[SpreadArrays]} *)t);\n    return 0;"),
        _entry("velocity_entry", table, f"{velocities}((const {types[VelocityRows]} *)t);\n    return 0;"),
        _entry("replay_entry", table, f"{replay}((real)t[0], (const {types[BlockRows]} *)(t + 1));\n    return 0;"),
        _entry("many_entry", table, """\
integer (*entry)(integer *) = (integer (*)(integer *))t[0];
    for (integer n = 0; n < t[5]; n++) {
        ((integer *)t[4])[n] = entry((integer *)t[1] + n * t[3]);
    }
    return 0;"""),
    ]  # fmt: skip
    step = SIGNATURES["step"]
    real_kinds: dict[str, Kind] = dict(step.arguments)
    of_step = program.function(
        implicit_step,
        (*(real_kinds[name] for name in ("t", "h", "x", "u", "p")), user, *(real_kinds[name] for name in ("w", "y")),
         FLAG, REAL, real_kinds["table"]),
    )  # fmt: skip
    exact = program.function(elliptic_step, tuple(real_kinds[name] for name in ("t", "h", "x", "p", "y", "table")))
    made += [
        _step(
            "implicit_entry", step, of_step, f"({casts['user']})(integer)table[{META} * table_columns + {USER_CODE}]"
        ),
        _step("elliptic_entry", step, exact, ""),
    ]
    return made


def _entry(name: str, parameters: str, body: str) -> str:
    return f"{VISIBLE} integer polhode_{name}({parameters})\n{{\n    {body}\n}}"


def _step(name: str, step: Any, function: Any, user: str) -> str:
    """Return a step as a separate function; `user` is the argument of the user-defined loads."""
    values: list[Value] = []
    for parameter, kind in zip(function.parameters, function.kinds, strict=True):
        called = "table" if parameter == "implicit" else parameter
        if isinstance(kind, Pointer):
            values.append(Value(kind, user))
            continue
        if kind == FLAG:
            called = f"{called} != 0"
        dimensions = getattr(kind, "dimensions", 0)
        sizes = {0: (), 1: ("size",), 2: ("rows", "columns")}[dimensions]
        values.append(Value(kind, called, extents=tuple((lambda text=f"{called}_{size}": text) for size in sizes)))
    return f"{VISIBLE} real polhode_{name}({step.parameters()})\n{{\n    return {function.call(values)};\n}}"
