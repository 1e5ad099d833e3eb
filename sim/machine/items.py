# pyright: basic
# (numba has no type stubs, and this file changes its inner works)
"""One number of an array, in compiled code, without the whole array being put into memory for it.

For each a[i] numba puts the seven parts of the array on the stack and reads back shape, strides and address; whole
optimisations take that out again. Kernels have contiguous arrays and integers from 0 on (a test looks): the address is
the array's and the place in it, and an index is taken as it stands, without the length of the array being added to one
below zero, which is a fifth of the time of a step with elements.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["NEEDED", "plain_items"]

NEEDED = {
    "numba.np.arrayobj": ("make_array", "basic_indexing", "fix_integer_index"),
    "numba.core.cgutils": ("unpack_tuple",),
}
"""What is changed or called, by module."""


def plain_items() -> dict[tuple[Any, str], Callable[..., Any]]:
    """What stands in for what while kernels are compiled: from (owner, name) to the function."""
    from numba.np import arrayobj

    return {
        (arrayobj, "make_array"): _read_only(arrayobj.make_array),
        (arrayobj, "basic_indexing"): _placed(arrayobj.basic_indexing),
        (arrayobj, "fix_integer_index"): _as_it_stands,
    }


def _as_it_stands(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
    from numba.core import types

    return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)


def _placed(indexing: Callable[..., Any]) -> Callable[..., Any]:
    """The address of one number of a contiguous array; whatever else is asked for is left to numba."""
    from numba.core import cgutils, types

    def basic_indexing(
        context: Any, builder: Any, aryty: Any, ary: Any, index_types: Any, indices: Any, boundscheck: Any = None
    ) -> Any:
        whole = len(indices) == aryty.ndim and all(isinstance(each, types.Integer) for each in index_types)
        if not whole or not indices or boundscheck or aryty.layout != "C":
            return indexing(context, builder, aryty, ary, index_types, indices, boundscheck=boundscheck)
        first, *others = [
            _as_it_stands(context, builder, kind, index, None) for kind, index in zip(index_types, indices, strict=True)
        ]
        place = first
        if others:
            extents = cgutils.unpack_tuple(builder, ary.shape, aryty.ndim)
            for extent, index in zip(extents[1:], others, strict=True):
                place = builder.add(builder.mul(place, extent), index)
        return builder.gep(ary.data, [place]), (), ()

    return basic_indexing


def _read_only(make_array: Callable[..., Any]) -> Callable[..., Any]:
    """Of an array that is there, its parts as they are asked for; of one to be made, numba's own."""
    from numba.core import types

    def make(array_type: Any) -> Any:
        own = make_array(array_type)
        if not isinstance(array_type, types.Array):
            return own

        def array(context: Any, builder: Any, value: Any = None, ref: Any = None) -> Any:
            if value is None or ref is not None:
                return own(context, builder, value=value, ref=ref)
            return _Parts(context.data_model_manager[array_type], builder, value)

        return array

    return make


class _Parts:
    """The parts of an array in registers."""

    def __init__(self, model: Any, builder: Any, value: Any) -> None:
        self._model, self._builder, self._value = model, builder, value

    def __getattr__(self, name: str) -> Any:
        return self._builder.extract_value(self._value, self._model.get_field_position(name))

    def _getvalue(self) -> Any:
        return self._value
