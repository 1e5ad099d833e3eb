"""C translation of vector row access and branch-free primitives, for several runs in vector registers."""

from collections.abc import Callable, Sequence
from typing import Any

from ...controllers.contracts.block_draws import DRAW, draw_normals, draw_uniforms
from ...controllers.sensing.estimators.filter_layout import FILTER_MEMORY
from ...controllers.sensing.estimators.first_fix_kernel import (
    first_fix,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ...controllers.sensing.estimators.fixed_gain_kernel import (
    fixed_propagate,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
    fixed_receive,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ...controllers.sensing.estimators.usque_kernel import (
    usque_propagate,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
    usque_receive,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ...plant.kernels.philox import (
    normals_of,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
    uniform_pair,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ..engine import simd
from ..engine.loop_arrays import LoopArrays
from .c99.calls import call_of
from .c99.kinds import FLAG, INTEGER, NOTHING, REAL, SIMD_REAL, Array, Record
from .c99.program import Replacement
from .c99.simd import among_runs, lane_by_lane
from .c99.simd import spread as spread_value
from .c99.simd_types import WIDTH
from .c99.values import ATOM, PRODUCT, SUM, UNARY, Value, operand

_WORDS = (DRAW.block, DRAW.run, DRAW.seed, DRAW.seed + 1)
"""Positions of the words that a random block passes to the generator, in the order of its arguments."""

FUNCTIONS = 3
"""Number of function addresses that precede the array addresses in the table of a run."""


def _width(scope: Any, arguments: Sequence[Value]) -> Value:
    return Value(INTEGER, WIDTH)


def _run_of(scope: Any, arguments: Sequence[Value]) -> Value:
    tables, n = arguments
    scope.wrote(tables.roots)  # the run's arrays, which only the address tables reference
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
    return among_runs() | access | _of_blocks()


def _of_blocks() -> dict[Callable[..., Any], Replacement]:
    """Return replacements for kernels of blocks: those that draw random numbers or have no vector code.

    The latter replacements set the estimates of all runs to NaN, so that the runs leave the pack.
    """

    def drawn(kernel: Callable[..., Any], after: Callable[..., Any] | None) -> Replacement:
        def write(scope: Any, arguments: Sequence[Value]) -> Value:
            q, sample, channel = arguments
            if q.kind != Array(SIMD_REAL, 1):
                return call_of(scope, None, kernel, arguments)
            words = [Value(SIMD_REAL, f"{operand(q, ATOM)}[{place}]", reads=True) for place in _WORDS]
            pair = lane_by_lane(scope, uniform_pair, (INTEGER,) * 6, [sample, channel, *words])
            return pair if after is None else call_of(scope, None, after, pair.parts or ())

        return write

    def missing(kernel: Callable[..., Any], result: Value, row: int, places: Sequence[int]) -> Replacement:
        def write(scope: Any, arguments: Sequence[Value]) -> Value:
            if all(each.kind != Array(SIMD_REAL, 1) for each in arguments):
                return call_of(scope, None, kernel, arguments)
            spoiled, nan = arguments[row], spread_value(scope.program, Value(REAL, "NAN"))
            scope.wrote(spoiled.roots)
            for place in places:
                scope.write(f"{operand(spoiled, ATOM)}[{place}] = {nan.code};")
            return spread_value(scope.program, result) if result.kind == REAL else result

        return write

    found = {draw_normals: drawn(draw_normals, normals_of), draw_uniforms: drawn(draw_uniforms, None)}
    nothing, square = Value(NOTHING, ""), Value(REAL, "0.0")
    estimates = (FILTER_MEMORY.state, FILTER_MEMORY.base_state)
    found[first_fix] = missing(first_fix, Value(FLAG, "0"), 1, estimates)
    for kernel, result in ((usque_propagate, nothing), (fixed_propagate, nothing), (usque_receive, square),
                           (fixed_receive, square)):  # fmt: skip
        found[kernel] = missing(kernel, result, 0, (0,))
    return found
