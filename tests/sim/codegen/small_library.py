"""A small C text in place of the engine's, with the probe that every library has."""

from __future__ import annotations

from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.library_text import HEAD, probe_entry


def small_text(name: str) -> str:
    """A library with the probe of fused products and one function of its own instead of the engine."""
    program = Program("polhode", whole_records=True)
    entry = probe_entry(program)
    return f"{HEAD}\n{program.text()}\n{entry}\nint polhode_{name}(void) {{ return 1; }}\n"
