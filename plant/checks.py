"""Checks of user input. Each error names the quantity, the value, the bound and the remedy."""

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError
from .nearest import nearest_words

Array = NDArray[np.float64]

UNIT = 1e-6  # largest accepted deviation of the norm of Euler parameters from 1
ROUNDING = 2.0**-51
_DOUBLE = np.dtype(np.float64)
LARGEST, SMALLEST = 1e150, 1e-150  # bounds beyond which squares leave the range of double precision
PLAIN = ("str", "bool", "int", "float", "complex", "list", "tuple", "dict", "ndarray", "float64")
FEW = 16  # largest array that Python sums faster than numpy
LONGEST = 200  # longest quotation of an input in a message, characters


def _unit(unit: str) -> str:
    return f" ({unit})" if unit else ""


def _as_floats(name: str, value: Any, unit: str) -> Array:
    if type(value) is np.ndarray and value.dtype is _DOUBLE:
        return value.copy()
    if is_masked(value):
        raise InputError(f"{name} must be numbers{_unit(unit)} without masked entries; fill or remove these")
    try:
        array = np.array(value)
        if array.dtype is _DOUBLE:
            return array
        if array.dtype.kind not in "iuf":  # strings, booleans and objects are mistakes, not numbers
            raise TypeError
        return array.astype(np.float64)
    except Exception:  # noqa: BLE001 # numpy raises many exception types for non-numeric input
        raise InputError(f"{name} must be numbers{_unit(unit)}; got {_quoted(value)}") from None


def is_masked(value: Any) -> bool:
    """Return whether an array has masked elements, whose values numpy would otherwise use silently."""
    return hasattr(value, "filled") and bool(np.any(getattr(value, "mask", False)))


def _quoted(value: Any) -> str:
    """Return an input as text for a message, at most `LONGEST` characters."""
    kind = value.__name__ if isinstance(value, type) else type(value).__name__
    words = repr(value) if value is None or kind in PLAIN else f"a {kind}"
    return words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."


def of_kind(name: str, value: Any, kind: Any, *, such_as: str) -> None:
    """Raise InputError unless an object is an instance of a class or matches a protocol.

    name: argument, for the message; value: object to check; kind: expected class or protocol; such_as: description of
    a valid argument, for the message. Raises InputError if the object does not match.

    Examples
    --------
    >>> of_kind("basis", 3.0, str, such_as="a word")
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: basis must be a word; got 3.0
    """
    if _fits(value.__class__, kind):
        return
    if getattr(kind, "_is_protocol", False) and _matches(value, kind):
        return
    if not isinstance(value, kind):
        raise InputError(f"{name} must be {such_as}; got {_quoted(value)}")


@cache
def _fits(made_of: type, kind: Any) -> bool:
    """Return whether a class is of a kind: a subclass, or a class with all members of a protocol."""
    if getattr(kind, "_is_protocol", False):
        return _missing(made_of, kind) == ()
    return issubclass(made_of, kind)


@cache
def _members(kind: Any) -> tuple[str, ...]:
    """Return the public names that a protocol declares."""
    declared = {name for base in kind.__mro__ for name in getattr(base, "__annotations__", {})}
    return tuple(name for name in {*dir(kind), *declared} if not name.startswith("_"))


@cache
def _missing(made_of: type, kind: Any) -> tuple[str, ...] | None:
    """Return the members of a protocol that a class lacks, or None for a protocol without public names."""
    members = _members(kind)
    return tuple(name for name in members if not hasattr(made_of, name)) if members else None


def _matches(value: Any, kind: Any) -> bool:
    """Return whether an object has all members of a protocol; unlike `isinstance`, evaluate no property."""
    missing = _missing(value.__class__, kind)
    if missing is None:
        return False
    return not missing or all(name in getattr(value, "__dict__", {}) for name in missing)


