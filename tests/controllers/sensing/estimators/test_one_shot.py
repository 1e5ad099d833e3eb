"""Davenport, QUEST, SVD and TRIAD agree; their covariances match Monte Carlo."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.controllers.sensing.estimators import triad, wahba
from polhode.controllers.sensing.estimators.wahba import METHODS
from polhode.plant.attitude import attitude_error, rotation_matrix, to_rotation_vector
from polhode.plant.errors import InputError


def apart(a, b):
    return np.linalg.norm(to_rotation_vector(attitude_error(a, b)))


def random_attitudes(rng, n):
    e = rng.normal(size=(n, 4))
    e[::3, 0] = 0.0  # half turns, where QUEST is singular in its original frame
    e[1::9] = (0.0, 1.0, 0.0, 0.0)
    return e / np.linalg.norm(e, axis=1, keepdims=True)


def test_wahba_methods_give_the_same_attitude():
    rng = np.random.default_rng(1)
    for e in random_attitudes(rng, 120):
        v = rng.normal(size=(rng.integers(2, 8), 3))
        w = v @ rotation_matrix(e)
        w = w / np.linalg.norm(w, axis=1, keepdims=True) + 1e-3 * rng.normal(size=w.shape)
        fixes = [wahba(w, v, sigma=1e-3, method=method) for method in METHODS]
        if np.linalg.eigvalsh(fixes[0].covariance)[-1] > 1e-4:
            continue  # nearly parallel: a condition number of more than 100 costs digits
        assert max(apart(fix.attitude, fixes[0].attitude) for fix in fixes[1:]) < 1e-12
        assert fixes[1].loss == pytest.approx(fixes[0].loss, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_single_frame_attitude_is_exact_without_noise(method):
    rng = np.random.default_rng(2)
    for e in random_attitudes(rng, 30):
        v = rng.normal(size=(3, 3))
        fix = wahba(v @ rotation_matrix(e), v, sigma=(1e-3, 2e-3, 5e-3), method=method)
        assert apart(fix.attitude, e) < 1e-12
        assert fix.loss < 1e-18


def test_single_frame_covariances_match_published_values():
    w = [(1, 0, 0), (0.6, 0.8, 0)]
    sigma = (1e-3, 2e-3)
    by_two, best = triad(w, w, sigma=sigma), wahba(w, w, sigma=sigma)
    assert by_two.covariance[:2, :2] * 1e6 == pytest.approx(np.array([[6.8125, 0.75], [0.75, 1.0]]))
    assert by_two.covariance[2, 2] * 1e6 == pytest.approx(1.0)
    assert best.covariance[:2, :2] * 1e6 == pytest.approx(np.array([[6.8125, 0.75], [0.75, 1.0]]))
    assert best.covariance[2, 2] * 1e6 == pytest.approx(0.8)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("solve", [triad, wahba])
def test_single_frame_covariance_matches_monte_carlo(solve):
    rng = np.random.default_rng(3)
    e = np.array([0.5, 0.5, -0.5, 0.5])
    v = np.array([(1.0, 0.0, 0.0), (0.6, 0.8, 0.0)])
    w, sigma = v @ rotation_matrix(e), np.array([1e-3, 2e-3])
    errors = []
    for _ in range(1500):
        noisy = w + np.cross(w, sigma[:, None] * rng.normal(size=(2, 3)))
        errors.append(to_rotation_vector(attitude_error(e, solve(noisy, v, sigma=sigma).attitude)))
    found, said = np.cov(np.array(errors).T), solve(w, v, sigma=sigma).covariance
    # a sample variance of 1500 has a relative sigma of 3.7 %
    scale = np.sqrt(np.outer(np.diag(said), np.diag(said)))
    assert np.abs(found - said).max() / scale.max() < 0.15


@pytest.mark.parametrize(
    ("body", "inertial", "sigma", "message"),
    [
        ([(1, 0, 0)], [(1, 0, 0)], 1e-3, "two or more directions"),
        (
            [(1, 0, 0), (1, 1e-4, 0)],
            [(1, 0, 0), (1, 1e-4, 0)],
            1e-3,
            r"parallel within 3 sigma: the rotation about body \(1",
        ),
        ([(1, 0, 0), (0, 0, 0)], [(1, 0, 0), (0, 1, 0)], 1e-3, "direction of length zero"),
        ([(1, 0, 0), (0, 1, 0)], [(1, 0, 0), (0, 1, 0)], 5.0, "degrees or arcsec"),
        ([(1, 0, 0), (0, 1, 0)], [(1, 0, 0), (0, 1, 0), (0, 0, 1)], 1e-3, "got 2 and 3"),
        ([(1, 0, 0), (0, 1, 0)], [(1, 0, 0), (0, 1, 0)], (1e-3, 1e-3, 1e-3), "one for each of 2"),
    ],
)
@pytest.mark.parametrize("solve", [triad, wahba])
def test_single_frame_solutions_reject_bad_input(solve, body, inertial, sigma, message):
    with pytest.raises(InputError, match=message):
        solve(body, inertial, sigma=sigma)


def test_triad_needs_two_directions():
    with pytest.raises(InputError, match="use wahba for more"):
        triad(np.eye(3), np.eye(3), sigma=1e-3)
