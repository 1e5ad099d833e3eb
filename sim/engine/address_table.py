"""The table through which an entry of the engine's library gets its functions and arrays."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def table_of(functions: Sequence[int], arrays: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Return the table of an entry, shape (n,): addresses of functions, then address and extents of each array.

    functions: addresses.
    arrays: contiguous arrays of 8-byte numbers, in the order in which the entry reads them
    (`polhode.sim.engine.loop_arrays`). They must outlive the table.
    """
    numbers = list(functions)
    for array in arrays:
        if not array.flags.c_contiguous or array.itemsize != 8:
            raise TypeError(f"compiled code takes contiguous arrays of 8-byte numbers; got {array.dtype}")
        numbers += [_place(array), *array.shape]
    return np.array(numbers, dtype=np.int64)


def _place(array: NDArray[Any]) -> int:
    """The address of an array: by its buffer if it is writable, in a quarter of the time."""
    if array.size and array.flags.writeable:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # pyright: ignore[reportArgumentType] # arrays have a buffer
    return array.ctypes.data
