"""A continuous filter as a ratio of polynomials, and its state space."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.frozen import frozen_arrays

__all__ = ["RationalFilter"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@frozen_arrays
@dataclass(frozen=True, eq=False)
class RationalFilter:
    """N(s) = numerator / denominator, of one signal and continuous in time, as `notch` and `roll_off` return it.

    Parameters
    ----------
    numerator : numpy.ndarray, shape (k,)
        Coefficients, highest power of s first; at most as many as the denominator has.
    denominator : numpy.ndarray, shape (n + 1,)
        Coefficients, highest power of s first, the first of them 1.

    Examples
    --------
    >>> complex(RationalFilter(np.array([2.0]), np.array([1.0, 2.0]))(2.0j))
    (0.5-0.5j)
    """

    numerator: Array
    denominator: Array

    def __call__(self, s: ArrayLike) -> Any:
        """Return the value of the filter.

        Parameters
        ----------
        s : array_like of complex
            Where; s = 1j w is the gain and phase at w rad/s.

        Returns
        -------
        complex or numpy.ndarray
            Of the shape of s.
        """
        at = np.asarray(s, dtype=np.complex128)
        return np.polyval(self.numerator, at) / np.polyval(self.denominator, at)

    def __str__(self) -> str:
        """Return the two polynomials."""
        return f"{self.numerator.tolist()} / {self.denominator.tolist()}"

    @property
    def zeros(self) -> Complex:
        """Where it is zero: shape (k - 1,), 1/s."""
        return np.roots(self.numerator).astype(np.complex128)

    @property
    def poles(self) -> Complex:
        """Where it is infinite: shape (n,), 1/s."""
        return np.roots(self.denominator).astype(np.complex128)

    def matrices(self) -> tuple[Array, Array, Array, Array]:
        """Return A (n, n), B (n, 1), C (1, n), D (1, 1) of its controller canonical form."""
        n = len(self.denominator) - 1
        top = np.zeros(n + 1)
        top[n + 1 - len(self.numerator) :] = self.numerator
        A = np.eye(n, k=-1)
        A[:1] = -self.denominator[1:]
        B = np.eye(n, 1)
        return A, B, (top[1:] - top[0] * self.denominator[1:])[None, :], top[:1, None]

    def to_control(self) -> Any:
        """Return the filter as a python-control system.

        Returns
        -------
        control.TransferFunction
            Continuous.
        """
        import control

        return cast("Any", control).tf(self.numerator, self.denominator)
