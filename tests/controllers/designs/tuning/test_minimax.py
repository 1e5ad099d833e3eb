# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportOperatorIssue=false, reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Nonsmooth SQP and its quadratic program against problems with printed or closed-form solutions."""

import numpy as np
import pytest
from scipy import optimize

from polhode.controllers.designs.tuning.minimax import Row, Rows, minimise_largest
from polhode.controllers.designs.tuning.quadratic_program import best_step


def test_step_matches_general_solver():
    rng = np.random.default_rng(3)
    for _ in range(10):
        n, m, k = 4, 5, 3
        f, F, c, C = rng.normal(size=m), rng.normal(size=(m, n)), rng.normal(size=k), rng.normal(size=(k, n))
        root = rng.normal(size=(n, n))
        H, low, high = root @ root.T + np.eye(n), np.full(n, -0.4), np.full(n, 0.6)
        price = 3.0
        step = best_step(f, F, c, C, H=H, price=price, low=low, high=high)

        def cost(z, H=H, price=price):
            return z[4] + price * z[5] + 0.5 * z[:4] @ H @ z[:4]

        rules = [
            {"type": "ineq", "fun": lambda z, f=f, F=F: f.max() + z[4] - f - F @ z[:4]},
            {"type": "ineq", "fun": lambda z, c=c, C=C: z[5] - c - C @ z[:4]},
        ]
        bounds = [(-0.4, 0.6)] * 4 + [(None, None), (0.0, None)]
        wanted = optimize.minimize(
            cost, np.r_[np.zeros(4), 3.0, 5.0], constraints=rules, bounds=bounds, method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )  # fmt: skip
        z = np.r_[step.change, step.top, step.left]
        # 1e-3: the slack variables are given a curvature of 1e-4 (best_step), which moves the step by as much
        assert cost(z) == pytest.approx(wanted.fun, abs=1e-3)
        np.testing.assert_allclose(step.change, wanted.x[:4], rtol=0, atol=1e-3)


def rows_of(functions, constraints=()):
    """Rows of pairs (value, gradient)."""

    def rows(x, gradients):
        del gradients
        return Rows([Row((0, 0), *each(x)) for each in functions], [Row((1, 0), *each(x)) for each in constraints])

    return rows


CB2 = [
    lambda x: (x[0] ** 2 + x[1] ** 4, np.array((2 * x[0], 4 * x[1] ** 3))),
    lambda x: ((2 - x[0]) ** 2 + (2 - x[1]) ** 2, np.array((-2 * (2 - x[0]), -2 * (2 - x[1])))),
    lambda x: (2 * np.exp(x[1] - x[0]), 2 * np.exp(x[1] - x[0]) * np.array((-1.0, 1.0))),
]


def test_minimax_reaches_printed_optimum_of_charalambous_and_bandler():
    """CB2 (Charalambous & Bandler 1976): 1.9522245 at (1.1390, 0.8996)."""
    found = minimise_largest(rows_of(CB2), np.array((1.0, -0.1)), low=np.full(2, -5.0), high=np.full(2, 5.0))
    assert found.rows.top == pytest.approx(1.9522245, abs=2e-6)
    np.testing.assert_allclose(found.x, (1.1390, 0.8996), rtol=0, atol=2e-4)


def test_minimax_finds_kink_of_nonsmooth_rosenbrock():
    """|x2 - x1^2| x 8 + (1 - x1)^2 as two pieces: minimum 0 at (1, 1) along a curved kink."""

    def piece(sign):
        return lambda x: (
            sign * 8 * (x[1] - x[0] ** 2) + (1 - x[0]) ** 2,
            np.array((-sign * 16 * x[0] - 2 * (1 - x[0]), sign * 8.0)),
        )

    found = minimise_largest(
        rows_of([piece(1.0), piece(-1.0)]), np.array((-1.0, 1.0)), low=np.full(2, -3.0), high=np.full(2, 3.0), most=200
    )
    np.testing.assert_allclose(found.x, (1.0, 1.0), rtol=0, atol=2e-3)


def test_minimax_meets_constraint_and_bound():
    """min x + y with xy >= 1 and x <= 0.5: (0.5, 2), both active."""
    found = minimise_largest(
        rows_of(
            [lambda x: (x[0] + x[1], np.ones(2))],
            [lambda x: (2.0 - x[0] * x[1], -x[::-1])],
        ),
        np.array((0.3, 0.3)),
        low=np.full(2, 0.01),
        high=np.array((0.5, 9.0)),
    )
    np.testing.assert_allclose(found.x, (0.5, 2.0), rtol=0, atol=1e-5)
    assert found.rows.violation < 1e-6
    assert found.multipliers[0] > 1.0  # d(x + y)/d bound = 1/x


def test_interrupt_keeps_best_point():
    def stop(x, top, violation):
        raise KeyboardInterrupt

    found = minimise_largest(
        rows_of(CB2), np.array((1.0, -0.1)), low=np.full(2, -5.0), high=np.full(2, 5.0), progress=stop
    )
    assert found.interrupted
    assert found.steps == 1
    assert found.rows.top == max(each(found.x)[0] for each in CB2)
