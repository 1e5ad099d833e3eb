"""Continuous filter as a ratio of polynomials, and its state-space form."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.frozen import frozen_arrays

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@frozen_arrays
@dataclass(frozen=True, eq=False)
class RationalFilter:
    """Continuous single-input, single-output transfer function N(s) = numerator / denominator.

    Parameters
    ----------
    numerator : numpy.ndarray, shape (k,)
        Coefficients, highest power of s first; not longer than the denominator.
    denominator : numpy.ndarray, shape (n + 1,)
        Coefficients, highest power of s first; the leading coefficient is 1.

    Examples
    --------
    >>> complex(RationalFilter(np.array([2.0]), np.array([1.0, 2.0]))(2.0j))
    (0.5-0.5j)
    """

    numerator: Array
    denominator: Array

    def __call__(self, s: ArrayLike) -> Any:
        """Evaluate the transfer function.

        Parameters
        ----------
        s : array_like of complex
            Complex frequency; s = 1j w gives gain and phase at w rad/s.

        Returns
        -------
        complex or numpy.ndarray
            Same shape as s.
        """
        at = np.asarray(s, dtype=np.complex128)
        return np.polyval(self.numerator, at) / np.polyval(self.denominator, at)

    def __str__(self) -> str:
        """Return numerator and denominator as text."""
        return f"{self.numerator.tolist()} / {self.denominator.tolist()}"

    @property
    def zeros(self) -> Complex:
        """Zeros of the filter: shape (k - 1,), 1/s."""
        return np.roots(self.numerator).astype(np.complex128)

    @property
    def poles(self) -> Complex:
        """Poles of the filter: shape (n,), 1/s."""
        return np.roots(self.denominator).astype(np.complex128)

    def matrices(self) -> tuple[Array, Array, Array, Array]:
        """Return A (n, n), B (n, 1), C (1, n), D (1, 1) of the controller canonical form."""
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
            Continuous transfer function.
        """
        import control

        return cast("Any", control).tf(self.numerator, self.denominator)
