"""Log-Cholesky coordinates: every point is a body, every body a point; derivatives against finite differences."""

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.plant.hub.inertia import inertia_matrix
from polhode.sim.analysis.identification.pseudo_inertia import entries_of, inertia_at, inertia_jacobian, log_cholesky

J = np.array([[6.53, 0.45, -0.30], [0.45, 5.96, 0.22], [-0.30, 0.22, 4.53]])


@pytest.mark.parametrize("scale", [1.0, 5.7])
def test_coordinates_return_their_inertia(scale):
    np.testing.assert_allclose(inertia_at(log_cholesky(J, scale=scale), scale=scale), J, rtol=0.0, atol=1e-14)


def test_every_point_is_a_body():
    """Random points, some distant: `inertia_matrix` checks definiteness and the triangle inequality by eigenvalues."""
    for z in np.random.default_rng(1).normal(size=(300, 6)) * 2.0:
        inertia_matrix(inertia_at(z, scale=3.0))


def test_point_masses_give_second_moment():
    """The inertia of point masses, summed mass by mass, from the second moments of the coordinates."""
    rng = np.random.default_rng(2)
    mass, place = rng.uniform(1.0, 2.0, 9), rng.normal(size=(9, 3))
    tensor = sum(m * ((r @ r) * np.eye(3) - np.outer(r, r)) for m, r in zip(mass, place, strict=True))
    moment = (mass[:, None] * place).T @ place
    z = log_cholesky(tensor, scale=1.0)
    L = np.array([[np.exp(z[0]), 0, 0], [z[3], np.exp(z[1]), 0], [z[5], z[4], np.exp(z[2])]])
    np.testing.assert_allclose(L @ L.T, moment, rtol=0.0, atol=1e-12)


def test_jacobian_equals_central_differences():
    z, h = log_cholesky(J, scale=2.0), 1e-6
    columns = [
        (entries_of(inertia_at(z + h * e, scale=2.0)) - entries_of(inertia_at(z - h * e, scale=2.0))) / (2 * h)
        for e in np.eye(6)
    ]
    np.testing.assert_allclose(inertia_jacobian(z, scale=2.0), np.array(columns).T, rtol=0.0, atol=1e-8)


def test_flat_body_is_refused():
    with pytest.raises(InputError, match="flat body"):
        log_cholesky((1.0, 2.0, 3.0), scale=1.0)