def numbers(name: str, value: ArrayLike, unit: str = "") -> Array:
    """Return `value` as an array of finite float64 numbers, of any shape.

    name: quantity, for the message; value: input; unit: unit, for the message -> copy in double precision. Raises
    InputError if the input is not numeric, or a number is not finite or too large to be squared.
    """
    return _bounded(name, _as_floats(name, value, unit), unit)


def _bounded(name: str, array: Array, unit: str) -> Array:
    """Return the array; raise InputError if a number is not finite or too large."""
    if array.size <= FEW and sum(map(abs, array.ravel().tolist())) <= LARGEST:  # the sum bounds each number
        return array
    if not array.size or np.abs(array).max() <= LARGEST:  # false if any value is NaN
        return array
    if not np.isfinite(array).all():
        raise InputError(f"{name} must be finite{_unit(unit)}; got {_quoted(array.tolist())}")
    raise InputError(f"{name} must be at most {LARGEST:g} in magnitude{_unit(unit)}; got {_quoted(array.tolist())}")


def each_positive(name: str, value: ArrayLike, size: int = 3, *, unit: str = "", zero: bool = False) -> Array:
    """Return one positive number per axis; a scalar applies to all axes.

    name: quantity, for the message; value () or (size,): input; size: number of axes; unit: unit, for the message;
    zero: whether zero is accepted -> (size,). Raises InputError if the shape is wrong or a number is out of range.
    """
    array = numbers(name, value, unit)
    if array.shape == ():
        return np.full(size, (non_negative if zero else positive)(name, float(array), unit))
    array = vector(name, array, size, unit)
    if (array < (0.0 if zero else SMALLEST)).any():
        bound = "must not be negative" if zero else "must be greater than 0"
        raise InputError(f"{name} {bound}{_unit(unit)} on every axis; got {array.tolist()}")
    return array


def vector(name: str, value: ArrayLike, size: int = 3, unit: str = "") -> Array:
    """Return `value` as a finite float64 vector.

    name: quantity, for the message; value (size,): input; size: number of components; unit: unit, for the message
    -> (size,): copy in double precision. Raises InputError if the shape differs or a component is not finite.

    Examples
    --------
    >>> vector("rate", (0, 0.1, 0), unit="rad/s")
    array([0. , 0.1, 0. ])
    """
    array = _as_floats(name, value, unit)
    if array.shape != (size,):
        raise InputError(f"{name} must be {size} numbers{_unit(unit)}; got shape {array.shape}")
    return _bounded(name, array, unit)


def finite(name: str, value: float, unit: str = "") -> float:
    """Return `value` as a finite float.

    name: quantity, for the message; value: input; unit: unit, for the message -> the number. Raises InputError if the
    input is not a single finite number.
    """
    if isinstance(value, float) and -LARGEST <= value <= LARGEST:  # numpy.float64 is a float too
        return float(value)
    array = _as_floats(name, value, unit)
    if array.shape != ():
        raise InputError(f"{name} must be one number{_unit(unit)}; got shape {array.shape}")
    number = float(array)
    if not math.isfinite(number):
        raise InputError(f"{name} must be finite{_unit(unit)}; got {number}")
    return float(_bounded(name, array, unit))


def positive(name: str, value: float, unit: str = "") -> float:
    """Return `value` as a finite float above zero.

    name: quantity, for the message; value: input; unit: unit, for the message -> the number. Raises InputError if the
    input is not a single finite number greater than zero.
    """
    number = finite(name, value, unit)
    if number <= 0.0:
        raise InputError(f"{name} must be greater than 0{_unit(unit)}; got {number:g}")
    if number < SMALLEST:
        raise InputError(f"{name} must be at least {SMALLEST:g}{_unit(unit)}; got {number:g}")
    return number


def non_negative(name: str, value: float, unit: str = "") -> float:
    """Return `value` as a finite float that is not negative.

    name: quantity, for the message; value: input; unit: unit, for the message -> the number. Raises InputError if the
    input is not a single finite number, zero or greater.
    """
    number = finite(name, value, unit)
    if number < 0.0:
        raise InputError(f"{name} must not be negative{_unit(unit)}; got {number:g}")
    return number


