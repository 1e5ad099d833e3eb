"""Reading of arrays from MATLAB files of versions 4 to 7, with all lengths checked.

scipy's reader crashes on damaged files. Source of the format: The MathWorks, MAT-File Format (R2023b), level 4 and
level 5. Files of version 7.3 are HDF5 and are rejected, as are structures, objects and sparse matrices among the
requested names.
"""

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError

Order = Literal["<", ">"]
TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
TEXTS = {16: "utf-8", 17: "utf-16", 18: "utf-32", 4: "utf-16", 2: "latin-1", 1: "latin-1"}
CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
CELL, CHAR = 1, 4
OTHERS = {2: "a structure", 3: "an object", 5: "a sparse matrix", 16: "a function", 17: "an object"}
MATRIX, PACKED = 14, 15
COMPLEX, LOGICAL = 0x0800, 0x0200
LEVEL_4 = ("f8", "f4", "i4", "i2", "u2", "u1")
DEEPEST = 4  # deepest nesting of cells
HEADER = 128


@dataclass(frozen=True)
class _Element:
    """Data element of a MAT-file: type and bytes."""

    kind: int
    data: bytes


def read_mat(data: bytes, names: Collection[str], *, most: int) -> dict[str, NDArray[Any]]:
    """Return the arrays with the requested names in a MATLAB file.

    data: content of the file; names: requested arrays (missing ones are omitted); most: largest total size of
    the arrays, bytes -> arrays by name: numbers as numbers, logical values as bool, text as an array of rows, a cell
    as an array of objects. Raises InputError when the file is damaged, is of version 7.3, or exceeds `most`.
    """
    if len(data) >= 4 and 0 in data[:4]:
        return _level_4(data, names, most)
    if len(data) < HEADER or data[126:128] not in {b"IM", b"MI"}:
        raise InputError("is not a MATLAB file")
    order: Order = "<" if data[126:128] == b"IM" else ">"
    if int(np.frombuffer(data, order + "u2", 1, 124)[0]) != 0x0100:
        raise InputError('is a MATLAB file of version 7.3; save it with "-v7"')
    found: dict[str, NDArray[Any]] = {}
    left = most
    for element in _elements(data[HEADER:], order):
        if element.kind == PACKED:
            inside = _unpacked(element.data, left)
            left -= len(inside)
            element = next(_elements(inside, order), element)  # noqa: PLW2901 # the decompressed element
        if element.kind != MATRIX:
            raise InputError("is damaged: one of its elements is not an array")
        name, read = _matrix(element.data, order, names)
        if name in names:
            found[name] = read
    return found


def _elements(data: bytes, order: Order) -> Iterator[_Element]:
    """Iterate over the data elements in order."""
    at = 0
    while at < len(data):
        if len(data) - at < 8:
            raise InputError("is damaged: it ends within an element")
        first, size = (int(word) for word in np.frombuffer(data, order + "u4", 2, at))
        if first >> 16:  # small data element: size and type in one word, data in the next
            kind, size, start, after = first & 0xFFFF, first >> 16, at + 4, at + 8
            if size > 4:
                raise InputError("is damaged: a small element is too long")
        else:
            kind, start = first, at + 8
            after = start + size + (0 if kind == PACKED else -size % 8)
        if start + size > len(data):
            raise InputError("is damaged: an element is longer than the file")
        yield _Element(kind, data[start : start + size])
        at = after


def _unpacked(data: bytes, most: int) -> bytes:
    machine = zlib.decompressobj()
    try:
        found = machine.decompress(data, most + 1)
    except zlib.error as error:
        raise InputError(f"is damaged: an array cannot be unpacked ({error})") from None
    if len(found) > most:
        raise InputError(f"holds more than {most} bytes of numbers, which is too large")
    if not machine.eof:
        raise InputError("is damaged: a packed array is cut off")
    return found


def _matrix(data: bytes, order: Order, names: Collection[str], depth: int = 0) -> tuple[str, NDArray[Any]]:
    """Return the name of an array, and the array itself if its name is requested or it is in a cell."""
    parts = _elements(data, order)
    flags = _words(_next(parts), order, 6, "its kind")
    shape = tuple(int(each) for each in _words(_next(parts), order, 5, "its size"))
    label = _next(parts)
    if flags.size != 2 or len(shape) < 2 or min(shape) < 0 or label.kind not in {1, 2, 16}:
        raise InputError("is damaged: an array has no valid kind, size and name")
    name = label.data.decode("latin-1")
    if depth == 0 and name not in names:
        return name, np.empty(0)
    kind, count = int(flags[0]) & 0xFF, prod(shape)
    if kind == CELL:
        if depth == DEEPEST or count > len(data):
            raise InputError(f"is damaged: {name} has more cells than the file can contain")
        cells = np.empty(count, dtype=object)
        for k in range(count):
            inner = _next(parts)
            if inner.kind != MATRIX:
                raise InputError(f"is damaged: a cell of {name} is not an array")
            cells[k] = _matrix(inner.data, order, names, depth + 1)[1] if inner.data else np.empty((0, 0))
        return name, cells.reshape(shape, order="F")
    if kind == CHAR:
        return name, _text(_next(parts), order, shape, name)
    if kind not in CLASSES:
        raise InputError(f"{name} is {OTHERS.get(kind, 'of an unknown kind')}, but must be an array of numbers or text")
    real = _numbers(_next(parts), order, count, name).astype(CLASSES[kind])
    if int(flags[0]) & COMPLEX:
        real = real + 1j * _numbers(_next(parts), order, count, name)
    elif int(flags[0]) & LOGICAL:
        real = real.astype(np.bool_)
    return name, real.reshape(shape, order="F")


