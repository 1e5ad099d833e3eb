"""The numbers of an implicit Runge-Kutta method, in the order in which its step reads them."""

import numpy as np
from numpy.typing import NDArray

from .stepper import Stepper

Array = NDArray[np.float64]

SPREAD = 0.01
"""Perturbation of the diagonal of A if eigenvectors nearly coincide: the iteration then uses a nearby A with distinct
ones, and each iteration reduces the error to a few hundredths."""

WORST = 1e4
"""Largest condition number of the eigenvectors, by which round-off of a correction grows."""


def implicit_scheme(stepper: Stepper) -> Array:
    """Return stages, systems, A, b, c; then for each system eigenvalue, left and right eigenvector of A.

    A system is solved in each iteration for a real eigenvalue of A or for a pair of complex ones, whose right
    eigenvector is doubled for its conjugate. -> (2 + s^2 + 2 s + systems (2 + 4 s),)
    """
    a, b, c = (np.asarray(numbers, dtype=np.float64) for numbers in (stepper.a, stepper.b, stepper.c))
    values, right = np.linalg.eig(a)
    if np.linalg.cond(right) > WORST:  # as for equal diagonals; the equations themselves keep A
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
    """Return the transformation for stage residuals in the frames of the stages: P (s x s), then a factor per system.

    Stiffness acts on the displacements of the stages, d = A nu h, and P = A^-1 decouples the equations into one
    stiffness each; a system's solution is then multiplied by lambda^2. If A has no inverse, P = 1 and the factors are
    1.
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
