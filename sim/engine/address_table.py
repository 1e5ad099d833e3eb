"""Address table that passes functions and arrays to an entry of the engine's library."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def table_of(functions: Sequence[int], arrays: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Return the address table of an entry, (n,): functions, then address and extents of each array.

    functions: addresses of the functions.
    arrays: contiguous arrays of 8-byte numbers, in the order in which the entry reads them
    (`polhode.sim.engine.loop_arrays`). The arrays must outlive the table.
    """
    numbers = list(functions)
    for array in arrays:
        if not array.flags.c_contiguous or array.itemsize != 8:
            raise TypeError(f"compiled code takes contiguous arrays of 8-byte numbers; got {array.dtype}")
        numbers += [_place(array), *array.shape]
    return np.array(numbers, dtype=np.int64)


def _place(array: NDArray[Any]) -> int:
    """Return the address of an array; for a writable array it is read from the buffer, four times faster."""
    if array.size and array.flags.writeable:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # pyright: ignore[reportArgumentType] # arrays have a buffer
    return array.ctypes.data
