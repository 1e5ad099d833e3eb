"""The variants of the engine's library that are built for a machine, and the one that its processor runs fastest."""

import platform
import sys
from functools import cache
from pathlib import Path

__all__ = ["VARIANTS", "best_variant", "library_name", "machine", "runs_here"]

WIDE_FLAGS = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "fma"}
"""Features of a processor of level x86-64-v4 (System V psABI), as Linux names them."""

VARIANTS: dict[str, dict[str, tuple[str, ...]]] = {
    # The first is named, since a compiler may be set to a newer processor. gcc fuses products with sums in vectorised
    # code in spite of -ffp-contract=off where the processor can.
    "x86_64": {
        "baseline": ("-march=x86-64",),
        "v4": ("-march=x86-64-v4", "-fno-tree-vectorize", "-fno-tree-slp-vectorize"),
    },
}
"""Compiler options for each variant of a processor family; every other family has only "baseline"."""


def machine() -> str:
    """Return the kind of processor of this machine, such as "x86_64" or "aarch64"."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def library_name(variant: str) -> str:
    """Return the file name of a variant on this machine."""
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    return f"engine-{machine()}-{variant}{suffix}"


@cache
def best_variant() -> str:
    """Return the variant for this processor: "v4" where Linux lists all that it needs, else "baseline"."""
    if machine() != "x86_64" or not sys.platform.startswith("linux"):
        return "baseline"
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return "baseline"
    flags = next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), set[str]())
    return "v4" if flags >= WIDE_FLAGS else "baseline"


def runs_here(variant: str) -> bool:
    """Return whether the processor of this machine can run a variant: "baseline", or the best one."""
    return variant in {"baseline", best_variant()}
