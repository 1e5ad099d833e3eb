"""The systems of an implicit method are the blocks into which its matrix decomposes."""

from typing import Any

import numpy as np
import pytest

from polhode.sim import INTEGRATORS
from polhode.sim.engine.steppers.implicit_scheme import implicit_scheme
from polhode.sim.engine.steppers.stepper import Stepper

G = 1.0 - 0.5**0.5
DIAGONAL = Stepper(name="x", words="y", order=2, a=((G, 0), (1 - G, G)), b=(1 - G, G), c=(G, 1))


def taken_apart(stepper: Any):
    """Number of systems, and the matrix recomposed from them."""
    s, numbers = stepper.stages, implicit_scheme(stepper)
    assert numbers[0] == s
    np.testing.assert_array_equal(numbers[2 : 2 + s * s], stepper.a.ravel())
    total = np.zeros((s, s), complex)
    for system in numbers[2 + s * s + 2 * s :].reshape(int(numbers[1]), -1):
        z = system[::2] + 1j * system[1::2]
        total += z[0] * np.outer(z[1 + s :], z[1 : 1 + s])
    return int(numbers[1]), total.real  # of a conjugate pair, twice the real part is the sum


@pytest.mark.parametrize(("name", "systems"), [("midpoint", 1), ("gauss4", 1), ("gauss6", 2)])
def test_every_eigenvalue_has_its_share(name, systems):
    count, whole = taken_apart(INTEGRATORS[name])
    assert count == systems
    a = np.asarray(INTEGRATORS[name].a)
    _, vectors = np.linalg.eig(a)
    # backward error of the eigenvalues, amplified by the condition of their vectors
    rounding = np.finfo(float).eps * a.shape[0] * np.linalg.norm(a, 2) * np.linalg.cond(vectors)
    assert rounding < 2e-14
    np.testing.assert_allclose(whole, a, rtol=0, atol=rounding)


def test_equal_eigenvalues_are_taken_for_neighbours():
    count, whole = taken_apart(DIAGONAL)
    assert count == 2
    # its inverse times the matrix is the remainder of an iteration for stiff parts
    a = np.asarray(DIAGONAL.a)
    left = np.eye(2) - np.linalg.solve(whole @ whole, a @ a)
    assert 0.0 < np.abs(np.linalg.eigvals(left)).max() < 0.06
