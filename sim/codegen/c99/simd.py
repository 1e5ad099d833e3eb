"""C vector types that hold one number per run for several runs, and the operations on them.

The types are GCC's vector extensions, which clang and zig also support. Every element is computed like a scalar, in the
same order and with the same rounding, so that each run is bitwise identical to the run simulated individually.
Mathematical functions are called element by element.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ....plant.kernels.lanes import agreed, every, select, shared
from .kinds import FLAG, REAL, SIMD_MASK, SIMD_REAL, Array, Scalar, Several
from .program import Program, Replacement
from .scope import Scope
from .simd_types import WIDTH
from .values import ATOM, UNARY, Value, operand

OF_TWO = frozenset({"atan2"})
"""Mathematical functions of two numbers."""

_EXTREME = """\
POLHODE_SIMD_TARGET static POLHODE_INLINE simd_real simd_{name}(simd_real a, simd_real b)
{{
    /* as of two numbers: not a number only if a is */
    const simd_mask second = (simd_mask)(b {sign} a);
    return (simd_real)((second & (simd_mask)b) | (~second & (simd_mask)a));
}}"""

_ELEMENT_WISE = """\
POLHODE_SIMD_TARGET static simd_real simd_{name}(simd_real a)
{{
    for (integer n = 0; n < {width}; n++) {{
        a[n] = {name}(a[n]);
    }}
    return a;
}}"""

_ELEMENT_WISE_OF_TWO = """\
POLHODE_SIMD_TARGET static simd_real simd_{name}(simd_real a, simd_real b)
{{
    for (integer n = 0; n < {width}; n++) {{
        a[n] = {name}(a[n], b[n]);
    }}
    return a;
}}"""

_HELPERS = {
    "agreed": """\
POLHODE_SIMD_TARGET static flag simd_agreed(simd_mask mask, simd_real *row, integer n)
{
    integer count = 0;
    for (integer k = 0; k < POLHODE_SIMD_WIDTH; k++) {
        count += mask[k] != 0;
    }
    const flag most = 2 * count >= POLHODE_SIMD_WIDTH;
    for (integer k = 0; k < POLHODE_SIMD_WIDTH; k++) {
        if ((mask[k] != 0) != most) {
            row[n][k] = NAN;
        }
    }
    return most;
}""",
    "spread": """\
POLHODE_SIMD_TARGET static POLHODE_INLINE simd_real simd_spread(real a)
{
    const simd_real all = POLHODE_SIMD_OF(a);
    return all;
}""",
    "select": """\
POLHODE_SIMD_TARGET static POLHODE_INLINE simd_real simd_select(simd_mask mask, simd_real yes, simd_real no)
{
    return (simd_real)((mask & (simd_mask)yes) | (~mask & (simd_mask)no));
}""",
    "every": """\
POLHODE_SIMD_TARGET static POLHODE_INLINE flag simd_every(simd_mask mask)
{
    return POLHODE_SIMD_AND(mask) != 0;
}""",
    "fabs": """\
