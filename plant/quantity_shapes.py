"""Shapes of quantities, each with its check: a number, a vector, one number or one per axis, and so on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import (
    choice,
    each_positive,
    finite,
    non_negative,
    numbers,
    positive,
    unit_axis,
    unit_quaternion,
    vector,
    weight,
)
from .errors import InputError
from .hub.inertia import inertia_matrix

In = TypeVar("In")
Out = TypeVar("Out")
Array = NDArray[np.float64]

FINITE, POSITIVE, NON_NEGATIVE = "finite", "positive", "non-negative"


@dataclass(frozen=True)
class Shape(Generic[In, Out]):
    """Shape of a quantity, with a function that checks values.

    Parameters
    ----------
    check : callable
        check(name, value, unit, bound) returns the checked value or raises InputError; bound is one of `FINITE`,
        `POSITIVE` and `NON_NEGATIVE`.
    form : str
        Form in a case file: "number", "whole number", "share", "one or per axis", "vector", "quaternion",
        "vectors", "numbers", "number or numbers", "columns" (one vector per entry), "names", "direction" (a vector
        that rotates at a constant rate), "one or per entry", "matrix", "word" (one of `words`) or "values" (of a
        dispersion).
    words : tuple of str
        Admissible words for the form "word".
    """

    check: Callable[[str, In, str, str], Out]
    form: str = "number"
    words: tuple[str, ...] = ()

    def __call__(self, value: In) -> Out:
        """Return the checked value, with any unit and without bounds."""
        return self.check("value", value, "", FINITE)


def _number(name: str, value: float, unit: str, bound: str) -> float:
    return {FINITE: finite, POSITIVE: positive, NON_NEGATIVE: non_negative}[bound](name, value, unit)


def _per_axis(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    if bound != FINITE:
        return each_positive(name, value, unit=unit, zero=bound == NON_NEGATIVE)
    array = numbers(name, value, unit)
    return np.full(3, float(array)) if array.shape == () else vector(name, array, unit=unit)


def _vector(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    return vector(name, value, unit=unit)


def _positive_definite(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    matrix = weight(name, value, 3)
    lowest = float(np.linalg.eigvalsh(matrix).min())
    if lowest <= 0.0:
        raise InputError(f"{name} must be positive definite; its smallest eigenvalue is {lowest:g}")
    return matrix


def _count(name: str, value: int, unit: str, bound: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(f"{name} must be a whole number, 1 or more; got {value!r}")
    return int(value)


def _share(name: str, value: float, unit: str, bound: str) -> float:
    found = finite(name, value)
    if not 0.0 < found < 1.0:
        raise InputError(f"{name} must be a probability above 0 and below 1; got {found:g}")
    return found


def _names(name: str, value: str | Sequence[str], unit: str, bound: str) -> tuple[str, ...]:
    found = (value,) if isinstance(value, str) else tuple(value)
    if not found or not all(isinstance(each, str) for each in found):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(f"{name} must be names of signals; got {value!r}")
    return found


def one_of(*words: str) -> Shape[str, str]:
    """Return the shape of a quantity whose value is one of some words."""

    def check(name: str, value: str, unit: str, bound: str) -> str:
        choice(name, value, words)
        return value

    return Shape(check, "word", words)


def _small_matrix(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    array = numbers(name, value)
    if array.shape != (3, 3) or not (np.abs(array) < 0.5).all():
        raise InputError(
            f"{name} must be 3 x 3 numbers below 0.5 to add to the unit matrix; a scale error of 100 ppm is 1e-4"
        )
    return array


def _inertia(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    return inertia_matrix(value)


def _axis(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    return unit_axis(name, value)


def _several(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    array = numbers(name, value, unit)
    if array.ndim != 1 or not array.size:
        raise InputError(f"{name} must be one number or a sequence of numbers; got shape {array.shape}")
    for each in array.tolist():
        _number(name, each, unit, bound)
    return array


def _one_or_several(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    array = numbers(name, value, unit)
    return np.array(_number(name, float(array), unit, bound)) if array.ndim == 0 else _several(name, array, unit, bound)


def _columns(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    array = numbers(name, value, unit)
    if array.ndim != 2 or len(array) != 3:
        raise InputError(f"{name} must be 3 rows, one column per entry; got shape {array.shape}")
    return array


def _row(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    return numbers(name, value, unit).ravel() if np.size(value) else np.zeros(0)


def _matrix(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    array = np.atleast_2d(numbers(name, value, unit)) if np.size(value) else np.zeros((0, 0))
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError(f"{name} must be a square matrix, n rows of n numbers; got shape {array.shape}")
    return array


def _quaternion(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    return unit_quaternion(name, value)


NUMBER: Shape[float, float] = Shape(_number)
COUNT: Shape[int, int] = Shape(_count, "whole number")
NAMES: Shape[str | Sequence[str], tuple[str, ...]] = Shape(_names, "names")
PER_AXIS: Shape[ArrayLike, Array] = Shape(_per_axis, "one or per axis")
PER_ENTRY: Shape[float, float] = Shape(_number, "one or per entry")
VECTOR: Shape[ArrayLike, Array] = Shape(_vector, "vector")
AXIS: Shape[ArrayLike, Array] = Shape(_axis, "vector")
SEVERAL: Shape[ArrayLike, Array] = Shape(_several, "numbers")
ONE_OR_SEVERAL: Shape[ArrayLike, Array] = Shape(_one_or_several, "number or numbers")
COLUMNS: Shape[ArrayLike, Array] = Shape(_columns, "columns")
POSITIVE_DEFINITE: Shape[ArrayLike, Array] = Shape(_positive_definite, "one or per axis")
INERTIA: Shape[ArrayLike, Array] = Shape(_inertia, "inertia")
ROW: Shape[ArrayLike, Array] = Shape(_row, "numbers")
MATRIX: Shape[ArrayLike, Array] = Shape(_matrix, "matrix")
QUATERNION: Shape[ArrayLike, Array] = Shape(_quaternion, "quaternion")
SHARE: Shape[float, float] = Shape(_share, "share")
SMALL_MATRIX: Shape[ArrayLike, Array] = Shape(_small_matrix, "vectors")

# the same shapes for quantities that accept None (`optional=True`), for type checkers
OPTIONAL_NUMBER: Shape[float | None, float | None] = cast("Any", NUMBER)
OPTIONAL_VECTOR: Shape[ArrayLike | None, Array | None] = cast("Any", VECTOR)
OPTIONAL_AXIS: Shape[ArrayLike | None, Array | None] = cast("Any", AXIS)
OPTIONAL_SEVERAL: Shape[ArrayLike | None, Array | None] = cast("Any", SEVERAL)
OPTIONAL_PER_AXIS: Shape[ArrayLike | None, Array | None] = cast("Any", PER_AXIS)
OPTIONAL_INERTIA: Shape[ArrayLike | None, Array | None] = cast("Any", INERTIA)
DERIVED_NUMBER: Shape[float | None, float] = cast("Any", NUMBER)  # for fields in which `__post_init__` replaces None
OPTIONAL_COLUMNS: Shape[ArrayLike | None, Array | None] = cast("Any", COLUMNS)
