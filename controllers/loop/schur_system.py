"""Frequency response of a discrete system, computed frequency by frequency or from one Schur form."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.frozen import frozen_results

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

ROOM = 2**20  # bytes of matrices per batch, so that they fit into the cache: pending commands make them large
COMPARED = 12  # number of frequencies at which two responses are compared
DIGITS = 1e-6
UNSEEN = 1e-9


def on_circle(F: Array, G: Array, K: Array, angles: Array) -> Complex:
    """Return K (z - F)^-1 G on the unit circle.

    F, G, K: one system, (n, n), (n, p), (q, n), or one system for each angle, (m, n, n), (m, n, p), (m, q, n);
    angles (m,): arguments of z, rad -> (m, q, p): transfer matrices.
    """
    n = F.shape[-1]
    eye = np.eye(n)
    right = np.broadcast_to(G.astype(np.complex128), (len(angles), n, G.shape[-1]))
    many = max(1, ROOM // (16 * n * n))
    found = np.empty((len(angles), K.shape[-2], G.shape[-1]), dtype=np.complex128)
    for first in range(0, len(angles), many):
        some = slice(first, first + many)
        M, out = (F, K) if F.ndim == 2 else (F[some], K[some])
        # z - F is computed as (z - 1) - (F - 1), whose terms are small at low frequency: no cancellation
        pencil = np.expm1(1j * angles[some])[:, None, None] * eye - (M - eye)
        found[some] = out @ np.linalg.solve(pencil, right[some])
    return found


@frozen_results
@dataclass(frozen=True, eq=False)
class SchurSystem:
    """Schur form F - 1 = Q T Q^H of a discrete system, for its response at many frequencies.

    Parameters
    ----------
    T : numpy.ndarray, shape (n, n)
        Upper triangular.
    right : numpy.ndarray, shape (n, p)
        Q^H G.
    left : numpy.ndarray, shape (q, n)
        K Q.
    """

    T: Complex
    right: Complex
    left: Complex

    @classmethod
    def of(cls, F: Array, G: Array, K: Array) -> "SchurSystem":
        """Return the Schur form of s[k+1] = F s + G w, y = K s; shapes (n, n), (n, p), (q, n)."""
        from scipy import linalg

        n = len(F)
        M = F - np.eye(n)
        # balanced together with input and output, so that very heavy spacecraft lose no accuracy
        size = float(np.abs(M).max(initial=0.0)) or 1.0
        whole = np.zeros((n + G.shape[1] + len(K),) * 2)
        whole[:n, :n] = M
        whole[:n, n : n + G.shape[1]] = G * (size / (float(np.abs(G).max(initial=0.0)) or 1.0))
        whole[n + G.shape[1] :, :n] = K * (size / (float(np.abs(K).max(initial=0.0)) or 1.0))
        _, (scale, _) = cast("Any", linalg).matrix_balance(whole, permute=False, separate=True)
        scale = scale[:n]
        T, Q = cast("Any", linalg).schur(M * scale / scale[:, None], output="complex")
        return cls(np.ascontiguousarray(T), Q.conj().T @ (G / scale[:, None]), (K * scale) @ Q)

    def response(self, angles: Array) -> Complex:
        """Return K (z - F)^-1 G on the unit circle; angles (m,): arguments of z, rad -> (m, q, p)."""
        T, right, left = self.T, self.right, self.left
        n, p = right.shape
        many = max(1, ROOM // max(16 * n * p, 1))
        found = np.empty((len(angles), len(left), p), dtype=np.complex128)
        for first in range(0, len(angles), many):
            # z - F is computed as (z - 1) - (F - 1), whose terms are small at low frequency: no cancellation
            shift = np.expm1(1j * angles[first : first + many])
            m = len(shift)
            state = np.empty((n, p * m), dtype=np.complex128)
            inverse = 1.0 / (shift - np.diag(T)[:, None])
            for k in range(n - 1, -1, -1):  # back substitution for all frequencies
                row = (T[k, k + 1 :] @ state[k + 1 :]).reshape(p, m)
                row += right[k][:, None]
                row *= inverse[k]
                state[k] = row.reshape(-1)
            found[first : first + m] = np.moveaxis((left @ state).reshape(len(left), p, m), 2, 0)
        return found


def on_grid(F: Array, G: Array, K: Array, angles: Array, *, least: float | None = None) -> Complex:
    """Return K (z - F)^-1 G on the unit circle to six digits, if possible from one Schur form.

    The errors of the Schur form are relative to the norm of the system instead of the response. The result is therefore
    compared with `on_circle` at some frequencies. If digits are missing, all frequencies are solved one by one.

    F, G, K (n, n), (n, p), (q, n): the system; angles (m,): arguments of z, rad; least: magnitude below which digits
    do not matter; by default 1e-9 of the largest entry -> (m, q, p).
    """
    if len(angles) <= COMPARED:
        return on_circle(F, G, K, angles)
    with np.errstate(all="ignore"):  # a pole of the system on the grid
        found = SchurSystem.of(F, G, K).response(angles)
    some = compared(angles)
    if not same_digits(found[some], on_circle(F, G, K, angles[some]), least=least):
        return on_circle(F, G, K, angles)
    return found


def compared(angles: Array) -> NDArray[np.intp]:
    """Return the indices of the frequencies at which two responses are compared."""
    return np.linspace(0, len(angles) - 1, COMPARED).astype(np.intp)


def same_digits(found: Complex, exact: Complex, *, least: float | None) -> bool:
    """Return whether responses (m, q, p) agree with exact responses to six digits; least: as in `on_grid`."""
    size = np.abs(exact).max(axis=(1, 2))
    size = np.maximum(size, UNSEEN * size.max() if least is None else least)
    return bool((np.abs(found - exact).max(axis=(1, 2)) <= DIGITS * size).all())
