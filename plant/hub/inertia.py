"""Validation of inertia matrices, parallel-axis theorem and inverse."""

from contextlib import suppress
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import vector
from ..errors import InputError

LARGEST, SMALLEST = 1e150, 1e-150  # kg m^2
TOO_LARGE, TOO_SMALL, ASKEW, INDEFINITE = 1, 2, 3, 4


def inertia_matrix(inertia: ArrayLike) -> NDArray[np.float64]:
    """Return a valid inertia matrix from three principal values or a full tensor.

    inertia (3,) or (3, 3): principal moments, or the tensor in body axes with the products as matrix entries
        (J12 = -integral of xy dm), kg m^2.
    -> (3, 3): the symmetric matrix, kg m^2.
    Raises InputError when the shape is wrong, an entry is not finite, or the matrix is not symmetric, not positive
        definite, or violates the triangle inequality of its principal moments.

    Notes
    -----
    A flat body satisfies the triangle inequality with equality; a relative tolerance of 1e-9 accepts rounded input.

    Examples
    --------
    >>> inertia_matrix((20, 10, 5))
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: inertia fails the triangle inequality: 20 > 10 + 5 kg m^2; no mass \
distribution has such principal moments
    """
    try:
        tensor = np.asarray(inertia)
    except ValueError:
        raise InputError(
            f"inertia must be 3 numbers or 3 x 3 (kg m^2); got rows of unequal length: {inertia!r}"
        ) from None
    if tensor.shape == (3,):
        matrix = np.diag(vector("inertia", inertia, unit="kg m^2"))
    elif tensor.shape == (3, 3):
        matrix = vector("inertia", tensor.reshape(9), 9, unit="kg m^2").reshape(3, 3)
    else:
        raise InputError(f"inertia must be 3 numbers or 3 x 3 (kg m^2); got shape {tensor.shape}")
    symmetric = 0.5 * (matrix + matrix.T)
    if _is_valid(matrix, symmetric):
        return symmetric
    matrices, faults = inertia_matrices(matrix[None])
    if faults[0]:
        raise InputError(_words(faults[0], matrix))
    return matrices[0]


def _is_valid(given: NDArray[np.float64], symmetric: NDArray[np.float64]) -> bool:
    """Return whether a tensor (3, 3) is a valid inertia, by the rules of `inertia_matrices`, three times as fast.

    A tensor at the edge of a rule may be reported as invalid.
    """
    (a, d, e), (f, b, g), (h, i, c) = given.tolist()
    scale = max(abs(each) for each in (a, b, c, d, e, f, g, h, i))
    skew = max(abs(d - f), abs(e - h), abs(g - i))
    if not (SMALLEST <= scale <= LARGEST and skew <= 1e-9 * scale):
        return False
    diagonal = d == e == f == g == h == i == 0.0
    low, middle, high = sorted((a, b, c)) if diagonal else np.linalg.eigvalsh(symmetric).tolist()
    return low > 1e-12 * high and high <= (low + middle) * (1.0 + 1e-9)


def inertia_matrices(given: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Return the symmetric parts of tensors (n, 3, 3), and for each the index of the violated rule, or 0."""
    scale = np.abs(given).max(axis=(1, 2))
    skew = np.abs(given - given.swapaxes(1, 2)).max(axis=(1, 2))
    matrices = 0.5 * (given + given.swapaxes(1, 2))
    large, tiny = scale > LARGEST, (scale < SMALLEST) & (scale > 0.0)
    low, middle, high = np.linalg.eigvalsh(np.where((large | tiny)[:, None, None], np.eye(3), matrices)).T
    rules = (large, tiny, skew > 1e-9 * scale, low <= 1e-12 * high, high > (low + middle) * (1.0 + 1e-9))
    return matrices, np.select(rules, range(1, 6), 0).astype(np.int8)


def _words(fault: int, given: NDArray[np.float64]) -> str:
    """Return the reason why a tensor is not a valid inertia."""
    if fault == TOO_LARGE:
        size = np.abs(given).max()
        return f"inertia must be below 1e150 kg m^2, where its square is still a number; got {size:g}"
    if fault == TOO_SMALL:
        size = np.abs(given).max()
        return f"inertia must be at least 1e-150 kg m^2, where its inverse is still a number; got {size:g}"
    if fault == ASKEW:
        i, j = np.unravel_index(int(np.abs(given - given.T).argmax()), (3, 3))
        return (
            f"inertia must be symmetric: J{i + 1}{j + 1} = {given[i, j]:g} but J{j + 1}{i + 1} = {given[j, i]:g} kg m^2"
        )
    low, middle, high = np.linalg.eigvalsh(0.5 * (given + given.T))
    if fault == INDEFINITE and low > 0.0 and high <= (low + middle) * (1.0 + 1e-9):
        return (
            f"inertia must have a smallest principal moment above 1e-12 of the largest; got {low:g} and {high:g} kg m^2"
        )
    if fault == INDEFINITE and low <= 0.0:
        return f"inertia must be positive definite; its smallest principal moment is {low:g} kg m^2"
    return (
        f"inertia fails the triangle inequality: {high:g} > {middle:g} + {low:g} kg m^2; "
        "no mass distribution has such principal moments"
    )


def parallel_axis(mass: float, offset: ArrayLike) -> NDArray[np.float64]:
    """Return the increase of inertia when the reference point moves away from the mass centre.

    mass: kg; offset (3,): vector from the mass centre to the new reference point, m -> (3, 3): m (|d|^2 I - d d'), kg
    m^2.
    """
    d = vector("offset", offset, unit="m")
    return mass * (float(d @ d) * np.eye(3) - np.outer(d, d))


def inverse_inertia(inertia: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of symmetric positive definite tensors (..., 3, 3).

    Single tensors and batches give bitwise identical results. The method is L D L' without LAPACK, whose rounding
    differs between processors and libraries.
    """
    if inertia.shape == (3, 3):
        (a, *_), (b, d, *_), (c, e, f) = inertia.tolist()
        with suppress(ZeroDivisionError):
            entries = _inverse_entries(a, b, c, d, e, f)  # Python numbers are faster than arrays of one number
            if all(map(isfinite, entries)):
                return np.array(entries).reshape(3, 3)
    a, b, c = inertia[..., 0, 0], inertia[..., 1, 0], inertia[..., 2, 0]
    entries = _inverse_entries(a, b, c, inertia[..., 1, 1], inertia[..., 2, 1], inertia[..., 2, 2])
    return np.stack(entries, axis=-1).reshape(inertia.shape)


def _inverse_entries(a: Any, b: Any, c: Any, d: Any, f: Any, g: Any) -> tuple[Any, ...]:
    """Return the nine entries of the inverse of the symmetric tensor ((a, b, c), (b, d, f), (c, f, g))."""
    l1, l2 = b / a, c / a
    d1 = d - l1 * b
    e = f - l2 * b
    l3 = e / d1
    d2 = g - l2 * c - l3 * e
    m = l1 * l3 - l2  # the inverse of L is ((1, 0, 0), (-l1, 1, 0), (m, -l3, 1))
    z = 1.0 / d2
    y = -l3 * z
    x = m * z
    v = 1.0 / d1 - l3 * y
    w = -l1 / d1 - l3 * x
    u = 1.0 / a + l1 * l1 / d1 + m * x
    return u, w, x, w, v, y, x, y, z
