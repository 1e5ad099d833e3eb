"""Many bracketed roots at once."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from polhode.controllers.loop.bracketed_roots import bracketed_roots

CURVES = (np.cos, lambda x: x**3 - 2.0, lambda x: np.exp(x) - 4.0, lambda x: 1.0 - x)


def values(numbers: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.array([CURVES[n](x) for n, x in zip(numbers, points, strict=True)])


def roots(numbers: np.ndarray) -> np.ndarray:
    low, high = np.full(len(numbers), 0.5), np.full(len(numbers), 2.0)
    ends = (low, values(numbers, low)), (high, values(numbers, high))
    return bracketed_roots(lambda left, x: values(numbers[left], x), *ends, absolute=1e-14, relative=1e-13)


def test_roots_agree_with_brentq() -> None:
    found = roots(np.arange(len(CURVES)))
    expected = [brentq(curve, 0.5, 2.0, xtol=1e-14, rtol=1e-13) for curve in CURVES]
    np.testing.assert_allclose(found, expected, rtol=3e-13)  # the width of both brackets


def test_roots_do_not_depend_on_their_company() -> None:
    together = roots(np.arange(len(CURVES)))
    alone = [roots(np.array([n]))[0] for n in range(len(CURVES))]
    assert together.tolist() == alone
