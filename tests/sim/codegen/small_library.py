"""A small C text in place of the engine, with the probe that every library contains."""

from __future__ import annotations

from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.library_text import HEAD, probe_entry


def small_text(name: str) -> str:
    """A library with the probe of contracted products and one function in place of the engine."""
    program = Program("polhode", whole_records=True)
    entry = probe_entry(program)
    return f"{HEAD}\n{program.text()}\n{entry}\nint polhode_{name}(void) {{ return 1; }}\n"
