"""Vector types in C, and the macros that state their width on the target processor."""

from .kinds import SIMD_MASK, SIMD_REAL

WIDTH = "POLHODE_SIMD_WIDTH"
"""Macro for the number of runs in a vector; undefined if the compiler has no vector types."""

TARGET = "POLHODE_SIMD_TARGET"
"""Macro for the attribute of every vector function, which enables additional instruction sets."""

AVX2 = "POLHODE_SIMD_AVX2"
"""Macro that is defined if the program must check at run time whether the processor has AVX2."""

NEEDS_AVX2 = '__attribute__((target("avx2")))'
"""Attribute for libraries that run on every x86-64 processor: AVX2 without FMA instructions."""

CASES = (
    ("#if defined(__AVX512F__)", 8, ""),
    ("#elif defined(__AVX__)", 4, ""),
    ("#elif defined(__x86_64__)", 4, NEEDS_AVX2),
    ("#else", 2, ""),
)
"""Vector width and function attributes, by the instruction set available to the compiler."""


def _macros() -> str:
    lines = ["#if defined(__GNUC__) && !defined(__TINYC__) && !defined(POLHODE_TANGENTS)"]
    for condition, width, needs in CASES:
        every = range(width)
        lines += [
            condition,
            f"#define {WIDTH} {width}",
            f"#define {TARGET} {needs}".rstrip(),
            f"#define POLHODE_SIMD_OF(a) {{{', '.join('a' for _ in every)}}}",
            f"#define POLHODE_SIMD_AND(a) ({' & '.join(f'(a)[{n}]' for n in every)})",
        ]
        lines += [f"#define {AVX2}", "#include <cpuid.h>"] if needs else []
    return "\n".join([*lines, "#endif", "#endif"]) + "\n"


HEAD = _macros()

SIMD_TYPES = {
    SIMD_REAL.name: f"typedef double simd_real __attribute__((vector_size(8 * {WIDTH})));",
    SIMD_MASK.name: f"typedef long long simd_mask __attribute__((vector_size(8 * {WIDTH})));",
}