POLHODE_SIMD_TARGET static POLHODE_INLINE simd_real simd_fabs(simd_real a)
{
    return (simd_real)((simd_mask)a & 0x7fffffffffffffffLL);
}""",
    "least": _EXTREME.format(name="least", sign="<"),
    "most": _EXTREME.format(name="most", sign=">"),
}


def _helper(program: Program, name: str) -> str:
    """Add a function of this module to the program, and return its name."""
    for kind in (SIMD_REAL, SIMD_MASK):
        program.type_name(kind)
    form = _ELEMENT_WISE_OF_TWO if name in OF_TWO else _ELEMENT_WISE
    text = _HELPERS.get(name) or form.format(name=name, width=WIDTH)
    return program.own_helper(f"simd_{name}", text)


def spread(program: Program, value: Value) -> Value:
    """Return a number as a vector with equal elements; return a vector unchanged."""
    if value.kind == SIMD_REAL:
        return value
    return Value(SIMD_REAL, f"{_helper(program, 'spread')}({value.code})", reads=value.reads)


def related(program: Program, sign: str, binds: int, a: Value, b: Value) -> Value:
    """Return the comparison of two vectors, one of which may be a scalar."""
    program.type_name(SIMD_MASK)
    first, second = (operand(spread(program, each), binds + 1) for each in (a, b))
    return Value(SIMD_MASK, f"((simd_mask)({first} {sign} {second}))", reads=a.reads or b.reads)


def magnitude(program: Program, value: Value) -> Value:
    """Return the absolute value of every element."""
    return Value(SIMD_REAL, f"{_helper(program, 'fabs')}({value.code})", reads=value.reads)


def extreme(program: Program, word: str, a: Value, b: Value) -> Value:
    """Return the elementwise minimum or maximum of two vectors."""
    texts = ", ".join(spread(program, each).code for each in (a, b))
    return Value(SIMD_REAL, f"{_helper(program, word)}({texts})", reads=a.reads or b.reads)


def element_wise(scope: Scope, node: Any, name: str, arguments: Sequence[Value]) -> Value:
    """Return a mathematical function applied to every element of a vector."""
    if len(arguments) != 1 and name not in OF_TWO:
        raise scope.refuse(node, f"{name} of several runs accepts a single number only")
    texts = ", ".join(spread(scope.program, each).code for each in arguments)
    reads = any(each.reads for each in arguments)
    return Value(SIMD_REAL, f"{_helper(scope.program, name)}({texts})", reads=reads)


def lane_by_lane(
    scope: Scope, kernel: Callable[..., Any], kinds: Sequence[Scalar], arguments: Sequence[Value]
) -> Value:
    """Return the result (a tuple of real numbers) of a scalar kernel that is called run by run.

    kinds: kinds of the arguments of the kernel.
    """
    function = scope.program.function(kernel, kinds)
    count = len(getattr(function.result, "items", ()))
    type_name, names = scope.program.type_name(SIMD_REAL), [scope.temporary() for _ in range(count)]
    held = [scope.keep(each) for each in arguments]
    each_of = [f"({kind.name}){operand(one, UNARY)}" + ("[lane]" if one.kind == SIMD_REAL else "")
               for kind, one in zip(kinds, held, strict=True)]  # fmt: skip
    for name in names:
        scope.write(f"{type_name} {name};")
    scope.write(f"for (integer lane = 0; lane < {WIDTH}; lane++) {{")
    with scope.inner():
        found = scope.temporary()
        call = function.call([Value(kind, text) for kind, text in zip(kinds, each_of, strict=True)])
        scope.write(f"const {scope.program.type_name(function.result)} {found} = {call};")
        for n, name in enumerate(names):
            scope.write(f"{name}[lane] = {found}.a[{n}];")
    scope.write("}")
    for name in names:
        scope.write(f"(void){name};")  # the caller may use only some of the results
    parts = tuple(Value(SIMD_REAL, name) for name in names)
    return Value(Several((SIMD_REAL,) * count), parts=parts)


def among_runs() -> dict[Callable[..., Any], Replacement]:
    """Return the replacements for functions of `polhode.plant.kernels.lanes`, for one run and for several."""
    from .calls import call_of

    def selected(scope: Any, arguments: Sequence[Value]) -> Value:
        mask, yes, no = arguments
        if mask.kind != SIMD_MASK:
            return call_of(scope, None, select, arguments)
        texts = ", ".join([mask.code, *(spread(scope.program, each).code for each in (yes, no))])
        reads = any(each.reads for each in arguments)
        return Value(SIMD_REAL, f"{_helper(scope.program, 'select')}({texts})", reads=reads)

    def in_all(scope: Any, arguments: Sequence[Value]) -> Value:
        (mask,) = arguments
        if mask.kind != SIMD_MASK:
            return call_of(scope, None, every, arguments)
        return Value(FLAG, f"{_helper(scope.program, 'every')}({mask.code})", reads=mask.reads)

    def common_to_all(scope: Any, arguments: Sequence[Value]) -> Value:
        row, n = arguments
        if row.kind != Array(SIMD_REAL, 1):
            return call_of(scope, None, shared, arguments)
        return Value(REAL, f"{operand(row, ATOM)}[{n.code}][0]", reads=True)

    def in_most(scope: Any, arguments: Sequence[Value]) -> Value:
        mask, row, n = arguments
        if mask.kind != SIMD_MASK:
            return call_of(scope, None, agreed, arguments)
        scope.wrote(row.roots)
        text = f"{_helper(scope.program, 'agreed')}({mask.code}, {operand(row, ATOM)}, {n.code})"
        return scope.keep(Value(FLAG, text), acts=True)

    return {select: selected, every: in_all, shared: common_to_all, agreed: in_most}
