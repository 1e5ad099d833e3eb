"""Vectorised evaluation of kernels with numpy rows in place of scalars.

Each scalar of a kernel may be replaced by a row of numbers: arithmetic acts elementwise, and kernels run unchanged. A
row behaves like a scalar: reading it from a table copies it, and += creates a new row.

Columns of a Jacobian: complex steps in several directions have the same real part and different imaginary parts. A row
holds these steps, so that a kernel that branches on the real part gets a single float.

Samples: many states in one evaluation. A kernel must not branch on samples. If it does, numpy raises a ValueError or a
TypeError, and the samples must be evaluated one by one.
"""

from typing import Any

import numpy as np

_take: Any = np.ndarray.__getitem__  # bound once for speed


class _Samples(np.ndarray):
    """Values for many states along the last axis."""

    def __getitem__(self, key: Any) -> Any:
        part = _take(self, key)
        return part.copy() if part.ndim == 1 else part

    def __setitem__(self, key: Any, value: Any) -> None:
        self.view(np.ndarray)[key] = value

    def __iadd__(self, other: Any) -> Any:
        return self + other

    def __isub__(self, other: Any) -> Any:
        return self - other

    def __imul__(self, other: Any) -> Any:
        return self * other

    def __itruediv__(self, other: Any) -> Any:
        return self / other


class _Columns(_Samples):
    """Complex numbers with a common real part along the last axis."""

    @property
    def real(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride] # one float, on which kernels branch
        """The common real part of a row."""
        first: Any = self.view(np.ndarray).flat[0]
        return float(first.real)

    def __ne__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride] # like one number
        return bool((self.view(np.ndarray) != other).any())

    def __eq__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride] # like one number
        return not self != other

    __hash__ = None  # pyright: ignore[reportAssignmentType] # like arrays


def as_columns(points: Any) -> Any:
    """Return points, shape (numbers, directions), as rows whose entries have a common real part."""
    return points.view(_Columns)


def as_samples(states: Any) -> Any:
    """Return an array of shape (numbers, samples) as rows of samples."""
    return states.view(_Samples)
