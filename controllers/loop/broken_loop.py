"""A sampled loop broken at plant inputs, and its response on the unit circle."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.frozen import frozen_arrays
from .schur_system import SchurSystem, on_circle, on_grid

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


MANY = 64  # number of states, with pending commands, above which one factorisation pays off even for few frequencies
SMALL = 1e-3  # loop transfer matrix entries are compared with 1, so smaller ones need fewer digits


@frozen_arrays
@dataclass(frozen=True, eq=False)
class BrokenLoop:
    """A loop broken at some plant inputs: s[k+1] = F s + G w, u = -K s, so that L(z) = K (z - F)^-1 G.

    Parameters
    ----------
    F : numpy.ndarray, shape (n, n)
        Transition matrix of the sampled plant and law with the remaining inputs closed.
    G : numpy.ndarray, shape (n, p)
        Input matrix for the inputs at which the loop is broken.
    K : numpy.ndarray, shape (p, n)
        Output matrix of the law for these inputs, with its sign reversed.
    """

    F: Array
    G: Array
    K: Array

    def response(self, angles: ArrayLike) -> Complex:
        """Return the loop transfer matrix L(exp(j angle)), accurate to rounding.

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
        return on_circle(self.F, self.G, self.K, angle) if not self.many else self._schur.response(angle)

    def on_grid(self, angles: Array) -> Complex:
        """Return L(exp(j angle)) to six digits, much faster than `response` for many frequencies.

        Parameters
        ----------
        angles : numpy.ndarray, shape (m,)
            Frequency times sampling period, rad.

        Returns
        -------
        numpy.ndarray, shape (m, p, p)
            The loop transfer matrix on the unit circle.
        """
        return on_grid(self.F, self.G, self.K, angles, least=SMALL)

    @property
    def many(self) -> bool:
        """True if the loop has so many states that one factorisation pays off."""
        return len(self.F) >= MANY

    @cached_property
    def _schur(self) -> SchurSystem:
        return SchurSystem.of(self.F, self.G, self.K)

    def closed(self, factor: float) -> Complex:
        """Return the closed-loop poles with the loop gain multiplied by a factor.

        Parameters
        ----------
        factor : float
            1 is the nominal loop.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Eigenvalues, z-plane.
        """
        return np.asarray(np.linalg.eigvals(self.F - factor * (self.G @ self.K)), dtype=np.complex128)


def responses(loops: Sequence[BrokenLoop], which: NDArray[np.intp], angles: Array) -> Complex:
    """Return L(exp(j angle)) of several loops of equal dimensions, as accurately as `BrokenLoop.response`.

    loops: the loops; which (m,): index of the loop for each angle; angles (m,): rad -> (m, p, p).
    """
    if len(loops) == 1:
        return loops[0].response(angles)
    if loops[0].many:
        found = np.empty((len(angles), len(loops[0].K), loops[0].G.shape[1]), dtype=np.complex128)
        for n, loop in enumerate(loops):
            found[which == n] = loop.response(angles[which == n])
        return found
    F, G, K = (np.array([getattr(loop, name) for loop in loops])[which] for name in "FGK")
    return on_circle(F, G, K, angles)
