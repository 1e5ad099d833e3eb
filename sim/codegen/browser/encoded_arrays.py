"""Arrays as JSON values: base64 of the little-endian bytes, with shape and data type."""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

KINDS = {"f8": np.dtype("<f8"), "i8": np.dtype("<i8")}


def encoded(array: NDArray[Any]) -> dict[str, Any]:
    """Return an array of 8-byte numbers as a JSON value.

    array: 64-bit real numbers or integers. The result has `shape` and `dtype` ("f8" or "i8"). An array of zeros has no
    other entry; a time grid has `step` and `last` (elements k * step except for the last one); any other array has
    `base64`, which holds the elements up to the last non-zero one. `decoded` returns bitwise identical elements.
    """
    dtype = "i8" if array.dtype.kind == "i" else "f8"
    found: dict[str, Any] = {"dtype": dtype, "shape": list(array.shape)}
    row = np.ascontiguousarray(array, dtype=KINDS[dtype])
    content = row.tobytes()
    if not any(content):
        return found
    if dtype == "f8" and row.ndim == 1 and row.size > 2 and row[0] == 0.0 and np.isfinite(row[1]):
        grid = row[1] * np.arange(row.size, dtype=np.float64)
        if grid[:-1].tobytes() == row[:-1].tobytes():
            return {**found, "step": row.item(1), "last": row.item(-1)}
    used = -(-len(content.rstrip(b"\0")) // row.itemsize) * row.itemsize
    return {**found, "base64": base64.b64encode(content[:used]).decode("ascii")}


def decoded(value: dict[str, Any]) -> NDArray[Any]:
    """Return the array encoded by `encoded`."""
    dtype, shape = KINDS[value["dtype"]], tuple(value["shape"])
    found = np.zeros(shape, dtype=dtype)
    if "base64" in value:
        numbers = np.frombuffer(base64.b64decode(value["base64"]), dtype=dtype)
        found.reshape(-1)[: numbers.size] = numbers
    if "step" in value:
        found[:] = value["step"] * np.arange(found.size)
        found[-1] = value["last"]
    return found
