"""Farrenkopf's closed form compared with the Riccati recursion and published numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

from polhode.controllers.sensing.estimators import farrenkopf
from polhode.plant.errors import InputError


@pytest.mark.parametrize(
    ("noise", "walk", "angle", "T"),
    [(0.3, 0.2, 1.0, 1.0), (0.0, 1e-3, 2.0, 0.1), (3e-6, 4e-10, 1e-4, 0.5), (2, 3, 1, 4)],
)
def test_farrenkopf_matches_riccati_equation(noise, walk, angle, T):
    units = np.diag([angle, angle / T])  # numbers near one for the solver
    back = np.linalg.inv(units)
    F = back @ np.array([[1.0, -T], [0.0, 1.0]]) @ units
    joint = -0.5 * walk**2 * T**2
    Q = back @ np.array([[noise**2 * T + walk**2 * T**3 / 3.0, joint], [joint, walk**2 * T]]) @ back
    before = units @ solve_discrete_are(F.T, np.array([[1.0], [0.0]]), Q, np.eye(1)) @ units
    gain = before[:, :1] / (before[0, 0] + angle**2)
    after = before - gain @ before[:1]
    found = farrenkopf(angle_noise=angle, gyro_noise=noise, gyro_walk=walk, sample=T)
    # the solver reaches 1e-8 in the worst of these (walk much smaller than the noise)
    assert (found.angle_before, found.bias_before) == pytest.approx(tuple(np.sqrt(np.diag(before))), rel=1e-6)
    assert (found.angle_after, found.bias_after) == pytest.approx(tuple(np.sqrt(np.diag(after))), rel=1e-6)
    assert (found.covariance_before, found.covariance_after) == pytest.approx((before[0, 1], after[0, 1]), rel=1e-6)
    assert found.angle_at(0.0) == found.angle_after
    assert found.angle_at(T) == pytest.approx(found.angle_before, rel=1e-12)


def test_farrenkopf_matches_published_numbers():
    found = farrenkopf(angle_noise=1.0, gyro_noise=0.3, gyro_walk=0.2, sample=1.0)
    assert found.angle_before == pytest.approx(1.005292055728924, rel=1e-14)
    assert found.angle_after == pytest.approx(0.7089703988873768, rel=1e-14)
    assert found.bias_before == pytest.approx(0.4031680318904, rel=1e-9)
    assert found.bias_after == pytest.approx(0.3500635113086, rel=1e-9)


@pytest.mark.parametrize("name", ["angle_noise", "gyro_noise", "gyro_walk", "sample"])
def test_farrenkopf_rejects_bad_input(name):
    good = {"angle_noise": 1.0, "gyro_noise": 0.3, "gyro_walk": 0.2, "sample": 1.0}
    with pytest.raises(InputError, match=name):
        farrenkopf(**{**good, name: -1.0})
