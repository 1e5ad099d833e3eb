"""Momentum computed from a rate: J omega, plus the momentum of elements."""

import numpy as np
import pytest

from polhode.controllers import blocks
from polhode.plant import InputError

J = np.array([[4.0, 0.1, -0.2], [0.1, 3.0, 0.3], [-0.2, 0.3, 2.0]])


def test_momentum_blocks_in_series_cancel():
    h, w, seen = np.array([1.0, -2.0, 0.5]), np.array([0.1, 0.3, -0.2]), np.array([0.12, 0.29, -0.21])
    carried = blocks.split_body_momentum(J, sample=0.1).replay([0.0], [[*h, *w]])
    assert np.allclose(carried[0], h - J @ w, rtol=0.0, atol=1e-15)
    block = blocks.momentum_of_rate(J, sample=0.1)
    assert np.allclose(block.replay([0.0], [[*carried[0], *w]])[0], h, rtol=0.0, atol=1e-15)
    told = block.replay([0.0], [[*carried[0], *seen]])[0]
    assert np.allclose(told, h + J @ (seen - w), rtol=0.0, atol=1e-15)
    form = block.small_signal(np.zeros(6), width=3)
    assert np.array_equal(form.D, np.hstack((np.eye(3), J)))


def test_momentum_blocks_reject_bad_inertia():
    with pytest.raises(InputError, match="inertia"):
        blocks.momentum_of_rate((1.0, 1.0, 5.0), sample=0.1)
