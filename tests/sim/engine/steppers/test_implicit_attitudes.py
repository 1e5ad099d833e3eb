"""Euler parameters at the stages satisfy the equation that they solve."""

import numpy as np
import pytest

from polhode.sim.engine.steppers.implicit_attitudes import stage_attitudes
from polhode.sim.engine.steppers.implicit_layout import COEFFICIENTS, HEAD, SCHEME


def product(w, e):
    """(0, w) o e."""
    a, v = e[0], e[1:]
    return np.concatenate([[-(w @ v)], a * w + np.cross(w, v)])


@pytest.mark.parametrize("s", [1, 2, 3, 4])
def test_stages_are_those_of_the_equation(s):
    rng = np.random.default_rng(2)
    h, at, e = 0.3, 3, rng.normal(size=4)
    omega, A = rng.normal(size=(s, 3)), rng.normal(size=(s, s))
    table = np.zeros((HEAD + 2 * s, 100))
    table[SCHEME, COEFFICIENTS : COEFFICIENTS + s * s] = A.ravel()
    x = np.zeros(10)
    x[at : at + 4] = e
    for j in range(s):
        table[HEAD + s + j, at : at + 4] = 0.5 * product(omega[j], e)
    stage_attitudes(h, x, at, HEAD, HEAD + s, s, table)
    stages = table[HEAD : HEAD + s, at : at + 4]
    for i in range(s):
        want = e + h * sum(A[i, j] * 0.5 * product(omega[j], stages[j]) for j in range(s))
        np.testing.assert_allclose(stages[i], want, rtol=0, atol=2e-14)
    assert np.linalg.norm(stages) > 0.5
