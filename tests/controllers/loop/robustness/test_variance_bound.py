"""Bound on the variance over a box against closed forms and densely sampled systems."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import linalg

from polhode.controllers.loop.robustness.affine_fit import Box, affine_fit
from polhode.controllers.loop.robustness.variance_bound import Sizes, variance_bound


def _bound(matrix, numbers, sizes, *, directions=0) -> Any:
    box = Box((-1.0,) * numbers, (1.0,) * numbers)
    return variance_bound(affine_fit(matrix, box, directions=directions), sizes)


@pytest.mark.parametrize("half", [0.2, 0.05])
def test_first_order_filter_has_closed_form(half):
    """s+ = a s + w: variance 1/(1 - a^2), largest at the largest a."""
    found = _bound(lambda x: np.array([[0.5 + half * x[0], 1.0], [1.0, 0.0]]), 1, Sizes(1, 1, 0, 1))
    exact = 1.0 / (1.0 - (0.5 + half) ** 2)
    assert exact <= found.value < (1.0 + 0.2 * half) * exact  # the excess falls with the square of the width


@pytest.mark.parametrize("directions", [0, 3])
def test_curved_parameter_and_constant_input_have_closed_form(directions):
    """y = s + w + 0.3 v, with two parameters in one pole, so that a remainder is left."""

    def pole(x):
        return 0.5 + 0.1 * np.sin(x[0]) * (1.0 + 0.2 * x[1])

    def matrix(x):
        return np.array([[pole(x), 1.0, 1.0], [1.0, 1.0, 0.3]])

    found = _bound(matrix, 2, Sizes(1, 1, 1, 1), directions=directions)
    a = pole((1.0, 1.0))
    exact = 1.0 / (1.0 - a * a) + 1.0 + (1.0 / (1.0 - a) + 0.3) ** 2
    assert exact <= found.value < 1.05 * exact


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bound_covers_every_sampled_system(seed):
    rng = np.random.default_rng(seed)
    free, G, C = rng.normal(size=(6, 6)), rng.normal(size=(6, 2)), rng.normal(size=(2, 6))
    F = free * 0.95 / np.abs(np.linalg.eigvals(free)).max()
    E, B = 1e-3 * rng.normal(size=(3, 6, 6)), 1e-2 * rng.normal(size=(6, 2))

    def parts(x):
        return F + np.tensordot(x, E, 1), G + x[0] * B

    def matrix(x):
        A, inputs = parts(x)
        return np.block([[A, inputs, inputs[:, :1]], [C, np.zeros((2, 3))]])

    def variance(x):
        A, inputs = parts(x)
        X = linalg.solve_discrete_lyapunov(A, inputs @ inputs.T)
        rests = C @ np.linalg.solve(np.eye(6) - A, inputs[:, :1])
        return np.trace(C @ X @ C.T) + (rests**2).sum()

    found = _bound(matrix, 3, Sizes(6, 2, 1, 2))
    worst = max(variance(x) for x in product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=3))
    assert worst <= found.value < 1.03 * worst


def test_bound_covers_a_maximum_inside_the_box():
    """The pole is largest in the middle of the box, and equal at both ends."""
    found = _bound(lambda x: np.array([[0.6 + 0.05 * np.cos(np.pi * x[0]), 1.0], [1.0, 0.0]]), 1, Sizes(1, 1, 0, 1))
    exact = 1.0 / (1.0 - 0.65**2)
    assert exact <= found.value < 1.2 * exact


def test_box_with_an_unstable_system_has_no_bound():
    assert _bound(lambda x: np.array([[0.95 + 0.06 * x[0], 1.0], [1.0, 0.0]]), 1, Sizes(1, 1, 0, 1)) is None


def test_bisection_reduces_the_influential_parameter():
    found = _bound(lambda x: np.array([[0.5 + 0.2 * x[0] + 0.01 * x[1], 1.0], [1.0, 0.0]]), 2, Sizes(1, 1, 0, 1))
    assert found.influence[0] > 10.0 * found.influence[1]
