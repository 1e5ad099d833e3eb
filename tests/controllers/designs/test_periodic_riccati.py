"""The periodic Riccati equation against the recursion over a finite horizon, the cost of runs, and scipy."""

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

from polhode.controllers.designs.periodic_riccati import periodic_regulator
from polhode.plant import DesignError

RNG = np.random.default_rng(7)
STEPS, STATES, INPUTS = 5, 4, 2
F = 1.1 * RNG.normal(size=(STEPS, STATES, STATES)) / np.sqrt(STATES)
G = RNG.normal(size=(STEPS, STATES, INPUTS))
Q, R = np.diag((1.0, 2.0, 0.5, 3.0)), np.array(((2.0, 0.3), (0.3, 1.0)))


def recursion(periods, F=F, G=G, Q=Q, R=R):
    cost = np.zeros_like(Q)
    for k in reversed(range(periods * len(F))):
        f, g = F[k % len(F)], G[k % len(F)]
        across = g.T @ cost @ f
        cost = Q + f.T @ cost @ f - across.T @ np.linalg.inv(R + g.T @ cost @ g) @ across
    return cost


def test_periodic_solution_is_the_limit_of_finite_horizons():
    P, _ = periodic_regulator(F, G, Q, R=R)
    np.testing.assert_allclose(P[0], recursion(40), rtol=1e-9)
    for k in range(STEPS):
        shifted = [np.roll(each, -k, axis=0) for each in (F, G)]
        np.testing.assert_allclose(P[k], recursion(40, *shifted), rtol=1e-9)


def test_solution_is_the_cost_of_a_run_under_the_gains():
    P, K = periodic_regulator(F, G, Q, R=R)
    for start in (0, 3):
        x = np.array((1.0, -2.0, 0.5, 1.5))
        expected, cost = x @ P[start] @ x, 0.0
        for k in range(start, start + 400):
            u = -K[k % STEPS] @ x
            cost += x @ Q @ x + u @ R @ u
            x = F[k % STEPS] @ x + G[k % STEPS] @ u
        assert cost == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("steps", [1, 3, 8])
def test_constant_plant_has_the_solution_of_the_algebraic_equation(steps):
    P, K = periodic_regulator(np.tile(F[0], (steps, 1, 1)), np.tile(G[0], (steps, 1, 1)), Q, R=R)
    X = solve_discrete_are(F[0], G[0], Q, R)
    gain = np.linalg.solve(R + G[0].T @ X @ G[0], G[0].T @ X @ F[0])
    for k in range(steps):
        np.testing.assert_allclose(P[k], X, rtol=1e-9)
        np.testing.assert_allclose(K[k], gain, rtol=0, atol=1e-9 * np.abs(gain).max())


def test_slowly_decaying_loop_converges():
    """An expensive input leaves a multiplier of about 0.9999 in a period, 70,000 periods of a recursion."""
    turn = np.array(((np.cos(0.3), np.sin(0.3)), (-np.sin(0.3), np.cos(0.3))))
    f, g = np.tile(turn, (4, 1, 1)), np.array([((0.0,), (float(k == 2),)) for k in range(4)])
    P, K = periodic_regulator(f, g, np.eye(2), R=np.array([[1e8]]))
    closed = np.linalg.multi_dot([f[k] - g[k] @ K[k] for k in reversed(range(4))])
    assert 0.9995 < np.abs(np.linalg.eigvals(closed)).max() < 0.99999
    residual = np.eye(2) + (f[3] - g[3] @ K[3]).T @ P[0] @ (f[3] - g[3] @ K[3]) + 1e8 * K[3].T @ K[3] - P[3]
    assert np.abs(residual).max() < 1e-8 * np.abs(P[3]).max()


def test_motion_that_no_input_reaches_is_refused():
    f = np.tile(np.diag((1.0, 0.5)), (3, 1, 1))
    with pytest.raises(DesignError, match="no stabilising solution"):
        periodic_regulator(f, np.tile(((0.0,), (1.0,)), (3, 1, 1)), np.eye(2), R=np.eye(1))
    with pytest.raises(DesignError, match="no stabilising solution"):
        periodic_regulator(1.2 * f, np.tile(((0.0,), (1.0,)), (3, 1, 1)), np.eye(2), R=np.eye(1))
