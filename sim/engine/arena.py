"""Contiguous memory of a run: an address table for compiled code, followed by all arrays of the run.

Most runs of a batch have the same arrays and settings. They share a pattern that is computed once; each run copies the
pattern and adds its own values.
"""

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .loop_arrays import kinds_of

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Shape = tuple[int, ...]

_DOUBLE = np.dtype(np.float64)


class _Cut(NamedTuple):
    """Place of an array in an arena: whether it holds integers, first index, end index, and shape."""

    whole: bool
    first: int
    last: int
    shape: Shape


class Pattern(NamedTuple):
    """Common initial contents of several arenas.

    cuts: place of each array; size: total length; unset: index from which contents are arbitrary; head: start of the
    memory, which is the table of `polhode.sim.engine.address_table.table_of` without functions and with byte offsets
    instead of addresses; addresses: 1 at these offsets, otherwise 0; functions: number of entries reserved for
    functions; own: the arrays directly after the head, in order; shapes: shape of each array.
    """

    bundle: type[Any]
    cuts: Mapping[str, _Cut]
    size: int
    unset: int
    head: Array
    addresses: Numbers
    functions: int
    own: tuple[str, ...]
    shapes: tuple[Shape, ...]

    def arena(self, contents: Sequence[NDArray[Any]]) -> "Arena":
        """Return a new arena with a copy of the pattern.

        contents: contents of the arrays in `own`. The last one may be shorter than its array; the remainder is zero.
        """
        memory = np.empty(self.size)
        numbers = [self.head, *[each if each.dtype is _DOUBLE and each.ndim == 1 else _flat(each) for each in contents]]
        end = sum(map(len, numbers))
        np.concatenate(numbers, out=memory[:end])
        memory[end : self.unset] = 0.0
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))  # pyright: ignore[reportArgumentType] # arrays have a buffer
        whole = memory.view(np.int64)
        whole[: self.addresses.size] += address * self.addresses
        return Arena(self, memory, whole, address)


def _flat(array: NDArray[Any]) -> Array:
    """Return the values as one row of doubles; integers keep their bits."""
    row = array if array.ndim == 1 else array.ravel()
    if row.dtype == _DOUBLE:  # the dtype of an array from another process is equal, but not identical
        return row
    return row.astype(np.int64).view(np.float64)


class _Arrays:
    """The arrays of an arena by field name, each created on first use."""

    def __init__(self, cuts: Mapping[str, _Cut], numbers: Array, whole: Numbers) -> None:
        self._cuts, self._numbers, self._whole = cuts, numbers, whole

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (getattr(self, name) for name in self._cuts)


class _Field:
    """Descriptor of one array of an arena."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, arrays: Any, _: object = None) -> NDArray[Any]:
        whole, first, last, shape = arrays._cuts[self._name]  # noqa: SLF001 # private to this module
        row = (arrays._whole if whole else arrays._numbers)[first:last]  # noqa: SLF001
        array = arrays.__dict__[self._name] = row if len(shape) == 1 else row.reshape(shape)
        return array


@cache
def _arrays_of(bundle: type[Any]) -> type[_Arrays]:
    return type(bundle.__name__, (_Arrays,), {name: _Field(name) for name in bundle._fields})


class Arena:
    """Arrays of a run, and the memory that contains them.

    arrays: the arrays by field name, like the NamedTuple of the pattern.
    """

    def __init__(self, pattern: Pattern, memory: Array, whole: Numbers, address: int) -> None:
        self.pattern, self._memory, self._whole, self._address = pattern, memory, whole, address
        self.arrays: Any = _arrays_of(pattern.bundle)(pattern.cuts, memory, whole)

    def table(self, functions: Sequence[int]) -> int:
        """Write the functions to the address table, and return its address for an entry."""
        self._whole[: self.pattern.functions] = functions
        return self._address

    def places(self, sizes: Mapping[str, int]) -> Numbers:
        """Return the indices in this arena of the first numbers of some arrays; sizes: how many of each."""
        cuts = self.pattern.cuts
        return np.concatenate([np.arange(cuts[name].first, cuts[name].first + size) for name, size in sizes.items()])

    def at(self, places: Numbers) -> Numbers:
        """Return the bit patterns of the numbers at some indices (see `places`), doubles included."""
        return self._whole[places]

    def begun(self, own: tuple[str, ...]) -> Pattern:
        """Return the pattern of arenas with the initial contents of this one, except for the arrays in `own`."""
        head = self._memory[: self.pattern.cuts[own[0]].first].copy()
        head[: self.pattern.addresses.size] = self.pattern.head[: self.pattern.addresses.size]
        return self.pattern._replace(head=head, own=own)


def pattern_of(
    bundle: type[Any],
    contents: Mapping[str, Any],
    *,
    functions: int,
    own: Sequence[str] = (),
    results: Sequence[str] = (),
) -> Pattern:
    """Return the pattern of arenas for a NamedTuple of arrays.

    contents: for each field, the array shared by all arenas, or only its shape if the array starts as zeros or the
    field is in `own`; functions: number of function addresses at the head of the address table; own: fields that each
    arena sets; results: fields without initial contents, which are written before they are read.
    """
    kinds = kinds_of(bundle)
    shapes: dict[str, Shape] = {}
    for name, (_, dimensions) in kinds.items():
        given = contents[name]
        shapes[name] = given if isinstance(given, tuple) else given.shape
        if len(shapes[name]) != dimensions:
            raise TypeError(f"{name!r} must have {dimensions} dimensions; got shape {shapes[name]}")
    held = [name for name in kinds if not isinstance(contents[name], tuple)]
    first = functions + sum(1 + len(shape) for shape in shapes.values())
    places: dict[str, _Cut] = {}
    for name in dict.fromkeys((*held, *own, *(each for each in kinds if each not in results), *results)):
        last = first + prod(shapes[name])
        places[name] = _Cut(kinds[name][0] is np.int64, first, last, shapes[name])
        first = last
    table, addresses = [0] * functions, [0] * functions
    for name, shape in shapes.items():
        table += [8 * places[name].first, *shape]
        addresses += [1] + [0] * len(shape)
    flat = [np.asarray(contents[name], dtype=kinds[name][0]) for name in held]
    head = np.concatenate([_flat(each) for each in (np.array(table, dtype=np.int64), *flat)])
    return Pattern(
        bundle=bundle,
        cuts={name: places[name] for name in kinds},
        size=first,
        unset=places[results[0]].first if results else first,
        head=head,
        addresses=np.array(addresses, dtype=np.int64),
        functions=functions,
        own=tuple(own),
        shapes=tuple(shapes.values()),
    )