def _next(parts: Iterator[_Element]) -> _Element:
    found = next(parts, None)
    if found is None:
        raise InputError("is damaged: an array lacks a part")
    return found


def _words(element: _Element, order: Order, kind: int, what: str) -> NDArray[Any]:
    if element.kind != kind or len(element.data) % 4:
        raise InputError(f"is damaged: an array does not give {what}")
    return np.frombuffer(element.data, order + TYPES[kind])


def _numbers(element: _Element, order: Order, count: int, name: str) -> NDArray[Any]:
    """Return numeric data of any stored type; MATLAB may store doubles with small integer values as bytes."""
    kind = TYPES.get(element.kind)
    if kind is None or len(element.data) != count * np.dtype(kind).itemsize:
        raise InputError(f"is damaged: {name} does not have the {count} numbers of its size")
    return np.frombuffer(element.data, order + kind)


def _text(element: _Element, order: Order, shape: tuple[int, ...], name: str) -> NDArray[Any]:
    """Return the rows of a character array."""
    kind = TEXTS.get(element.kind)
    if kind is None or len(shape) != 2:
        raise InputError(f"is damaged: {name} is not text")
    wide = f"{kind}-{'le' if order == '<' else 'be'}" if kind in {"utf-16", "utf-32"} else kind
    try:
        letters = element.data.decode(wide)
    except UnicodeDecodeError as error:
        raise InputError(f"is damaged: {name} is not text ({error.reason})") from None
    if len(letters) != prod(shape):
        raise InputError(f"is damaged: {name} has {len(letters)} letters, but its size is {prod(shape)}")
    rows = ["".join(letters[row :: shape[0]]) for row in range(shape[0])] if shape[1] else []
    return np.array(rows, dtype=np.str_)


def _level_4(data: bytes, names: Collection[str], most: int) -> dict[str, NDArray[Any]]:
    """Return the requested arrays of a version 4 file, which has no header."""
    found: dict[str, NDArray[Any]] = {}
    at = 0
    while at < len(data):
        head = data[at : at + 20]
        if len(head) < 20:
            raise InputError("is damaged: it ends within an array")
        order: Order = "<" if int.from_bytes(head[:4], "little") < 5000 else ">"
        mopt, rows, columns, imaginary, length = (int(word) for word in np.frombuffer(head, order + "i4"))
        machine, reserved, kind, what = (mopt // 10**k % 10 for k in (3, 2, 1, 0))
        good = 0 <= mopt < 5000 and machine < 2 and not reserved and kind < len(LEVEL_4) and what < 3
        if not good or rows < 0 or columns < 0 or imaginary not in {0, 1} or not 1 <= length <= len(data):
            raise InputError("is not a MATLAB file, or is damaged: an array has no valid kind and size")
        stored = np.dtype(order + LEVEL_4[kind])
        count = rows * columns
        start, size = at + 20 + length, count * stored.itemsize
        end = start + size * (1 + imaginary)
        if end > len(data) or size > most:
            raise InputError("is damaged: an array is longer than the file")
        name = data[at + 20 : start].split(b"\0")[0].decode("latin-1")
        at = end
        if name not in names:
            continue
        if what == 2:
            raise InputError(f"{name} is a sparse matrix, but must be an array of numbers or text")
        values = np.frombuffer(data, stored, count, start)
        if what == 1:
            found[name] = _rows_of_text(values, rows, columns, name)
        else:
            found[name] = _table(values, data, start + size, imaginary).reshape((rows, columns), order="F")
    return found


def _table(values: NDArray[Any], data: bytes, start: int, imaginary: int) -> NDArray[Any]:
    real = values.astype(values.dtype.newbyteorder("="))
    return real + 1j * np.frombuffer(data, values.dtype, values.size, start) if imaginary else real


def _rows_of_text(values: NDArray[Any], rows: int, columns: int, name: str) -> NDArray[Any]:
    codes = values.astype(np.float64)
    if not ((codes >= 0) & (codes < 0xD800)).all():
        raise InputError(f"is damaged: {name} is not text")
    letters = [chr(int(code)) for code in codes]
    return np.array(["".join(letters[row::rows]) for row in range(rows)] if columns else [], dtype=np.str_)
