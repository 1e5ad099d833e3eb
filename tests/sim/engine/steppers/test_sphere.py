"""The projection onto the unit sphere."""

from decimal import Decimal, getcontext

import numpy as np
import pytest

from polhode.plant.kernels.kernel import LANES as MARKED
from polhode.sim.codegen.c99.kinds import REAL
from polhode.sim.engine.steppers.sphere import project, to_unit

from ...codegen.vectors import LANES, in_vectors, one_by_one


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.0 + 1e-9, 1.0 + 4.9e-7, 1.0 - 5.1e-7, 3.0])
def test_project_scales_the_euler_parameters_only(scale):
    rng = np.random.default_rng(3)
    e = rng.normal(size=4)
    e /= np.linalg.norm(e)
    x = np.concatenate([rng.normal(size=3), scale * e, rng.normal(size=6)])
    rest = np.delete(x, range(3, 7))
    drift = project(x)
    assert drift == pytest.approx(scale**2 - 1.0, abs=1e-15 * scale**2 * 4)  # a few units in the last place
    np.testing.assert_allclose(x[3:7], e, rtol=0, atol=4e-16)
    np.testing.assert_array_equal(np.delete(x, range(3, 7)), rest)


def test_project_tells_what_is_not_finite():
    x = np.full(7, np.nan)
    assert np.isnan(project(x))


SQUARES = [
    1.0,
    1.0 + 3e-16,
    1.0 - 2e-16,
    1.0 + 1e-9,
    1.0 - 9.99e-7,
    1.0 + 9.99e-7,
    1.0 - 1.01e-6,
    1.01,
    0.3,
    9.0,
    1e-30,
    1e280,
]


@pytest.mark.parametrize("square", SQUARES)
def test_numbers_are_scaled_as_by_the_root_itself_near_the_sphere_and_far(square):
    getcontext().prec = 60
    rng = np.random.default_rng(7)
    for _ in range(50):
        e = rng.standard_normal(4)
        given = np.sqrt(square) * e / np.linalg.norm(e)
        off, *found = to_unit(*given.tolist())
        digits = [Decimal(each) for each in given.tolist()]
        exact = sum(each * each for each in digits)
        assert off == pytest.approx(float(exact - 1), rel=1e-15, abs=4.5e-16)
        root = exact.sqrt()
        # half a unit of each number, and the round-off in the sum of squares
        np.testing.assert_allclose(found, [float(each / root) for each in digits], rtol=4.5e-16)


def test_lanes_of_which_one_is_far_off_have_their_own_numbers():
    assert to_unit in MARKED
    rng = np.random.default_rng(3)
    near = rng.standard_normal((LANES, 4))
    near *= (1.0 + np.linspace(-4e-7, 4e-7, LANES))[:, None] / np.linalg.norm(near, axis=1)[:, None]
    one, some = near.copy(), near.copy()
    one[3] *= 1.2
    some[:5] = np.nan
    for e in (near, one, some):
        given = list(e.T)
        wanted, _ = one_by_one(to_unit, given)
        found, _ = in_vectors(to_unit, (REAL,) * 4, given)
        assert found.tobytes() == wanted.tobytes()
