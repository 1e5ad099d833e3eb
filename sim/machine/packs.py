# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""Numbers of several runs at once: the type that kernels marked for lanes are compiled on.

A pack is a vector register of doubles, one of each run, its lanes; a mask what a comparison of packs says of each; a
row of packs stands in memory lane after lane. What is done with them is done in every lane as it is with one number,
in the same order and rounded alike: nothing is fused or reordered, and min and max take the one that Python takes, so
each lane has the numbers of the single run to the bit. A mask is no condition: `if` on what differs from lane to lane
does not compile.
"""

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_cast
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing import templates
from numba.core.typing.templates import AttributeTemplate, ConcreteTemplate, infer_getattr, signature
from numba.extending import intrinsic, lower_builtin, lower_getattr, models, overload, register_model

from ...plant.kernels.lanes import every, select, shared

__all__ = ["LANES", "lane_of", "pack_row", "put_lane", "says_of", "spread"]

LANES = 8

_OPTIONS: Any = {"error_model": "numpy", "_nrt": False}
infer_global: Any = templates.infer_global

_DOUBLE, _BIT, _INDEX = ir.DoubleType(), ir.IntType(1), ir.IntType(64)
_PACK = ir.VectorType(_DOUBLE, LANES)
_MASK = ir.VectorType(_BIT, LANES)
_ALIGNED = 8  # bytes: numpy's memory will do


class _Pack(types.Type):
    """A number of each lane; a plain number is the same in all of them."""

    def __init__(self) -> None:
        super().__init__(name="pack")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Any real number becomes a pack."""
        return Conversion.safe if isinstance(other, (types.Float, types.Integer)) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Likewise a variable that holds now one, now the other."""
        return self if isinstance(other, (types.Float, types.Integer)) else None


class _Mask(types.Type):
    """Yes or no of each lane."""

    def __init__(self) -> None:
        super().__init__(name="mask")


class _Row(types.Type):
    """So many packs one behind the other."""

    def __init__(self) -> None:
        super().__init__(name="row of packs")


PACK, MASK, ROW = _Pack(), _Mask(), _Row()


@register_model(_Pack)
class _PackModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _PACK)


@register_model(_Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _MASK)


@register_model(_Row)
class _RowModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("data", types.CPointer(types.float64)), ("size", types.intp)])


def _filled(builder: Any, number: Any) -> Any:
    """A pack of one number."""
    one = builder.insert_element(ir.Constant(_PACK, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


@lower_cast(types.Float, _Pack)
def _of_float(context, builder, fromty, toty, value):
    return _filled(builder, context.cast(builder, value, fromty, types.float64))


@lower_cast(types.Integer, _Pack)
def _of_integer(context, builder, fromty, toty, value):
    return _filled(builder, context.cast(builder, value, fromty, types.float64))


def _typed(function: Any, *cases: Any) -> None:
    """Let a function take packs, as the cases say."""
    infer_global(function)(type(f"Pack_{function.__name__}", (ConcreteTemplate,), {"cases": list(cases)}))


_TWO = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
_IN_PLACE = {
    operator.add: operator.iadd,
    operator.sub: operator.isub,
    operator.mul: operator.imul,
    operator.truediv: operator.itruediv,
}
_COMPARED = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
_TOGETHER = {operator.and_: "and_", operator.or_: "or_", operator.iand: "and_", operator.ior: "or_"}


def _arithmetic(word: str) -> Any:
    return lambda context, builder, sig, args: getattr(builder, word)(*args)


def _comparison(word: str) -> Any:
    ask = "fcmp_unordered" if word == "!=" else "fcmp_ordered"
    return lambda context, builder, sig, args: getattr(builder, ask)(word, *args)


for _operator, _word in _TWO.items():
    for _each in (_operator, _IN_PLACE[_operator]):
        _typed(_each, signature(PACK, PACK, PACK))
        lower_builtin(_each, _Pack, _Pack)(_arithmetic(_word))
for _operator, _word in _COMPARED.items():
    _typed(_operator, signature(MASK, PACK, PACK))
    lower_builtin(_operator, _Pack, _Pack)(_comparison(_word))
for _operator, _word in _TOGETHER.items():
    _typed(_operator, signature(MASK, MASK, MASK))
    lower_builtin(_operator, _Mask, _Mask)(_arithmetic(_word))


def _extreme(word: str) -> Any:
    """Of a and b the second where it is more (less), as Python has it: what is not a number loses behind."""

    def lower(context, builder, sig, args):
        found = args[0]
        for each in args[1:]:
            found = builder.select(builder.fcmp_ordered(word, each, found), each, found)
        return found

    return lower


for _function, _word in ((min, "<"), (max, ">")):
    _typed(_function, signature(PACK, PACK, PACK), signature(PACK, PACK, PACK, PACK))
    lower_builtin(_function, _Pack, _Pack)(_extreme(_word))
    lower_builtin(_function, _Pack, _Pack, _Pack)(_extreme(_word))


def _own(name: str) -> Any:
    """A function that the processor has for whole registers, rounded as the one for a number."""

    def lower(context, builder, sig, args):
        kind = ir.FunctionType(_PACK, [_PACK])
        whole = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f64")
        return builder.call(whole, args)

    return lower


def _one_by_one(function: Any) -> Any:
    """A function of the single number, lane after lane: the very one the single run calls."""
    one = signature(types.float64, types.float64)

    def lower(context, builder, sig, args):
        kind = context.typing_context.resolve_value_type(function)
        kind.get_call_type(context.typing_context, one.args, {})  # by which it learns of its code for them
        call = context.get_function(kind, one)
        found = ir.Constant(_PACK, ir.Undefined)
        for n in range(LANES):
            place = ir.Constant(ir.IntType(32), n)
            found = builder.insert_element(found, call(builder, (builder.extract_element(args[0], place),)), place)
        return found

    return lower


def _negative(context, builder, sig, args):
    return builder.fneg(args[0])


def _itself(context, builder, sig, args):
    return args[0]


_ONE = {
    operator.neg: _negative,
    operator.pos: _itself,
    abs: _own("fabs"),
    math.sqrt: _own("sqrt"),
    np.sqrt: _own("sqrt"),
    **{function: _one_by_one(function) for function in (math.sin, math.cos)},
    np.sin: _one_by_one(math.sin),
    np.cos: _one_by_one(math.cos),
}
for _function, _lowered in _ONE.items():
    _typed(_function, signature(PACK, PACK))
    lower_builtin(_function, _Pack)(_lowered)


@infer_getattr
class _PackParts(AttributeTemplate):
    key = _Pack

    def resolve_real(self, pack: Any) -> Any:
        return PACK


@lower_getattr(_Pack, "real")
def _real(context, builder, kind, value):
    return value


@infer_getattr
class _RowParts(AttributeTemplate):
    key = _Row

    def resolve_size(self, row: Any) -> Any:
        return types.intp


@lower_getattr(_Row, "size")
def _size(context, builder, kind, value):
    return builder.extract_value(value, 1)


def _at(context: Any, builder: Any, row: Any, kind: Any, index: Any, lane: Any = None) -> Any:
    """The address of a pack in a row, or of one of its lanes."""
    place = builder.mul(context.cast(builder, index, kind, types.int64), _INDEX(LANES))
    if lane is not None:
        place = builder.add(place, lane)
    return builder.gep(builder.extract_value(row, 0), [place])


@infer_global(operator.getitem)
class _Item(ConcreteTemplate):
    cases = [signature(PACK, ROW, types.int64)]  # noqa: RUF012 # as numba wants it


@infer_global(operator.setitem)
class _NewItem(ConcreteTemplate):
    cases = [signature(types.none, ROW, types.int64, PACK)]  # noqa: RUF012


@lower_builtin(operator.getitem, _Row, types.Integer)
def _item(context, builder, sig, args):
    where = _at(context, builder, args[0], sig.args[1], args[1])
    return builder.load(builder.bitcast(where, _PACK.as_pointer()), align=_ALIGNED)


@lower_builtin(operator.setitem, _Row, types.Integer, _Pack)
def _new_item(context, builder, sig, args):
    where = _at(context, builder, args[0], sig.args[1], args[1])
    builder.store(args[2], builder.bitcast(where, _PACK.as_pointer()), align=_ALIGNED)


def _lowered_select(typing_context, condition, yes, no):
    def generate(context, builder, sig, args):
        return builder.select(*args)

    return PACK(MASK, PACK, PACK), generate


_selected: Any = intrinsic(_lowered_select)


@overload(select, jit_options=_OPTIONS, strict=False)
def _select(condition, yes, no):
    return (lambda condition, yes, no: _selected(condition, yes, no)) if isinstance(condition, _Mask) else None  # noqa: PLW0108 # an implementation is a function


def _lane_of(typing_context, row, index, lane):
    """Return the number of one lane in a row of packs."""

    def generate(context, builder, sig, args):
        return builder.load(_at(context, builder, args[0], types.int64, args[1], args[2]))

    return types.float64(ROW, types.int64, types.int64), generate


def _put_lane(typing_context, row, index, lane, number):
    """Put the number of one lane into a row of packs."""

    def generate(context, builder, sig, args):
        builder.store(args[3], _at(context, builder, args[0], types.int64, args[1], args[2]))

    return types.void(ROW, types.int64, types.int64, types.float64), generate


def _pack_row(typing_context, work, first, size):
    """Return a row of packs in an array of doubles, from pack `first` on."""

    def generate(context, builder, sig, args):
        held = context.make_array(sig.args[0])(context, builder, args[0])
        row = cgutils.create_struct_proxy(ROW)(context, builder)
        row.data = builder.gep(held.data, [builder.mul(args[1], _INDEX(LANES))])
        row.size = args[2]
        return row._getvalue()  # noqa: SLF001 # the one way to get it

    return ROW(work, types.int64, types.int64), generate


def _spread(typing_context, number):
    """Return a pack of one number."""

    def generate(context, builder, sig, args):
        return _filled(builder, args[0])

    return PACK(types.float64), generate


def _says_of(typing_context, mask, lane):
    """Return what a mask says of one lane."""

    def generate(context, builder, sig, args):
        return builder.extract_element(args[0], builder.trunc(args[1], ir.IntType(32)))

    return types.boolean(MASK, types.int64), generate


lane_of: Any = intrinsic(_lane_of)
put_lane: Any = intrinsic(_put_lane)
pack_row: Any = intrinsic(_pack_row)
spread: Any = intrinsic(_spread)
says_of: Any = intrinsic(_says_of)


def _all_of(typing_context, mask):
    """Return whether a mask says yes of every lane."""

    def generate(context, builder, sig, args):
        bits = builder.bitcast(args[0], ir.IntType(LANES))
        return builder.icmp_unsigned("==", bits, ir.IntType(LANES)(2**LANES - 1))

    return types.boolean(MASK), generate


_all_lanes: Any = intrinsic(_all_of)


@overload(every, jit_options=_OPTIONS, strict=False)
def _every(condition):
    return (lambda condition: _all_lanes(condition)) if isinstance(condition, _Mask) else None  # noqa: PLW0108 # as above


@overload(shared, jit_options=_OPTIONS, strict=False)
def _shared(row, n):
    return (lambda row, n: lane_of(row, n, 0)) if isinstance(row, _Row) else None
