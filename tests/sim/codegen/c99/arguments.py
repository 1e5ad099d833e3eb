"""Types of the arguments of kernels, and every kernel of the tree written as C."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

from polhode.controllers.contracts.kernel_call import call_law, call_reference
from polhode.plant.formulations.registry import FORMULATIONS
from polhode.plant.hub.dynamics import no_user_loads
from polhode.plant.hub.element_calls import call_element
from polhode.plant.kernels.kernel import KERNELS
from polhode.sim.codegen.c99.kinds import (
    COMPLEX,
    FLAG,
    INTEGER,
    NOTHING,
    REAL,
    Array,
    Bound,
    Kind,
    Pointer,
    Record,
    Several,
)
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.c99.sources import parameters_of
from polhode.sim.codegen.c99.values import Value
from polhode.sim.codegen.simd_calls import replaced_by_vectors
from polhode.sim.engine.blocks import call_block
from polhode.sim.engine.constant_mass_rows import VelocityRows
from polhode.sim.engine.law import no_law
from polhode.sim.engine.loop_arrays import LoopArrays, Rows, SpreadArrays
from polhode.sim.engine.replay import BlockRows
from polhode.sim.engine.steppers.own_step import call_step

ROW, TABLE, COMPLEX_TABLE = Array(REAL, 1), Array(REAL, 2), Array(COMPLEX, 2)

REPLACED = {
    call_element: lambda scope, arguments: Value(NOTHING, ""),
    call_block: lambda scope, arguments: Value(NOTHING, ""),
    call_law: lambda scope, arguments: Value(NOTHING, ""),
    call_reference: lambda scope, arguments: Value(NOTHING, ""),
    call_step: lambda scope, arguments: Value(REAL, "0.0"),
    **replaced_by_vectors(),
}


def _reference(t, q, r):
    r[0] = q[0] + t


SIGNATURES: dict[tuple[str, ...], tuple[Kind, ...]] = {
    ("t", "y", "r", "q", "z", "u"): (REAL, ROW, ROW, ROW, ROW, ROW),
    ("t", "y", "q", "z", "v"): (REAL, ROW, ROW, ROW, ROW),
    ("t", "q", "r"): (REAL, ROW, ROW),
    ("t", "x", "p", "dx", "w"): (REAL, ROW, ROW, ROW, ROW),
    ("phase", "t", "x", "u", "p", "row", "w"): (INTEGER, REAL, ROW, ROW, ROW, INTEGER, ROW),
    ("phase", "t", "x", "dx", "p", "row", "w"): (INTEGER, REAL, ROW, ROW, ROW, INTEGER, ROW),
    ("t", "h", "x", "u", "p", "user", "w", "y", "within", "of", "implicit"): (
        *(REAL, REAL, ROW, ROW, ROW, Bound(no_user_loads), ROW, ROW, FLAG, REAL, TABLE),
    ),
    ("law", "reference", "user", "b"): (Bound(no_law), Bound(_reference), Bound(no_user_loads), Record(LoopArrays)),
    ("reference", "user", "b"): (Bound(_reference), Bound(no_user_loads), Record(Rows)),
    ("user", "b"): (Bound(no_user_loads), Record(Rows)),
    ("code", "b"): (INTEGER, Record(BlockRows)),
    ("law", "reference", "tables", "work", "codes"): (
        *(Pointer("simd_law"), Pointer("reference"), Array(INTEGER, 2), ROW, Array(INTEGER, 1)),
    ),
    ("law", "reference", "user", "tables", "kernels", "wheels", "work", "codes"): (
        *(Pointer("simd_law"), Pointer("reference"), Pointer("user"), Array(INTEGER, 2)),
        *(ROW, Array(INTEGER, 1), ROW, Array(INTEGER, 1)),
    ),
}
"""What is called from outside: laws, blocks, references, loads, elements and formulations, and the engine's entries."""


KNOWN: dict[str, dict[str, Kind]] = {
    "add_load": {"works": FLAG},
    "attitude_error": {"rq": ROW},
    "_turn": {"cpose": COMPLEX_TABLE, "phi": Several((COMPLEX,) * 3)},
    "_jacobi": {"u": REAL, "q": ROW, "values": ROW},
    "_third_kind": {"u": REAL, "q": ROW, "values": ROW},
    "elliptic_state": {"q": ROW, "values": ROW, "y": ROW},
    "elliptic_step": {"table": TABLE},
    "less_product": {"table": ROW, **dict.fromkeys(("to", "k"), INTEGER)},
    "_turns": {"x": ROW, "e": INTEGER, "y": ROW, "to": INTEGER},
    "fusion_probe": {"n": INTEGER, "x": ROW, "y": ROW},
    "complex_products": {"n": INTEGER, "x": ROW, "y": ROW},
    "products_in_parts": {"n": INTEGER, "x": ROW, "y": ROW},
    "spread_rows": {"b": Record(SpreadArrays)},
    "shared_torque": {"table": ROW, **dict.fromkeys(("at", "number"), INTEGER)},
    "velocity_rows": {"b": Record(VelocityRows)},
    "element_tangent": {
        "b": INTEGER,
        "pose": TABLE,
        **dict.fromkeys(("cpose", "cvel", "cmom", "cfrc", "k_out"), COMPLEX_TABLE),
    },
}
"""What arguments of kernels are that only Python calls, where their names do not tell."""


def ours() -> list[Callable[..., Any]]:
    """Kernels of the packages, without those of tests."""
    return [kernel for kernel in KERNELS if kernel.__module__.startswith("polhode.")]


def write_all(program: Program) -> None:
    """Write every kernel: first those with declared argument types and their callees, then the rest.

    Argument types of the rest are inferred by name: an argument with the name of one written before has the same
    type.
    """
    views = [each.view for each in FORMULATIONS.values() if each.view is not None]
    kernels: list[Callable[..., Any]] = [*ours(), *views]
    for kernel in kernels:
        if parameters_of(kernel) in SIGNATURES:
            program.function(kernel, SIGNATURES[parameters_of(kernel)])
    votes: dict[str, Counter[Kind]] = defaultdict(Counter)
    for function in program.functions.values():
        for name, kind in zip(function.parameters, function.kinds, strict=True):
            votes[name][kind] += 1
    there = {kernel for kernel, _ in program.functions}
    for kernel in kernels:
        if kernel not in there:
            known = KNOWN.get(kernel.__name__, {})
            told = (known.get(name) or _most(votes[name]) for name in parameters_of(kernel))
            program.function(kernel, tuple(told))


def _most(votes: Counter[Kind]) -> Kind:
    return votes.most_common(1)[0][0] if votes else REAL


@cache
def everything() -> Program:
    """A program with every kernel."""
    program = Program("all", replaced=REPLACED)
    write_all(program)
    return program
