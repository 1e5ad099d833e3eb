"""Variants of the engine's library for a machine, and the choice of the fastest one for its processor."""

import platform
import sys
from functools import cache
from pathlib import Path

LEVEL_3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
LEVEL_4 = LEVEL_3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
"""Processor features of the levels x86-64-v3 and x86-64-v4 (System V psABI), as named by Linux."""

_SCALAR = ("-fno-tree-vectorize", "-fno-tree-slp-vectorize")

VARIANTS: dict[str, dict[str, tuple[str, ...]]] = {
    # The baseline is stated explicitly, since a compiler's default may be a newer processor. On processors with FMA
    # instructions gcc fuses products with sums in vectorised code in spite of -ffp-contract=off. With AVX2 alone, -O3
    # is 0 to 18 % faster than -O2 (tests/benchmarks/README.md).
    "x86_64": {
        "baseline": ("-march=x86-64",),
        "v3": ("-O3", "-march=x86-64-v3", "-mno-fma", *_SCALAR),
        "v4": ("-march=x86-64-v4", *_SCALAR),
    },
}
"""Compiler options for each variant, by processor family; families not listed have only "baseline"."""


def machine() -> str:
    """Return the processor family of this machine, such as "x86_64" or "aarch64"."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def library_name(variant: str) -> str:
    """Return the file name of a variant on this machine."""
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    return f"engine-{machine()}-{variant}{suffix}"


def tangents_of(variant: str) -> str:
    """Return the name of the variant with tangents, compiled with the processor options of a given variant."""
    return f"tangents-{variant}"


def best_variant() -> str:
    """Return the variant that the processor of this machine runs fastest."""
    return runnable_variants()[0]


@cache
def runnable_variants() -> tuple[str, ...]:
    """Return the variants that the processor of this machine can run, the fastest first.

    Variants other than "baseline" are offered on Linux only, according to the processor features that it lists.
    """
    if machine() != "x86_64" or not sys.platform.startswith("linux"):
        return ("baseline",)
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ("baseline",)
    flags = next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), set[str]())
    levels = {"v4": LEVEL_4, "v3": LEVEL_3}
    return (*(variant for variant, level in levels.items() if flags >= level), "baseline")


def runs_here(variant: str) -> bool:
    """Return whether the processor of this machine can run a variant."""
    return variant in runnable_variants()
