"""Dual numbers: against complex steps, against hand-written gradients, and complex ones for second derivatives."""

import math

import numpy as np
import pytest

from polhode.plant.loads.potentials.dual import Dual, gradient

C = np.array((0.3, -0.8, 0.5))
E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
A = np.array([[2.0, 0.3, -0.1, 0.4], [0.7, 1.0, 0.2, 0.5], [-0.2, 0.6, 3.0, 0.1], [0.9, -0.3, 0.8, 1.5]])

SMOOTH = {
    "arithmetic": lambda c, e: (c[0] * e[1] - 2.0 * c[2] / e[0] + 1.0) / (3.0 - c[1]) - (-e[2]) + (+e[3]),
    "powers": lambda c, e: c[0] ** 3 + e[0] ** 0.5 + 2.0 ** c[1] + e[2] ** e[3] + c[2] ** -2 + e[1] ** 0,
    "vectors": lambda c, e: e @ A @ e + c @ c - np.dot(c, e[:3]) + np.sum(e**2) * np.cross(c, e[:3]) @ c,
    "arrays": lambda c, e: (np.array((1.0, 2.0, 3.0)) * c - c / np.array((2.0, 1.0, 4.0))).sum() + (1.0 - e) @ e,
    "exponentials": lambda c, e: np.exp(c[0]) * np.log(e[0]) + np.expm1(c[1]) - np.log1p(c[2]) + np.sqrt(e[3]),
    "circular": lambda c, e: np.sin(c[0]) * np.cos(c[1]) + np.tan(c[2]),
    "inverse circular": lambda c, e: np.arcsin(c[0]) - np.arccos(c[1]) * np.arctan(e[2]),
    "hyperbolic": lambda c, e: np.sinh(c[0]) * np.cosh(c[1]) - np.tanh(c[2]),
    "of a vector": lambda c, e: (
        np.sin(c) @ np.exp(c) + np.square(e).sum() + np.reciprocal(e).sum() + np.negative(c).sum()
    ),
    "constants of numpy": lambda c, e: np.float64(2.0) * c[0] - c[1] / np.float64(3.0) + np.float64(1.5) ** e[0],
    "powers of arrays": lambda c, e: (c[0] ** np.array((1, 2, 3))).sum(),
    "a constant": lambda c, e: 0.0 * c[0] + 7.0,
}


@pytest.mark.parametrize("name", SMOOTH)
def test_dual_gradient_matches_the_complex_step(name):
    f = SMOOTH[name]
    value, slope = gradient(f, C, E)
    h = 1e-40
    x = np.concatenate([C, E])
    expected = [f((x + 1j * h * d)[:3], (x + 1j * h * d)[3:]).imag / h for d in np.eye(7)]
    # 64 eps: a few dozen operations on numbers of order ten
    np.testing.assert_allclose(slope, expected, rtol=0, atol=64 * 2.2e-16 * max(1.0, np.abs(expected).max()))
    assert value == pytest.approx(f(C, E), rel=4e-15)


BY_HAND = {  # functions for which the complex step is invalid
    "arctan2": (
        lambda c, e: np.arctan2(e[3], e[0]),
        [0, 0, 0, -E[3] / (E[0] ** 2 + E[3] ** 2), 0, 0, E[0] / (E[0] ** 2 + E[3] ** 2)],
    ),
    "arctan2, one number": (lambda c, e: np.arctan2(c[1], -2.0), [0, -2.0 / (4.0 + C[1] ** 2), 0, 0, 0, 0, 0]),
    "arctan2 of arrays": (
        lambda c, e: np.arctan2(c[:1], e[:1]).sum(),
        [E[0] / (C[0] ** 2 + E[0] ** 2), 0, 0, -C[0] / (C[0] ** 2 + E[0] ** 2), 0, 0, 0],
    ),
    "norm": (lambda c, e: np.linalg.norm(c), [*(C / np.linalg.norm(C)), 0, 0, 0, 0]),
    "hypot": (lambda c, e: np.hypot(c[0], c[1]), [*(C[:2] / np.hypot(*C[:2])), 0, 0, 0, 0, 0]),
    "abs": (lambda c, e: abs(c[1]) + np.abs(c[0]), [1, -1, 0, 0, 0, 0, 0]),
    "vdot": (lambda c, e: np.vdot(c, c), [*(2 * C), 0, 0, 0, 0]),
    "maximum": (lambda c, e: np.maximum(c[0], c[1]) + np.minimum(e[0], 0.1), [1, 0, 0, 0, 0, 0, 0]),
    "max": (lambda c, e: max(c) - min(e), [0, 0, 1, 0, -1, 0, 0]),
    "branch": (lambda c, e: c[0] ** 2 if c[0] > 0.0 and c[1] <= 0 else 0.0, [2 * C[0], 0, 0, 0, 0, 0, 0]),
    "where": (lambda c, e: np.where(c > 0.0, c, 0.0).sum(), [1, 0, 1, 0, 0, 0, 0]),
    "guard": (lambda c, e: 0.0 if c[0] == C[0] else c[0], [0] * 7),
    "plain number": (lambda c, e: 7.0, [0] * 7),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_dual_gradient_matches_the_analytical_gradient(name):
    f, expected = BY_HAND[name]
    np.testing.assert_allclose(gradient(f, C, E)[1], expected, rtol=0, atol=4e-15)  # a few roundings of order one


def test_complex_step_of_dual_gradient_is_the_hessian():
    h = 1e-40

    def f(c, e):
        return np.arctan2(c[0], c[1]) * np.exp(e[0]) + e @ A @ e + np.sqrt(c @ c)

    x = np.concatenate([C, E])
    hessian = np.array([gradient(f, (x + 1j * h * d)[:3], (x + 1j * h * d)[3:])[1].imag / h for d in np.eye(7)])
    np.testing.assert_allclose(hessian, hessian.T, rtol=0, atol=1e-14)  # 64 eps
    np.testing.assert_allclose(hessian[4:, 4:], (A + A.T)[1:, 1:], rtol=0, atol=1e-14)
    a, b = C[0], C[1]
    s = (a * a + b * b) ** 2
    polar = np.exp(E[0]) * np.array([[-2 * a * b, a * a - b * b], [a * a - b * b, 2 * a * b]]) / s
    r = np.linalg.norm(C)
    np.testing.assert_allclose(
        hessian[:2, :2], polar + (np.eye(2) - np.outer(C[:2], C[:2]) / r**2) / r, rtol=0, atol=1e-14
    )


def test_dual_numbers_compare_by_value():
    one, two = Dual(1.0, np.ones(7)), Dual(2.0, np.zeros(7))
    assert one < two
    assert one <= 1.0
    assert two > one
    assert two >= 2.0
    assert one == 1.0
    assert one != two


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda c, e: math.sin(c[0]), "must be real number"),
        (lambda c, e: np.sign(c[0]), "sign"),
        (lambda c, e: np.cbrt(c).sum(), "cbrt"),
        (lambda c, e: c[0].cbrt(), "a potential may not use 'cbrt'"),
        (lambda c, e: np.add(c[0], c[1], dtype=float), "add"),
    ],
)
def test_dual_gradient_rejects_unsupported_functions(function, error):
    with pytest.raises((TypeError, AttributeError), match=error):
        gradient(function, C, E)
