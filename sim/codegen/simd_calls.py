"""C translation of vector row access and branch-free primitives, for several runs in vector registers."""

from collections.abc import Callable, Sequence
from typing import Any

from ..engine import simd
from ..engine.loop_arrays import LoopArrays
from .c99.kinds import FLAG, INTEGER, NOTHING, REAL, SIMD_REAL, Array, Record
from .c99.program import Replacement
from .c99.simd import among_runs
from .c99.simd import spread as spread_value
from .c99.simd_types import WIDTH
from .c99.values import ATOM, PRODUCT, SUM, UNARY, Value, operand

FUNCTIONS = 3
"""Number of function addresses that precede the array addresses in the table of a run."""


def _width(scope: Any, arguments: Sequence[Value]) -> Value:
    return Value(INTEGER, WIDTH)


def _run_of(scope: Any, arguments: Sequence[Value]) -> Value:
    tables, n = arguments
    scope.wrote(tables.roots)  # the arrays of the run, to which only the address tables refer
    at = f"{operand(tables, SUM)} + {operand(n, PRODUCT)} * {tables.extents[1]()} + {FUNCTIONS}"
    return Value(Record(LoopArrays), f"((const {scope.program.record_type(LoopArrays)} *)({at}))", roots=tables.roots)


def _vector_row(scope: Any, arguments: Sequence[Value]) -> Value:
    work, first, size = arguments
    size = scope.steady(size)
    at = f"{operand(work, SUM)} + {operand(first, PRODUCT)} * {WIDTH}"
    code = f"({scope.program.type_name(SIMD_REAL)} *)({at})"
    return Value(Array(SIMD_REAL, 1), code, UNARY, extents=(lambda: size.code,), roots=work.roots)


def _element_of(scope: Any, arguments: Sequence[Value]) -> Value:
    row, n, lane = arguments
    return Value(REAL, f"{operand(row, ATOM)}[{n.code}][{lane.code}]", reads=True)


def _put_element(scope: Any, arguments: Sequence[Value]) -> Value:
    row, n, lane, number = arguments
    scope.wrote(row.roots)
    scope.write(f"{operand(row, ATOM)}[{n.code}][{lane.code}] = {number.code};")
    return Value(NOTHING, "")


def _spread(scope: Any, arguments: Sequence[Value]) -> Value:
    return spread_value(scope.program, arguments[0])


def _verdict(scope: Any, arguments: Sequence[Value]) -> Value:
    mask, lane = arguments
    return Value(FLAG, f"({operand(mask, ATOM)}[{lane.code}] != 0)", reads=True)


def replaced_by_vectors() -> dict[Callable[..., Any], Replacement]:
    """Return the replacements for the functions of `sim.engine.simd` and `plant.kernels.lanes` in compiled code."""
    access: dict[Callable[..., Any], Replacement] = {
        simd.width: _width,
        simd.run_of: _run_of,
        simd.vector_row: _vector_row,
        simd.element_of: _element_of,
        simd.put_element: _put_element,
        simd.spread: _spread,
        simd.verdict: _verdict,
    }
    return among_runs() | access
