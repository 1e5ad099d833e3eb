"""Changes in the arrays of a run when one value of its case changes."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....sim.codegen.browser.encoded_arrays import encoded

Arrays = Mapping[str, NDArray[Any]]
Cell = tuple[str, int]
"""One array element: name of the array, and index in the flattened array."""

Patch = dict[str, NDArray[Any] | dict[int, float | int]]
"""Change by array name: a replacement array, or the changed elements by flat index."""

MOST_CELLS = 400
"""If more elements of an array differ, the whole array is replaced."""

ROUNDING = 2e-14
"""Largest deviation of an affine cell from its straight line, relative to the largest magnitude of the cell."""


def difference(base: Arrays, other: Arrays) -> Patch:
    """Return the changes from the arrays `base` to `other`: single elements or replacement arrays."""
    found: Patch = {}
    for name, array in base.items():
        new = other[name]
        if new.shape != array.shape:
            found[name] = new
            continue
        places = np.flatnonzero(_bits(new) != _bits(array))
        numbers = new.reshape(-1)[places]
        if not places.size:
            continue
        if places.size > MOST_CELLS or not np.isfinite(numbers).all():
            found[name] = new
        else:
            found[name] = dict(zip(places.tolist(), numbers.tolist(), strict=True))
    return found


def _bits(array: NDArray[Any]) -> NDArray[np.int64]:
    return np.ascontiguousarray(array).reshape(-1).view(np.int64)


def applied(base: Arrays, patches: Sequence[Patch], adds: Mapping[Cell, float]) -> dict[str, NDArray[Any]]:
    """Return copies of arrays with patches applied and increments added, as `engine.js` does."""
    found = {name: array.copy() for name, array in base.items()}
    for patch in patches:
        for name, change in patch.items():
            if isinstance(change, dict):
                for place, number in change.items():
                    found[name].reshape(-1)[place] = number
            else:
                found[name] = change.copy()
    for (name, place), amount in adds.items():
        found[name].reshape(-1)[place] += amount
    return found


def close(one: Arrays, other: Arrays, adds: Mapping[Cell, float]) -> bool:
    """Return whether arrays are bitwise identical, except for rounding in the elements with increments."""
    for name in one:
        if one[name].shape != other[name].shape:
            return False
        for place in np.flatnonzero(_bits(one[name]) != _bits(other[name])).tolist():
            pair = one[name].reshape(-1)[place], other[name].reshape(-1)[place]
            size = max(*map(abs, pair), abs(adds.get((name, place), 0.0)))
            if (name, place) not in adds or not abs(pair[0] - pair[1]) <= ROUNDING * size:
                return False
    return True


def stated(patch: Patch) -> dict[str, Any]:
    """Return a patch as JSON values, in the form that `Engine.run` accepts."""
    arrays = {name: encoded(change) for name, change in patch.items() if not isinstance(change, dict)}
    return {"arrays": arrays, "cells": [[name, place, number] for (name, place), number in _numbers(patch)]}


def _numbers(patch: Patch) -> Iterator[tuple[Cell, float | int]]:
    for name, change in patch.items():
        if isinstance(change, dict):
            for place, number in change.items():
                yield (name, place), number


def cells_of(patch: Patch) -> set[Cell]:
    """Return the cells that a patch changes individually."""
    return {cell for cell, _ in _numbers(patch)}


def _whole(patches: Sequence[Patch]) -> bool:
    return any(not isinstance(change, dict) for patch in patches for change in patch.values())


def straight_cells(values: Sequence[float], patches: Sequence[Patch]) -> dict[Cell, float]:
    """Return the cells that hold the value of a continuous slider (factor 1) or its negative (factor -1).

    values: slider values except the value of the case; patches: patch of each value. Returns the factor of each cell.
    The result is empty if the patches change any other cell.
    """
    found: dict[Cell, float] = {}
    if _whole(patches):
        return {}
    for value, patch in zip(values, patches, strict=True):
        for cell, number in _numbers(patch):
            if value == 0.0 or abs(number) != abs(value):
                return {}
            sign = math.copysign(1.0, number * value)
            if found.setdefault(cell, sign) != sign:
                return {}
        if cells_of(patch) != set(found):
            return {}
    return found


def affine_cells(base: Arrays, start: float, values: Sequence[float], patches: Sequence[Patch]) -> dict[Cell, float]:
    """Return the slopes of the changed cells; empty unless all are affine in the slider value.

    start: value of the case; values: all other slider values, ascending; patches: patch of each value.
    """
    if _whole(patches) or any(cell[0] == "count" for patch in patches for cell in cells_of(patch)):
        return {}
    found: dict[Cell, float] = {}
    for name, place in sorted(set[Cell]().union(*map(cells_of, patches))):
        here = float(base[name].reshape(-1)[place])
        numbers = [float(_change(patch, name).get(place, here)) for patch in patches]
        far = max(range(len(values)), key=lambda n: abs(values[n] - start))
        slope = (numbers[far] - here) / (values[far] - start)
        size = max(abs(here), *map(abs, numbers))
        if any(
            abs(here + slope * (value - start) - number) > ROUNDING * size
            for value, number in zip(values, numbers, strict=True)
        ):
            return {}
        found[name, place] = slope
    return found


def _change(patch: Patch, name: str) -> Mapping[int, float | int]:
    change = patch.get(name, {})
    assert isinstance(change, dict)  # noqa: S101 # the callers exclude whole arrays
    return change