def choice(name: str, value: str, options: Iterable[str]) -> str:
    """Return `value` if it is among the options; otherwise raise an error that suggests the nearest.

    name: quantity, for the message; value: input; options: allowed words -> the input. Raises InputError if the word is
    not among the options.

    Examples
    --------
    >>> choice("torque basis", "dual", ("body", "dual-euler"))
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: torque basis 'dual' is unknown; did you mean 'dual-euler'? (body, dual-euler)
    """
    allowed = list(options)
    if isinstance(value, str) and value in allowed:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        return value
    near = nearest_words(str(value), allowed)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ";"
    raise InputError(f"{name} {_quoted(value)} is unknown{hint} ({', '.join(allowed)})")


def norms(e: Array) -> Array:
    """Return the norms of sets of Euler parameters, bitwise identical for single sets and batches.

    e (..., 4): Euler parameters -> (...). A norm within rounding of 1 is returned as 1, so that normalised parameters
    are not rounded again.
    """
    size = np.sqrt(e[..., 0] * e[..., 0] + e[..., 1] * e[..., 1] + e[..., 2] * e[..., 2] + e[..., 3] * e[..., 3])
    return np.where(np.abs(size - 1.0) <= ROUNDING, 1.0, size)


def unit_axis(name: str, axis: ArrayLike) -> NDArray[np.float64]:
    """Return a direction as a unit vector.

    name: axis, for the message; axis (3,): body components, any non-zero length -> (3,). Raises InputError if the
    length is zero.
    """
    direction = vector(name, axis)
    length = float(np.linalg.norm(direction))
    if length == 0.0:
        raise InputError(f"{name} must have a direction; got (0, 0, 0)")
    return direction / length


def unit_quaternion(name: str, value: ArrayLike, *, tolerance: float = UNIT) -> Array:
    """Return four Euler parameters scaled to unit norm.

    name: quantity, for the message.
    value (4,): Euler parameters, scalar first.
    tolerance: largest deviation of the norm from 1; the default accepts values rounded for printing and rejects
    mistakes. -> (4,): normalised Euler parameters.
    Raises InputError if the shape is wrong or the norm deviates from 1 by more than the tolerance.
    """
    e = vector(name, value, 4)
    a, b, c, d = e.tolist()
    norm = math.sqrt(a * a + b * b + c * c + d * d)  # same rounding as in `norms`
    if abs(norm - 1.0) <= ROUNDING:
        return e
    if abs(norm - 1.0) > tolerance:
        raise InputError(
            f"{name} must be unit Euler parameters, scalar first: the norm of {e.tolist()} is {norm:.9g}, "
            f"further from 1 than {tolerance:g}; divide by the norm if only the direction matters"
        )
    return e / norm


def weight(name: str, value: ArrayLike, size: int) -> Array:
    """Return a symmetric weight matrix from a number, a diagonal or a matrix.

    name: quantity, for the message; value (), (size,) or (size, size): the weight; size: number of rows of the matrix
    -> (size, size): symmetric positive semidefinite matrix. Raises InputError if the shape is wrong, an entry is not
    finite, or the matrix is asymmetric or indefinite.
    """
    array = numbers(name, value)
    if array.shape == ():
        array = float(array) * np.eye(size)
    elif array.shape == (size,):
        array = np.diag(array)
    elif array.shape != (size, size):
        raise InputError(f"{name} must be a number, {size} numbers or {size} x {size}; got shape {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{name} must be finite; got {array.tolist()}")
    scale = float(np.abs(array).max())
    if float(np.abs(array - array.T).max()) > 1e-12 * scale:
        raise InputError(f"{name} must be symmetric; got {array.tolist()}")
    lowest = float(np.linalg.eigvalsh(array).min())
    if lowest < -1e-12 * scale:
        raise InputError(f"{name} must not be negative; its smallest eigenvalue is {lowest:g}")
    return 0.5 * (array + array.T)
