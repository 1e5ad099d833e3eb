# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""The two functions that are compiled whole. Importing this module imports numba: `compiler` does, when needed.

Functions come in as integer addresses and are cast to functions of known signature inside compiled code: a call
from Python then costs under a microsecond, and the compiled engine fits every law.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .engine import advance
from .observe import observe

__all__ = ["ADVANCE", "OBSERVE", "SIGNATURES", "advance_entry", "observe_entry"]

_ROW = types.float64[::1]
_TABLE = types.float64[:, ::1]
_COUNTS = types.int64[::1]
_ADDRESS = types.int64

SIGNATURES = {
    "law": types.void(types.float64, _ROW, _ROW, _ROW, _ROW, _ROW),
    "reference": types.void(types.float64, _ROW, _ROW),
    "user": types.void(types.float64, _ROW, _ROW, _ROW),
}
"""The signatures of the functions that come in as addresses."""


def _function_at_address(kind: str) -> Any:
    function_type = types.FunctionType(SIGNATURES[kind])

    def cast(typing_context, address):
        def generate(context, builder, signature, arguments):
            pair = cgutils.create_struct_proxy(function_type)(context, builder)
            pair.c_addr = builder.inttoptr(arguments[0], pair.c_addr.type)
            return pair._getvalue()  # noqa: SLF001 # the one way to get it

        return function_type(types.int64), generate

    return intrinsic(cast)


_law = _function_at_address("law")
_reference = _function_at_address("reference")
_user = _function_at_address("user")

ADVANCE = (
    *(_ADDRESS,) * 3,
    *(_ROW,) * 8,
    _TABLE,
    *(_ROW,) * 2,
    _TABLE,
    _ROW,
    _COUNTS,
    _ROW,
    _TABLE,
    _ROW,
    *(_TABLE,) * 2,
)
"""Argument types of `advance_entry`."""

OBSERVE = (_ADDRESS, _ADDRESS, _ROW, _ROW, _ROW, _ROW, _TABLE, _TABLE, _ROW, _TABLE)
"""Argument types of `observe_entry`."""


def advance_entry(
    law, reference, user, x, u, p, q, rq, z, r, command, queue, limits, edges, schedule, clock, count, floors, work,
    out_t, out_x, out_u,
):  # fmt: skip
    """`polhode.sim.engine.advance` with addresses for its three functions."""
    return advance(
        _law(law), _reference(reference), _user(user), x, u, p, q, rq, z, r, command, queue, limits, edges, schedule,
        clock, count, floors, work, out_t, out_x, out_u,
    )  # fmt: skip


def observe_entry(reference, user, p, rq, r, t, x, u, dx, out):
    """`polhode.sim.observe.observe` with addresses for its two functions."""
    observe(_reference(reference), _user(user), p, rq, r, t, x, u, dx, out)
