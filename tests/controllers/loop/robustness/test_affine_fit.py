"""A matrix over a box is covered by its affine fit and the remainder."""

import numpy as np
import pytest

from polhode.controllers.loop.robustness.affine_fit import Box, affine_fit

BOX = Box((-1.0, -1.0), (1.0, 1.0))


def bent(x):
    a, b = x
    return np.array([[1.0 / (2.0 + a), np.sin(b)], [a * b, np.exp(0.5 * b)], [0.3, a]])


def test_affine_fit_covers_nonlinear_remainder():
    found = affine_fit(bent, BOX)
    real = [block for block in found.blocks if block.kind == "real"]
    numbers = sum(block.outputs for block in real)
    L, R = found.left[:, numbers:], found.right[numbers:]
    rng = np.random.default_rng(1)
    for x in rng.uniform(-1.0, 1.0, size=(12, 2)):
        # the best parameters for this point, by optimisation: the difference must be covered by the remainder
        sizes = []
        for a in np.linspace(x[0] - 0.25, x[0] + 0.25, 11):
            for b in np.linspace(x[1] - 0.25, x[1] + 0.25, 11):
                delta = np.repeat(np.clip([a, b], -1.0, 1.0), [block.outputs for block in real])
                off = bent(x) - found.middle - (found.left[:, :numbers] * delta) @ found.right[:numbers]
                inner = np.linalg.pinv(L) @ off @ np.linalg.pinv(R)
                assert np.allclose(L @ inner @ R, off, atol=1e-9)
                sizes.append(np.linalg.norm(inner, 2))
        assert min(sizes) <= 1.0


def test_affine_fit_of_separable_functions_has_no_remainder():
    inverse = affine_fit(lambda x: np.diag([1.0 / (2.0 + x[0]), 1.0 / (3.0 + x[1])]), BOX)
    assert inverse.rest == 0.0
    assert [(block.kind, block.outputs) for block in inverse.blocks] == [("real", 1), ("real", 1)]


def test_affine_fit_remainder_decreases_with_square_of_box():
    whole = affine_fit(bent, Box((0.0, 0.0), (0.4, 0.4)))
    half = affine_fit(bent, Box((0.0, 0.0), (0.2, 0.2)))
    assert half.rest / whole.rest == pytest.approx(0.5, abs=0.1)  # relative to a change that decreases with the box


def test_box_halves_join_at_the_middle():
    low, high = BOX.halves(1)
    assert (low, high) == (Box((-1.0, -1.0), (1.0, 0.0)), Box((-1.0, 0.0), (1.0, 1.0)))
    assert high.at((1.0, -1.0)) == (1.0, 0.0)


def test_affine_fit_omits_parameters_without_effect():
    found = affine_fit(lambda x: np.array([[x[0]]]), BOX)
    assert [block.outputs for block in found.blocks] == [1]
