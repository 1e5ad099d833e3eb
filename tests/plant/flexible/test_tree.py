"""The solve along the arms against dense algebra."""

import numpy as np
import pytest


def test_velocities_solve_the_dense_system(crooked):
    craft = crooked()
    rng = np.random.default_rng(0)
    q = craft.straight((0.5, 0.5, -0.5, 0.5)) + 0.05 * rng.normal(size=craft.positions)  # e of any norm is allowed
    n = craft.degrees
    M = np.column_stack([craft.sweep(q, unit)[0] for unit in np.eye(n)])
    momenta = rng.normal(size=n)
    nu = craft.velocities(np.concatenate((q, momenta)))
    assert np.abs(M - M.T).max() < 1e-15 * np.abs(M).max()
    assert np.linalg.eigvalsh(M).min() > 0.0
    assert M @ nu == pytest.approx(momenta, abs=1e-12)


def test_it_is_exact_for_complex_numbers_to_first_order(crooked):
    craft = crooked()
    x = craft.state(rate=(0.3, 0.2, -0.1))
    step = np.zeros(x.size)
    step[craft.positions + 9] = 1.0
    nu = craft.velocities(x + 1e-30j * step)
    assert nu.imag / 1e-30 == pytest.approx(craft.velocities(x + step) - craft.velocities(x), rel=1e-9, abs=1e-12)
