"""Riccati equations: results identical to python-control, without importing it."""

import subprocess
import sys

import control
import numpy as np
import pytest

from polhode.controllers.designs.riccati import discrete_regulator, discrete_solution, regulator
from polhode.plant import DesignError


def problem(n: int, m: int, seed: int):
    """A random plant, discrete and continuous, and weights."""
    random = np.random.default_rng(seed)
    A, B, half = random.normal(size=(n, n)), random.normal(size=(n, m)), random.normal(size=(n, n))
    return A, B, 0.5 * (half @ half.T + (half @ half.T).T), np.diag(random.uniform(0.5, 2.0, m))


@pytest.mark.parametrize(("n", "m", "seed"), [(6, 3, 0), (9, 3, 1), (2, 1, 2)])
def test_riccati_gains_equal_python_control_to_the_bit(n, m, seed):
    A, B, Q, R = problem(n, m, seed)
    size = float(R.max())
    found, _, _ = control.dlqr(A, B, Q / size, R / size, method="scipy")
    assert discrete_regulator(A, B, Q, R=R, sample=0.1).tobytes() == np.asarray(found).tobytes()
    found, _, _ = control.lqr(A, B, Q / size, R / size, method="scipy")
    assert regulator(A, B, Q, R=R).tobytes() == np.asarray(found).tobytes()
    _, P, poles = control.dlqe(A.T, np.eye(n), B.T, Q, R, method="scipy")
    X, _, ours = discrete_solution(A, B, Q, R=R)
    assert X.tobytes() == np.asarray(P).tobytes()
    np.testing.assert_array_equal(np.sort_complex(ours), np.sort_complex(poles))


def test_riccati_solution_satisfies_the_equation():
    """X = F'XF - F'XG (G'XG + R)^-1 G'XF + Q, and the loop it closes is stable."""
    F, G, Q, R = problem(6, 3, 3)
    X, K, poles = discrete_solution(F, G, Q, R=R)
    np.testing.assert_allclose(F.T @ X @ F - F.T @ X @ G @ K + Q, X, rtol=0.0, atol=1e-12 * np.abs(X).max())
    assert np.abs(poles).max() < 1.0


def test_riccati_rejects_problems_without_solution():
    A, B = np.diag([2.0, 0.5]), np.array([[0.0], [1.0]])  # the first state is unstable and not controllable
    with pytest.raises(DesignError, match=r"no stabilising solution at sample 0.1 s"):
        discrete_regulator(A, B, np.eye(2), R=np.eye(1), sample=0.1)
    with pytest.raises(DesignError, match="continuous regulator"):
        regulator(A, B, np.eye(2), R=np.eye(1))


@pytest.mark.slow
def test_lqr_with_filters_does_not_import_python_control():
    """Keeps start-up short: importing python-control takes longer than the whole run."""
    code = (
        "import sys; from polhode import controllers, plant; craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)));"
        "law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=1, rate=1, effort=1, sample=0.1);"
        "controllers.filtered(law, controllers.notch(5.0, width=0.3), controllers.roll_off(9.0)).margins();"
        "print([name for name in ('control', 'scipy.signal', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
