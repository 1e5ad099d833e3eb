# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""Functions that come into compiled code as addresses: their signatures, and how they are called.

A law, a reference or a block is called at every sample. numba would hand every array on as seven numbers, most of them
through memory and twice over: of a law thirty-five. Here an array goes as its address and length, and is an array again
behind the call.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import signature
from numba.extending import intrinsic, lower_builtin, models, register_model
from numba.np import arrayobj

__all__ = ["ENTRY", "SIGNATURES", "SPREAD", "function_at", "new_row", "spread_out", "spread_signature"]

_ROW = types.float64[::1]

ENTRY = types.int64(types.CPointer(types.int64))
"""The signature of a function that takes its arrays from a table."""

SIGNATURES = {
    "entry": ENTRY,
    "law": types.void(types.float64, _ROW, _ROW, _ROW, _ROW, _ROW),
    "reference": types.void(types.float64, _ROW, _ROW),
    "block": types.void(types.float64, _ROW, _ROW, _ROW, _ROW),
    "user": types.void(types.float64, _ROW, _ROW, _ROW, _ROW),
    "element": types.void(types.int64, types.float64, _ROW, _ROW, _ROW, types.int64, _ROW),
    "step": types.float64(
        types.float64, types.float64, _ROW, _ROW, _ROW, _ROW, _ROW, types.int64, types.float64, types.float64[:, ::1]
    ),
}
"""The signature of every kind of function that is compiled."""

SPREAD = ("law", "reference", "block", "user", "element")
"""Kinds whose rows go as address and length."""


def _is_row(kind: Any) -> bool:
    return isinstance(kind, types.Array)


def spread_signature(kind: str) -> Any:
    """The signature of a kind as its code has it."""
    if kind not in SPREAD:
        return SIGNATURES[kind]
    arguments: list[Any] = []
    for each in SIGNATURES[kind].args:
        arguments += [types.CPointer(each.dtype), types.int64] if _is_row(each) else [each]
    return SIGNATURES[kind].return_type(*arguments)


class _Address(types.Callable):
    """Where the code of a function of a kind is."""

    def __init__(self, kind: str) -> None:
        self.called = SIGNATURES[kind]
        super().__init__(name=f"address of a {kind}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return signature(self.called.return_type, *self.called.args, recvr=self)

    def get_call_signatures(self) -> Any:
        return (self.called,), False

    def get_impl_key(self, sig: Any) -> Any:
        return type(self)


@register_model(_Address)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: _Address) -> None:
        super().__init__(manager, kind, ir.IntType(64))


@lower_builtin(_Address, _Address, types.VarArg(types.Any))
def _call(context, builder, sig, args):
    given = []
    for kind, value in zip(sig.args[1:], args[1:], strict=True):
        if _is_row(kind):
            row = context.make_array(kind)(context, builder, value)
            given += [row.data, row.nitems]
        else:
            given.append(value)
    code = ir.FunctionType(ir.VoidType(), [value.type for value in given])
    builder.call(builder.inttoptr(args[0], code.as_pointer()), given)
    return context.get_dummy_value()


def function_at(kind: str) -> Any:
    """A function of compiled code: cast(address) to a function of that kind."""
    if kind in SPREAD:
        address = _Address(kind)
        return intrinsic(lambda context, number: (address(types.int64), lambda c, builder, sig, args: args[0]))
    function_type = types.FunctionType(SIGNATURES[kind])

    def cast(typing_context, address):
        def generate(context, builder, sig, arguments):
            pair = cgutils.create_struct_proxy(function_type)(context, builder)
            pair.c_addr = builder.inttoptr(arguments[0], pair.c_addr.type)
            return pair._getvalue()  # noqa: SLF001 # the one way to get it

        return function_type(types.int64), generate

    return intrinsic(cast)


def _row(context: Any, builder: Any, data: Any, size: Any) -> Any:
    row = context.make_array(_ROW)(context, builder)
    item = ir.IntType(64)(8)
    shape, strides = (cgutils.pack_array(builder, [each]) for each in (size, item))
    arrayobj.populate_array(row, data=data, shape=shape, strides=strides, itemsize=item, meminfo=None)
    return row._getvalue()  # noqa: SLF001 # the one way to get it


def _row_of(typing_context, data, size):
    return _ROW(types.CPointer(types.float64), types.int64), lambda context, builder, sig, args: _row(
        context, builder, *args
    )


def _new_row(typing_context, size):
    """Return a row of so many numbers, a constant, for as long as the function runs that asks for it."""
    if not isinstance(size, types.IntegerLiteral):
        return None

    def generate(context, builder, sig, args):
        number = ir.IntType(64)(size.literal_value)
        return _row(context, builder, cgutils.alloca_once(builder, ir.DoubleType(), size=number), number)

    return _ROW(size), generate


row_of: Any = intrinsic(_row_of)
new_row: Any = intrinsic(prefer_literal=True)(_new_row)


def spread_out(kind: str, function: Callable[..., Any], *, of: Callable[..., Any]) -> Callable[..., Any]:
    """Return what is compiled for a function of a kind in SPREAD.

    function: what compiled code may call; of: whose code it is known as.
    """

    def law(t, y, ny, r, nr, q, nq, z, nz, u, nu):
        function(t, row_of(y, ny), row_of(r, nr), row_of(q, nq), row_of(z, nz), row_of(u, nu))

    def reference(t, q, nq, r, nr):
        function(t, row_of(q, nq), row_of(r, nr))

    def block(t, y, ny, q, nq, z, nz, v, nv):
        function(t, row_of(y, ny), row_of(q, nq), row_of(z, nz), row_of(v, nv))

    def user(t, x, nx, p, np, dx, ndx, w, nw):
        function(t, row_of(x, nx), row_of(p, np), row_of(dx, ndx), row_of(w, nw))

    def element(phase, t, x, nx, u, nu, p, np, row, w, nw):
        function(phase, t, row_of(x, nx), row_of(u, nu), row_of(p, np), row, row_of(w, nw))

    found: Any = {"law": law, "reference": reference, "block": block, "user": user, "element": element}[kind]
    found.__module__, found.__name__, found.__qualname__ = of.__module__, of.__name__, f"{of.__qualname__}.spread_out"
    return found
