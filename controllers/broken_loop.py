"""A sampled loop opened at plant inputs, and its response on the unit circle."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["BrokenLoop"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class BrokenLoop:
    """A loop opened at some plant inputs: s[k+1] = F s + G w, u = -K s, so that L(z) = K (z - F)^-1 G.

    Parameters
    ----------
    F : numpy.ndarray, shape (n, n)
        The sampled plant and law with the other inputs closed.
    G : numpy.ndarray, shape (n, p)
        Where the opened inputs enter.
    K : numpy.ndarray, shape (p, n)
        The law's rows for them.
    """

    F: Array
    G: Array
    K: Array

    def response(self, angles: ArrayLike) -> Complex:
        """Return L(exp(j angle)).

        Parameters
        ----------
        angles : array_like, shape (m,)
            Frequency times sampling period, rad.

        Returns
        -------
        numpy.ndarray, shape (m, p, p)
            The loop transfer matrix on the unit circle.
        """
        angle = np.asarray(angles, dtype=np.float64)
        eye = np.eye(len(self.F))
        # z - F as (z - 1) - (F - 1): both small at low frequency, neither a difference of large numbers
        pencil = np.expm1(1j * angle)[:, None, None] * eye - (self.F - eye)
        inside = np.linalg.solve(pencil, np.broadcast_to(self.G.astype(np.complex128), (len(angle), *self.G.shape)))
        return np.asarray(self.K @ inside, dtype=np.complex128)

    def closed(self, factor: float) -> Complex:
        """Return the poles when the loop is closed with its gain multiplied by a factor.

        Parameters
        ----------
        factor : float
            1 is the loop as designed.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Eigenvalues, z-plane.
        """
        return np.asarray(np.linalg.eigvals(self.F - factor * (self.G @ self.K)), dtype=np.complex128)
