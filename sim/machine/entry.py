# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""The functions that are compiled whole, and the signatures of those that come in as addresses.

Importing this module imports numba: `compiler` does so when something is to be compiled.

Arrays reach compiled code as a table of int64: address, then extents, one array after the other. A call then costs a
fifth of a microsecond, and machine code needs nothing of numba to be called. Functions come in as integer addresses
in the same table and are cast to functions of known signature, so that the compiled engine fits every law.
"""

from itertools import accumulate
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_builtin, models, overload, register_model, type_callable
from numba.np import arrayobj
from numba.np.numpy_support import from_dtype

from ...controllers.laws.called import call_law, call_reference
from ...plant.hub.element_calls import call_element
from ...plant.kernels.kernel import complex_table_in, table_in
from ...plant.kernels.lanes import every, select, shared
from ..engine.advance import advance
from ..engine.blocks import call_block
from ..engine.bundle import Bundle, Rows, kinds_of
from ..engine.observe import observe
from ..engine.replay import BlockRows, replay_rows
from ..steppers.elliptic import elliptic_step
from ..steppers.implicit import implicit_step
from ..steppers.implicit_layout import CODE, META, USER_CODE
from ..steppers.own_step import call_step
from .addresses import function_at

__all__ = [
    "advance_entry",
    "counts_at",
    "elliptic_entry",
    "implicit_entry",
    "many_entry",
    "observe_entry",
    "replay_entry",
    "row_at",
    "table_at",
]


def _make_array(context: Any, builder: Any, array_type: Any, where: Any, first: Any) -> Any:
    """The code for the array whose address and extents stand in a table from index `first` on.

    The table never changes while compiled code runs, and is said not to: what is read twice is read once.
    """

    def entry(n):
        loaded = builder.load(builder.gep(where, [builder.add(first, first.type(n))]))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    array = context.make_array(array_type)(context, builder)
    shape = [entry(1 + n) for n in range(array_type.ndim)]
    item = first.type(8)
    strides = [item] if array_type.ndim == 1 else [builder.mul(shape[1], item), item]
    arrayobj.populate_array(
        array,
        data=builder.inttoptr(entry(0), array.data.type),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=item,
        meminfo=None,
    )
    return array._getvalue()  # noqa: SLF001 # the one way to get it


def _array_at(dtype: Any, dimensions: int) -> Any:
    """A function of compiled code: the array whose address and extents stand in a table from index k on."""
    array_type = types.Array(dtype, dimensions, "C")

    def view(typing_context, table, k):
        def generate(context, builder, signature, arguments):
            return _make_array(context, builder, array_type, *arguments)

        return array_type(table, types.int64), generate

    return intrinsic(view)


class _BundleType(types.Type):
    """A bundle in compiled code: where its arrays stand in the table. Nothing but this pointer is handed on."""

    def __init__(self, bundle: type[Any]) -> None:
        self.arrays = {
            name: types.Array(from_dtype(np.dtype(number)), dimensions, "C")
            for name, (number, dimensions) in kinds_of(bundle).items()
        }
        self.first = dict(
            zip(self.arrays, accumulate((1 + a.ndim for a in self.arrays.values()), initial=0), strict=False)
        )
        super().__init__(name=f"bundle of {bundle.__qualname__}")


@register_model(_BundleType)
class _BundleModel(models.PrimitiveModel):
    def __init__(self, manager: Any, bundle_type: _BundleType) -> None:
        super().__init__(manager, bundle_type, ir.IntType(64).as_pointer())


@infer_getattr
class _BundleFields(AttributeTemplate):
    key = _BundleType

    def generic_resolve(self, bundle_type: _BundleType, name: str) -> Any:
        return bundle_type.arrays.get(name)


@lower_getattr_generic(_BundleType)
def _lower_field(context, builder, bundle_type, where, name):
    first = ir.IntType(64)(bundle_type.first[name])
    return _make_array(context, builder, bundle_type.arrays[name], where, first)


def _bundle_at(bundle: type[Any]) -> Any:
    """A function of compiled code: the bundle whose arrays stand in a table from index k on, in the order of fields."""
    bundle_type = _BundleType(bundle)

    def view(typing_context, table, k):
        def generate(context, builder, signature, arguments):
            return builder.gep(arguments[0], [arguments[1]])

        return bundle_type(table, types.int64), generate

    return intrinsic(view)


def _row_of_tables(typing_context, tables, n):
    def generate(context, builder, signature, arguments):
        held = context.make_array(signature.args[0])(context, builder, arguments[0])
        width = cgutils.unpack_tuple(builder, held.shape)[1]
        return builder.gep(held.data, [builder.mul(arguments[1], width)])

    return types.CPointer(types.int64)(tables, types.int64), generate


entry_table: Any = intrinsic(_row_of_tables)
row_at = _array_at(types.float64, 1)
table_at = _array_at(types.float64, 2)
counts_at = _array_at(types.int64, 1)
count_table_at = _array_at(types.int64, 2)
bundle_at = _bundle_at(Bundle)
rows_at = _bundle_at(Rows)
block_rows_at = _bundle_at(BlockRows)
law_at = function_at("law")
reference_at = function_at("reference")
user_at = function_at("user")
element_at = function_at("element")
block_at = function_at("block")
step_at = function_at("step")
entry_at = function_at("entry")


@type_callable(table_in)
def _type_of_table(context):
    """In compiled code a table is a view without checks; a function of numba's own may not return one."""
    return lambda row, start, rows, columns: types.Array(row.dtype, 2, "C")


