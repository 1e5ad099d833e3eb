"""Vectorised evaluation of kernels with numpy rows in place of scalars.

Each scalar of a kernel may be a row of numbers: arithmetic acts elementwise, and kernels run unchanged. A row behaves
like a scalar: taken out of a table it is a copy, and += creates a new one.

Columns of a Jacobian: complex steps in several directions have the same real part and different imaginary parts. These
rows share their real part, so that a kernel that branches on it gets one float.

Samples: many states in one evaluation. A kernel must not branch on them. If one does, numpy raises a ValueError or a
TypeError, and the samples must be evaluated one by one.
"""

from typing import Any

import numpy as np

_take: Any = np.ndarray.__getitem__  # bound once, since it is called very often


class _Samples(np.ndarray):
    """Numbers of many states along the last axis."""

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
    """Return points, shape (numbers, directions), as rows with a common real part each."""
    return points.view(_Columns)


def as_samples(states: Any) -> Any:
    """Return an array of shape (numbers, samples) as rows."""
    return states.view(_Samples)
