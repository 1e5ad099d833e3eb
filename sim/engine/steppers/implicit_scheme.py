"""Coefficients of an implicit Runge-Kutta method, in the order in which its step reads them."""

import numpy as np
from numpy.typing import NDArray

from .stepper import Stepper

Array = NDArray[np.float64]

SPREAD = 0.01
"""Perturbation of the diagonal of A if eigenvectors nearly coincide: the iteration then uses a nearby A with distinct
eigenvectors, and each iteration reduces the error to a few hundredths."""

WORST = 1e4
"""Largest condition number of the eigenvectors; it amplifies the round-off of a correction."""


def implicit_scheme(stepper: Stepper) -> Array:
    """Return number of stages and systems, A, b, c; then each eigenvalue with left and right eigenvector.

    Each iteration solves one system per real eigenvalue of A or pair of complex eigenvalues; the right eigenvector of a
    pair is doubled to account for its conjugate. -> (2 + s^2 + 2 s + systems (2 + 4 s),)
    """
    a, b, c = (np.asarray(numbers, dtype=np.float64) for numbers in (stepper.a, stepper.b, stepper.c))
    values, right = np.linalg.eig(a)
    if np.linalg.cond(right) > WORST:  # for example with equal diagonals; the stage equations keep A
        values, right = np.linalg.eig(a + SPREAD * np.abs(a).max() * np.diag(np.linspace(-1.0, 1.0, b.size)))
    left = np.linalg.inv(right)
    solved = [k for k, value in enumerate(values) if value.imag >= 0.0]
    numbers: list[float] = [b.size, len(solved), *a.ravel(), *b, *c]
    for k in solved:
        share = 2.0 if values[k].imag > 0.0 else 1.0
        pairs = (values[k], *left[k], *(share * right[:, k]))
        numbers += [part for z in pairs for part in (z.real, z.imag)]
    return np.array(numbers)


def stage_frames(scheme: Array) -> Array:
    """Return the transformation of stage residuals P (s x s), then a complex factor per system.

    Stiffness acts on the displacements of the stages, d = A nu h. P = A^-1 decouples the equations, so that each
    contains one stiffness; the solution of a system is then multiplied by lambda^2. If A is singular, P = 1 and the
    factors are 1.
    -> (s^2 + 2 systems,)
    """
    s = int(scheme[0])
    systems = scheme[2 + s * s + 2 * s :].reshape(int(scheme[1]), -1)
    values = systems[:, 0] + 1j * systems[:, 1]
    if np.abs(values).min() < np.abs(values).max() / WORST:
        return np.concatenate([np.eye(s).ravel(), *((1.0, 0.0) for _ in values)])
    left, right = (systems[:, k : k + 2 * s : 2] + 1j * systems[:, k + 1 : k + 2 * s : 2] for k in (2, 2 + 2 * s))
    inverse = np.einsum("ki,kj,k->ij", right, left, 1.0 / values).real
    return np.concatenate([inverse.ravel(), *((z.real, z.imag) for z in values**2)])