@type_callable(complex_table_in)
def _type_of_complex_table(context):
    return lambda row, start, rows, columns: types.Array(types.complex128, 2, "C")


@lower_builtin(table_in, types.Array, types.Integer, types.Integer, types.Integer)
@lower_builtin(complex_table_in, types.Array, types.Integer, types.Integer, types.Integer)
def _lower_table(context, builder, signature, arguments):
    held = context.make_array(signature.args[0])(context, builder, arguments[0])
    start, rows, columns = (
        context.cast(builder, value, kind, types.intp)
        for value, kind in zip(arguments[1:], signature.args[1:], strict=True)
    )
    number = signature.return_type.dtype
    item = context.get_constant(types.intp, number.bitwidth // 8)
    table = context.make_array(signature.return_type)(context, builder)
    arrayobj.populate_array(
        table,
        data=builder.bitcast(builder.gep(held.data, [start]), table.data.type),
        shape=cgutils.pack_array(builder, [rows, columns]),
        strides=cgutils.pack_array(builder, [builder.mul(columns, item), item]),
        itemsize=item,
        meminfo=None,
    )
    return table._getvalue()  # noqa: SLF001 # the one way to get it


_OPTIONS: Any = {"error_model": "numpy", "_nrt": False}


@overload(select, jit_options=_OPTIONS, strict=False)
def _select(condition, yes, no):
    """Return one of two numbers, by a comparison."""
    if not isinstance(condition, types.Boolean):
        return None

    def choose(condition, yes, no):
        if condition:
            return yes
        return no

    return choose


@overload(every, jit_options=_OPTIONS, strict=False)
def _every(condition):
    if not isinstance(condition, types.Boolean):
        return None
    return lambda condition: condition


@overload(shared, jit_options=_OPTIONS, strict=False)
def _shared(row, n):
    if not isinstance(row, types.Array):
        return None
    return lambda row, n: row[n]


@overload(call_element, jit_options=_OPTIONS, strict=False)
def _call_element(code, phase, t, x, u, p, row, w):
    """In compiled code an element's number is its address."""

    def call(code, phase, t, x, u, p, row, w):
        element_at(int(code))(phase, t, x, u, p, row, w)

    return call


@overload(call_block, jit_options=_OPTIONS, strict=False)
def _call_block(code, t, y, q, z, v):
    """In compiled code a block's number is its address."""

    def call(code, t, y, q, z, v):
        block_at(int(code))(t, y, q, z, v)

    return call


@overload(call_step, jit_options=_OPTIONS, strict=False)
def _call_step(method, user, t, h, x, u, p, w, y, within, of, table):
    def call(method, user, t, h, x, u, p, w, y, within, of, table):
        return step_at(int(table[META, CODE]))(t, h, x, u, p, w, y, int(within), of, table)

    return call


@overload(call_law, jit_options=_OPTIONS, strict=False)
def _call_law(code, t, y, r, q, z, u):
    """In compiled code a law's number is its address."""

    def call(code, t, y, r, q, z, u):
        law_at(int(code))(t, y, r, q, z, u)

    return call


@overload(call_reference, jit_options=_OPTIONS, strict=False)
def _call_reference(code, t, q, r):
    """In compiled code a reference's number is its address."""

    def call(code, t, q, r):
        reference_at(int(code))(t, q, r)

    return call


def implicit_entry(t, h, x, u, p, w, y, within, of, implicit):
    """`polhode.sim.steppers.implicit.implicit_step`, compiled when a run first asks for it."""
    user = user_at(int(implicit[META, USER_CODE]))
    return implicit_step(t, h, x, u, p, user, w, y, within != 0, of, implicit)


def elliptic_entry(t, h, x, u, p, w, y, within, of, table):
    """`polhode.sim.steppers.elliptic.elliptic_step`, likewise."""
    return elliptic_step(t, h, x, p, y, table)


def advance_entry(t):
    """`polhode.sim.engine.advance.advance` on what `Loop` has put into the table."""
    return advance(law_at(t[0]), reference_at(t[1]), user_at(t[2]), bundle_at(t, 3))


def observe_entry(t):
    """`polhode.sim.engine.observe.observe` on what `Loop` has put into the table."""
    observe(reference_at(t[0]), user_at(t[1]), rows_at(t, 2))
    return 0


def replay_entry(t):
    """`polhode.sim.engine.replay.replay_rows` on a block and its rows."""
    replay_rows(t[0], block_rows_at(t, 1))
    return 0


def many_entry(t):
    """Another entry on one table after the other, and what each call returned."""
    entry, tables, told = entry_at(t[0]), count_table_at(t, 1), counts_at(t, 4)
    for n in range(told.size):
        told[n] = entry(entry_table(tables, n))
    return 0
