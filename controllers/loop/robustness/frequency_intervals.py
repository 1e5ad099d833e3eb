"""Frequency interval on which given scalings of the structured singular value remain valid.

On an arc of the unit circle about z0, z = z0 (1 + j t) / (1 - j t) with t real, and

    M(z) = C (z - A)^-1 B + D = d + c (s - a)^-1 b,   s = j / t,   R = (z0 - A)^-1,
    a = (z0 + A) R,  b = 2 z0 R B,  c = C R,  d = M(z0).

With D and G fixed, Psi (see `multipliers`) is a rational function of s. If it is positive definite at z0, it remains so
up to the first t at which it is singular. Such t are imaginary eigenvalues of a Hamiltonian matrix (Boyd, Balakrishnan
& Kabamba 1989, Math. Control Signals Syst. 2, 207; for frequency intervals Ferreres, Magni & Biannic 2003, Int. J.
Robust Nonlinear Control 13, 1009). The result therefore holds for all frequencies in between, not only on a grid.
"""

from math import atan, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....plant.one_thread import one_thread
from .multipliers import Multipliers, psi

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

IMAGINARY = 1e-6  # relative distance within which an eigenvalue counts as imaginary, which can only shorten arcs
ROUNDING = 1e-12  # relative to the norm of the matrix: largest error of an eigenvalue
SHORT = 1e-4  # fraction of the arc that is cut off at either end for safety


class Transfer(NamedTuple):
    """Transfer matrix M(z) = C (z - A)^-1 B + D, with A (n, n)."""

    A: Complex
    B: Complex
    C: Complex
    D: Complex

    def at(self, angle: float) -> Complex:
        """Return M(exp(j angle)), angle in rad."""
        pencil = np.expm1(1j * angle) * np.eye(len(self.A)) - (self.A - np.eye(len(self.A)))
        return np.asarray(self.C @ np.linalg.solve(pencil, self.B) + self.D, dtype=np.complex128)


@one_thread
def proven_arc(system: Transfer, angle: float, found: Multipliers) -> tuple[float, float] | None:
    """Return the arc (from, to), rad, around an angle on which scalings are valid, or None."""
    A, B, C, D = system
    n = len(A)
    z0 = np.exp(1j * angle)
    pencil = np.expm1(1j * angle) * np.eye(n) - (A - np.eye(n))
    R = np.asarray(np.linalg.inv(pencil), dtype=np.complex128)
    a, b, c = (z0 * np.eye(n) + A) @ R, 2.0 * z0 * (R @ B), C @ R
    d = c @ B + D
    # Psi as a form in (x, w): [c d; 0 1]^H [[-D_v, j G^H], [-j G, D_w]] [c d; 0 1]
    Q11 = -c.conj().T @ found.left @ c
    Q12 = -c.conj().T @ found.left @ d + 1j * (c.conj().T @ found.turn.conj().T)
    Q22 = psi(d, found)
    try:
        np.linalg.cholesky(Q22)
    except np.linalg.LinAlgError:
        return None
    side = np.asarray(np.linalg.solve(Q22, np.hstack((Q12.conj().T, b.conj().T))), dtype=np.complex128)
    F = a - b @ side[:, :n]
    # x and its adjoint are scaled so that both off-diagonal corner blocks have the same norm
    up, down = b @ side[:, n:], Q12 @ side[:, :n] - Q11
    unit = np.sqrt(max(float(np.linalg.norm(up)), 1e-300) / max(float(np.linalg.norm(down)), 1e-300))
    H = np.block([[F, -up / unit], [down * unit, -F.conj().T]])
    values = np.asarray(np.linalg.eigvals(H), dtype=np.complex128)
    off = ROUNDING * float(np.linalg.norm(H))
    heights = values.imag[np.abs(values.real) <= IMAGINARY * np.abs(values) + off]
    t = 1.0 / (np.abs(heights) + off)  # lower bounds on t
    after = float(min(t[heights > -off], default=inf))
    before = float(min(t[heights < off], default=inf))
    return angle - 2.0 * (1.0 - SHORT) * atan(before), angle + 2.0 * (1.0 - SHORT) * atan(after)
