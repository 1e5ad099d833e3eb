"""Many evaluations of a kernel from one run through it.

A number of a kernel may be a row of numbers: arithmetic goes through all of them at once, and kernels run as they
stand. A row behaves as a number does: taken out of a table it is a copy, and += makes a new one.

Columns of a Jacobian: a complex step in every direction means the same real numbers with another imaginary part each.
These rows share their real part, so that where a kernel branches and asks for the real part, it is one float.

Samples: many states at once. A kernel must not branch on them; where one does, numpy raises a ValueError or a
TypeError, and the samples have to be taken one by one.
"""

from typing import Any

import numpy as np

__all__ = ["as_columns", "as_samples"]

_take: Any = np.ndarray.__getitem__  # called very often


class _Samples(np.ndarray):
    """Numbers of many states along the last axis."""

    def __getitem__(self, key: Any) -> Any:
        found = _take(self, key)
        return found.copy() if found.ndim == 1 else found

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
    def real(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride] # one float: what branches are decided by
        """The common real part of a row."""
        first: Any = self.view(np.ndarray).flat[0]
        return float(first.real)

    def __ne__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride] # as of one number
        return bool((self.view(np.ndarray) != other).any())

    def __eq__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride] # as of one number
        return not self != other

    __hash__ = None  # pyright: ignore[reportAssignmentType] # as arrays


def as_columns(points: Any) -> Any:
    """Return points, shape (numbers, directions), as numbers that are rows, each with one real part."""
    return points.view(_Columns)


def as_samples(states: Any) -> Any:
    """Return numbers, shape (numbers, samples), as numbers that are rows."""
    return states.view(_Samples)
