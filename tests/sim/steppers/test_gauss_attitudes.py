"""Euler parameters at the stages fulfil the equation they are the solution of."""

import numpy as np
import pytest

from polhode.sim.steppers.gauss_attitudes import stage_attitudes
from polhode.sim.steppers.gauss_layout import SCHEME
from polhode.sim.steppers.gauss_scheme import gauss_scheme


def product(w, e):
    """(0, w) o e."""
    a, v = e[0], e[1:]
    return np.concatenate([[-(w @ v)], a * w + np.cross(w, v)])


@pytest.mark.parametrize("s", [1, 2])
def test_stages_are_those_of_collocation(s):
    rng = np.random.default_rng(2)
    h, at, e = 0.3, 3, rng.normal(size=4)
    omega = rng.normal(size=(s, 3))
    scheme = gauss_scheme(s)
    table = np.zeros((12, max(scheme.size, 10)))
    table[SCHEME, : scheme.size] = scheme
    x = np.zeros(10)
    x[at : at + 4] = e
    for j in range(s):
        table[8 + j, at : at + 4] = 0.5 * product(omega[j], e)
    stage_attitudes(h, x, at, 6, 8, s, table)
    stages = table[6 : 6 + s, at : at + 4]
    A = scheme[1 : 1 + s * s].reshape(s, s)
    for i in range(s):
        want = e + h * sum(A[i, j] * 0.5 * product(omega[j], stages[j]) for j in range(s))
        np.testing.assert_allclose(stages[i], want, rtol=0, atol=4e-15)
    assert np.linalg.norm(stages) > 0.5
