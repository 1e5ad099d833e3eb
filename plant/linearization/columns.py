"""All columns of a Jacobian from one run through the equations of motion.

A complex step in every direction means the same real numbers with another imaginary part each. Here one number of a
kernel is a row of complex numbers that share their real part, one for each direction: arithmetic goes through all of
them at once, and where a kernel branches it asks for the real part, which is one float. Kernels run as they stand.

A row behaves as a number does: taken out of a table it is a copy, and += makes a new one.
"""

from typing import Any

import numpy as np

__all__ = ["as_columns"]


class _Columns(np.ndarray):
    """Complex numbers with a common real part along the last axis."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found.copy() if found.ndim == 1 else found

    def __setitem__(self, key: Any, value: Any) -> None:
        self.view(np.ndarray)[key] = value

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

    def __iadd__(self, other: Any) -> Any:
        return self + other

    def __isub__(self, other: Any) -> Any:
        return self - other

    def __imul__(self, other: Any) -> Any:
        return self * other

    def __itruediv__(self, other: Any) -> Any:
        return self / other


def as_columns(points: Any) -> Any:
    """Return points, shape (numbers, directions), as numbers that are rows, each with one real part."""
    return points.view(_Columns)
