"""The arrays of a bundle one behind the other in one piece of memory: made, and told to compiled code, at once."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bundle import kinds_of

__all__ = ["Slab", "slab_of"]

Numbers = NDArray[np.int64]
Shape = tuple[int, ...]


class _Places(NamedTuple):
    """Where arrays of some shapes stand.

    cuts: of each whether its numbers are whole, its first number and that behind its last, and its shape; table: byte
    from the first and extents of each, as `polhode.sim.machine.compiler.table_of` has them; addresses: 1 where bytes
    stand in it.
    """

    size: int
    cuts: tuple[tuple[bool, int, int, Shape], ...]
    table: Numbers
    addresses: Numbers


@lru_cache(maxsize=256)
def _places(bundle: type[Any], shapes: tuple[Shape, ...]) -> _Places:
    cuts: list[tuple[bool, int, int, Shape]] = []
    table: list[int] = []
    addresses: list[int] = []
    first = 0
    for (kind, dimensions), shape in zip(kinds_of(bundle).values(), shapes, strict=True):
        if len(shape) != dimensions:
            raise TypeError(f"an array of {dimensions} dimensions is wanted; got shape {shape}")
        cuts.append((kind is np.int64, first, first + prod(shape), shape))
        table += [8 * first, *shape]
        addresses += [1] + [0] * dimensions
        first = cuts[-1][2]
    return _Places(first, tuple(cuts), np.array(table, dtype=np.int64), np.array(addresses, dtype=np.int64))


class Slab(NamedTuple):
    """The arrays, and the memory they lie in."""

    arrays: Any
    memory: Numbers
    places: _Places

    def table(self, functions: Sequence[int]) -> Numbers:
        """Return the table through which an entry gets its functions and these arrays; they must outlive it."""
        address = self.memory.ctypes.data
        return np.concatenate((functions, self.places.table + address * self.places.addresses))


def slab_of(bundle: type[Any], contents: Mapping[str, Any]) -> Slab:
    """Return the arrays of a bundle.

    contents: of each field what it holds, which is copied, or its shape, where these are zeros.
    """
    given: list[Any] = [contents[name] for name in bundle._fields]
    shapes: list[Shape] = [each if isinstance(each, tuple) else each.shape for each in given]
    places = _places(bundle, tuple(shapes))
    memory = np.zeros(places.size, dtype=np.int64)
    numbers = memory.view(np.float64)
    arrays: list[Any] = []
    for (whole, first, last, shape), each in zip(places.cuts, given, strict=True):
        array = (memory if whole else numbers)[first:last]
        if len(shape) != 1:
            array = array.reshape(shape)
        if first < last and not isinstance(each, tuple):
            array[...] = each
        arrays.append(array)
    return Slab(bundle(*arrays), memory, places)
