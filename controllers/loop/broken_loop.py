"""A sampled loop opened at plant inputs, and its response on the unit circle."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.frozen import frozen_arrays

__all__ = ["BrokenLoop", "on_circle"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


MANY = 64  # states: of commands under way; then one factorisation for all frequencies pays
ROOM = 2**20  # bytes of matrices at once, which fit a cache: many commands under way make them large


def on_circle(F: Array, G: Array, K: Array, angles: Array) -> Complex:
    """Return K (z - F)^-1 G on the unit circle.

    F, G, K (n, n), (n, p), (q, n): the system; angles (m,): arguments of z, rad -> (m, q, p), transfer matrices.
    """
    eye = np.eye(len(F))
    right = G.astype(np.complex128)
    many = max(1, ROOM // (16 * F.size))
    found = np.empty((len(angles), len(K), G.shape[1]), dtype=np.complex128)
    for first in range(0, len(angles), many):
        some = angles[first : first + many]
        # z - F as (z - 1) - (F - 1): both small at low frequency, neither a difference of large numbers
        pencil = np.expm1(1j * some)[:, None, None] * eye - (F - eye)
        found[first : first + many] = K @ np.linalg.solve(pencil, np.broadcast_to(right, (len(some), *right.shape)))
    return found


@frozen_arrays
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
        if len(self.F) < MANY:
            return on_circle(self.F, self.G, self.K, angle)
        # one factorisation for all frequencies: with F - 1 = Q T Q^H each is a triangular system
        from scipy.linalg import lapack

        solve = cast("Any", lapack).ztrtrs  # the table as the routine wants it, and without a copy for each frequency
        T, right, left = self._triangular
        table, diagonal = np.asfortranarray(-T), np.diag(T)
        found: list[Complex] = []
        for each in angle:
            np.fill_diagonal(table, np.expm1(1j * each) - diagonal)
            found.append(left @ solve(table, right)[0])
        return np.array(found, dtype=np.complex128).reshape(len(angle), len(left), right.shape[1])

    @cached_property
    def _triangular(self) -> tuple[Complex, Complex, Complex]:
        from scipy import linalg

        T, Q = cast("Any", linalg).schur(self.F - np.eye(len(self.F)), output="complex")
        return T, Q.conj().T @ self.G, self.K @ Q

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
