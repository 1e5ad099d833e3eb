# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""The functions that are compiled whole, and the signatures of those that come in as addresses.

Importing this module imports numba: `compiler` does so when something is to be compiled.

Arrays reach compiled code as a table of int64: address, then extents, one array after the other. A call then costs a
fifth of a microsecond, and machine code needs nothing of numba to be called. Functions come in as integer addresses
in the same table and are cast to functions of known signature, so that the compiled engine fits every law.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, overload, type_callable
from numba.np import arrayobj

from ..plant.element_calls import call_element
from ..plant.kernel import complex_table_in, table_in
from .analysis.changed_law_kernel import call_law
from .engine import advance
from .observe import observe
from .steppers.gauss import call_gauss, gauss_step
from .steppers.gauss_layout import CODE, META, USER_CODE

__all__ = [
    "ENTRY",
    "SIGNATURES",
    "advance_entry",
    "counts_at",
    "function_at",
    "gauss_entry",
    "observe_entry",
    "row_at",
    "table_at",
]

_ROW = types.float64[::1]

ENTRY = types.int64(types.CPointer(types.int64))
"""The signature of a function that takes its arrays from a table."""

SIGNATURES = {
    "entry": ENTRY,
    "law": types.void(types.float64, _ROW, _ROW, _ROW, _ROW, _ROW),
    "reference": types.void(types.float64, _ROW, _ROW),
    "user": types.void(types.float64, _ROW, _ROW, _ROW, _ROW),
    "element": types.void(types.int64, types.float64, _ROW, _ROW, _ROW, types.int64, _ROW),
    "formulation": types.float64(_ROW, _ROW, _ROW, _ROW),  # these three: plant.formulations.Formulation
    "step": types.float64(
        types.float64, types.float64, _ROW, _ROW, _ROW, _ROW, _ROW, types.int64, types.float64, types.float64[:, ::1]
    ),
    "leave": types.void(_ROW, _ROW, _ROW),
    "project": types.void(_ROW),
}
"""The signature of every kind of function that is compiled."""


def function_at(kind: str) -> Any:
    """A function of compiled code: cast(address) to a function of that kind."""
    function_type = types.FunctionType(SIGNATURES[kind])

    def cast(typing_context, address):
        def generate(context, builder, signature, arguments):
            pair = cgutils.create_struct_proxy(function_type)(context, builder)
            pair.c_addr = builder.inttoptr(arguments[0], pair.c_addr.type)
            return pair._getvalue()  # noqa: SLF001 # the one way to get it

        return function_type(types.int64), generate

    return intrinsic(cast)


def _array_at(dtype: Any, dimensions: int) -> Any:
    """A function of compiled code: the array whose address and extents stand in a table from index k on."""
    array_type = types.Array(dtype, dimensions, "C")

    def view(typing_context, table, k):
        def generate(context, builder, signature, arguments):
            where, first = arguments

            def entry(n):
                return builder.load(builder.gep(where, [builder.add(first, first.type(n))]))

            array = context.make_array(array_type)(context, builder)
            shape = [entry(1 + n) for n in range(dimensions)]
            item = first.type(8)
            strides = [item] if dimensions == 1 else [builder.mul(shape[1], item), item]
            arrayobj.populate_array(
                array,
                data=builder.inttoptr(entry(0), array.data.type),
                shape=cgutils.pack_array(builder, shape),
                strides=cgutils.pack_array(builder, strides),
                itemsize=item,
                meminfo=None,
            )
            return array._getvalue()  # noqa: SLF001 # the one way to get it

        return array_type(table, types.int64), generate

    return intrinsic(view)


row_at = _array_at(types.float64, 1)
table_at = _array_at(types.float64, 2)
counts_at = _array_at(types.int64, 1)
law_at = function_at("law")
reference_at = function_at("reference")
user_at = function_at("user")
element_at = function_at("element")
step_at = function_at("step")


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


@overload(call_element, jit_options=_OPTIONS, strict=False)
def _call_element(code, phase, t, x, u, p, row, w):
    """In compiled code an element's number is its address."""

    def call(code, phase, t, x, u, p, row, w):
        element_at(int(code))(phase, t, x, u, p, row, w)

    return call


@overload(call_gauss, jit_options=_OPTIONS, strict=False)
def _call_gauss(user, t, h, x, u, p, w, y, within, of, implicit):
    def call(user, t, h, x, u, p, w, y, within, of, implicit):
        return step_at(int(implicit[META, CODE]))(t, h, x, u, p, w, y, int(within), of, implicit)

    return call


@overload(call_law, jit_options=_OPTIONS, strict=False)
def _call_law(code, t, y, r, q, z, u):
    """In compiled code a law's number is its address."""

    def call(code, t, y, r, q, z, u):
        law_at(int(code))(t, y, r, q, z, u)

    return call


def gauss_entry(t, h, x, u, p, w, y, within, of, implicit):
    """`polhode.sim.steppers.gauss.gauss_step`, compiled when a run first asks for it."""
    user = user_at(int(implicit[META, USER_CODE]))
    return gauss_step(t, h, x, u, p, user, w, y, within != 0, of, implicit)


def advance_entry(t):
    """`polhode.sim.engine.advance` on what `Loop` has put into the table."""
    return advance(
        law_at(t[0]),
        reference_at(t[1]),
        user_at(t[2]),
        row_at(t, 3),  # x
        row_at(t, 5),  # u
        row_at(t, 7),  # p
        row_at(t, 9),  # q
        row_at(t, 11),  # rq
        row_at(t, 13),  # z
        row_at(t, 15),  # r
        row_at(t, 17),  # seen
        row_at(t, 19),  # command
        table_at(t, 21),  # queue
        row_at(t, 24),  # limits
        row_at(t, 26),  # edges
        table_at(t, 28),  # schedule
        row_at(t, 31),  # clock
        counts_at(t, 33),  # count
        row_at(t, 35),  # floors
        table_at(t, 37),  # work
        row_at(t, 40),  # w
        row_at(t, 42),  # out_t
        table_at(t, 44),  # out_x
        table_at(t, 47),  # out_u
        row_at(t, 50),  # tally
        table_at(t, 52),  # implicit
    )


def observe_entry(t):
    """`polhode.sim.observe.observe` on what `Loop` has put into the table."""
    observe(
        reference_at(t[0]),
        user_at(t[1]),
        row_at(t, 2),  # p
        row_at(t, 4),  # rq
        row_at(t, 6),  # r
        row_at(t, 8),  # t
        table_at(t, 10),  # x
        table_at(t, 13),  # u
        row_at(t, 16),  # dx
        row_at(t, 18),  # w
        table_at(t, 20),  # out
    )
    return 0
