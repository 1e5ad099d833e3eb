"""Checks of what comes in from a user, each with one message: quantity, value, bound, way out."""

import difflib
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError

__all__ = [
    "choice",
    "finite",
    "non_negative",
    "positive",
    "unit_quaternion",
    "vector",
    "weight",
]

Array = NDArray[np.float64]


def _unit(unit: str) -> str:
    return f" ({unit})" if unit else ""


def _as_floats(name: str, value: Any, unit: str) -> Array:
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iuf":  # strings, booleans and objects are mistakes, not numbers
            raise TypeError
        return array.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers{_unit(unit)}; got {value!r}") from None


def vector(name: str, value: ArrayLike, size: int = 3, unit: str = "") -> Array:
    """Return `value` as a finite float64 vector.

    Parameters
    ----------
    name : str
        What the quantity is called in the message.
    value : array_like, shape (size,)
        What was given.
    size : int
        The number of components wanted.
    unit : str
        The unit, for the message.

    Returns
    -------
    numpy.ndarray, shape (size,)
        A copy in double precision.

    Raises
    ------
    InputError
        When the shape differs or a component is not a finite number.

    Examples
    --------
    >>> vector("rate", (0, 0.1, 0), unit="rad/s")
    array([0. , 0.1, 0. ])
    """
    array = _as_floats(name, value, unit)
    if array.shape != (size,):
        raise InputError(f"{name} must be {size} numbers{_unit(unit)}; got shape {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{name} must be finite{_unit(unit)}; got {array.tolist()}")
    return array


def finite(name: str, value: float, unit: str = "") -> float:
    """Return `value` as a finite float.

    Parameters
    ----------
    name : str
        What the quantity is called in the message.
    value : float
        What was given.
    unit : str
        The unit, for the message.

    Returns
    -------
    float
        The number.

    Raises
    ------
    InputError
        When it is not one finite number.
    """
    array = _as_floats(name, value, unit)
    if array.shape != ():
        raise InputError(f"{name} must be one number{_unit(unit)}; got shape {array.shape}")
    number = float(array)
    if not math.isfinite(number):
        raise InputError(f"{name} must be finite{_unit(unit)}; got {number}")
    return number


def positive(name: str, value: float, unit: str = "") -> float:
    """Return `value` as a finite float above zero.

    Parameters
    ----------
    name : str
        What the quantity is called in the message.
    value : float
        What was given.
    unit : str
        The unit, for the message.

    Returns
    -------
    float
        The number.

    Raises
    ------
    InputError
        When it is not one finite number greater than zero.
    """
    number = finite(name, value, unit)
    if number <= 0.0:
        raise InputError(f"{name} must be greater than 0{_unit(unit)}; got {number:g}")
    return number


def non_negative(name: str, value: float, unit: str = "") -> float:
    """Return `value` as a finite float of at least zero.

    Parameters
    ----------
    name : str
        What the quantity is called in the message.
    value : float
        What was given.
    unit : str
        The unit, for the message.

    Returns
    -------
    float
        The number.

    Raises
    ------
    InputError
        When it is not one finite number, zero or greater.
    """
    number = finite(name, value, unit)
    if number < 0.0:
        raise InputError(f"{name} must not be negative{_unit(unit)}; got {number:g}")
    return number


def choice(name: str, value: str, options: Iterable[str]) -> str:
    """Return `value` if it is one of the options; otherwise name the nearest.

    Parameters
    ----------
    name : str
        What the quantity is called in the message.
    value : str
        What was given.
    options : iterable of str
        The words allowed.

    Returns
    -------
    str
        The word given.

    Raises
    ------
    InputError
        When the word is not among the options.

    Examples
    --------
    >>> choice("torque basis", "dual", ("body", "dual-euler"))
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: torque basis 'dual' is unknown; did you mean 'dual-euler'? (body, dual-euler)
    """
    allowed = list(options)
    if value in allowed:
        return value
    near = difflib.get_close_matches(str(value), allowed, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    raise InputError(f"{name} {value!r} is unknown{hint} ({', '.join(allowed)})")


def unit_quaternion(name: str, value: ArrayLike, *, tolerance: float = 1e-6) -> Array:
    """Return four Euler parameters scaled to unit norm.

    Parameters
    ----------
    name : str
        What the quantity is called in the message.
    value : array_like, shape (4,)
        Euler parameters, scalar first.
    tolerance : float
        How far the norm given may be from one: digits lost in print are mended, a mistake is not.

    Returns
    -------
    numpy.ndarray, shape (4,)
        The normalised Euler parameters.

    Raises
    ------
    InputError
        When the shape is wrong or the norm is further from one than the tolerance.
    """
    e = vector(name, value, 4)
    norm = float(np.sqrt(e @ e))
    if abs(norm - 1.0) > tolerance:
        raise InputError(
            f"{name} must be unit Euler parameters, scalar first: the norm of {e.tolist()} is {norm:.9g}, "
            f"further from 1 than {tolerance:g}; divide by the norm if the direction is what you mean"
        )
    return e / norm


def weight(name: str, value: ArrayLike, size: int) -> Array:
    """Return a symmetric weight matrix from a number, a diagonal or a matrix.

    Parameters
    ----------
    name : str
        What the quantity is called in the message.
    value : array_like, shape (), (size,) or (size, size)
        The weight.
    size : int
        The size of the matrix.

    Returns
    -------
    numpy.ndarray, shape (size, size)
        A symmetric positive semidefinite matrix.

    Raises
    ------
    InputError
        When the shape is wrong, an entry is not finite, or the matrix is asymmetric or indefinite.
    """
    array = _as_floats(name, value, "")
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
