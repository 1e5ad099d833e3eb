"""The part of the engine's library that simulates several runs simultaneously in vector registers."""

from collections.abc import Callable, Sequence
from typing import Any

from ...plant.kernels.kernel import LANES
from ..engine.element_pack_loop import (
    advance_element_packs,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ..engine.pack_loop import advance_packs  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from .c99.kinds import INTEGER, REAL, SIMD_MASK, SIMD_REAL, Array, Pointer
from .c99.pointer_calls import export_text
from .c99.pointers import SIGNATURES
from .c99.program import Program
from .c99.simd_types import AVX2, WIDTH
from .c99.sources import parameters_of
from .library import simd_symbol_of

_WIDTH = """\
{visible} integer polhode_simd_width(void) /* 0 where the processor does not have the instructions */
{{
#ifdef {avx2}
    unsigned int a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) {{
        return 0;
    }}
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2)) {{
        return 0;
    }}
#endif
    return {width};
}}"""


def simd_text(program: Program, kernels: Sequence[tuple[str, Callable[..., Any]]], *, visible: str) -> str:
    """Return the exported entries of the SIMD part, and add its functions to the program.

    kernels: the exported kernels by signature, including laws, elements and blocks that are marked for vectors.
    visible: attribute that exports a function from the library.
    """
    for kind in (SIMD_REAL, SIMD_MASK):
        program.type_name(kind)
    law, reference = Pointer("simd_law"), Pointer("reference")
    exports: list[str] = []
    for signature, kernel in kernels:
        if signature in {"law", "element", "block"} and kernel in LANES:
            of_vectors = f"simd_{signature}"
            function = program.function(kernel, tuple(SIGNATURES[of_vectors].arguments.values()))
            exports.append(export_text(of_vectors, function, simd_symbol_of(kernel), visible=visible))
    exports.append(_WIDTH.format(visible=visible, width=WIDTH, avx2=AVX2))
    exports.append(_entry(program, "packs_entry", advance_packs, (law, reference), visible=visible))
    functions = (law, reference, Pointer("user"))
    exports.append(_entry(program, "element_packs_entry", advance_element_packs, functions, visible=visible))
    return "\n\n".join([f"#ifdef {WIDTH}", *exports, "#endif"])


def _entry(program: Program, name: str, loop: Callable[..., Any], functions: Sequence[Pointer], *, visible: str) -> str:
    """Return the entry of a pack loop; its table holds addresses of functions, then of arrays with sizes."""
    rows = {"tables": Array(INTEGER, 2), "kernels": Array(REAL, 1), "wheels": Array(INTEGER, 1),
            "work": Array(REAL, 1), "codes": Array(INTEGER, 1)}  # fmt: skip
    arrays = [rows[name] for name in parameters_of(loop)[len(functions) :]]
    function = program.function(loop, (*functions, *arrays))
    arguments: list[str] = []
    place = 0
    for parameter, kind in zip(function.parameters, function.kinds, strict=True):
        if isinstance(kind, Pointer):
            arguments.append(f"({program.type_name(kind)})t[{place}]")
            place += 1
            continue
        assert isinstance(kind, Array)  # noqa: S101 # the others are addresses
        arguments.append(f"({program.type_name(kind.item)} *)t[{place}]")
        arguments += [f"t[{place + 1 + n}]" for n in range(kind.dimensions) if (parameter, n) in function.needs]
        place += 1 + kind.dimensions
    call = f"    {function.name}({', '.join(arguments)});"
    return f"{visible} integer polhode_{name}(integer *t)\n{{\n{call}\n    return 0;\n}}"
