"""The pointing attitude: exact for one axis, as near as possible for the other."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation

from polhode import plant
from polhode.controllers import pointing_attitude
from polhode.plant.attitude import rotation_matrix


def unit(v):
    return v / np.linalg.norm(v)


def test_pointing_attitude_aligns_boresight_and_nearest_clock():
    rng = np.random.default_rng(3)
    for boresight, target, clock, clock_target in rng.normal(size=(20, 4, 3)):
        R = rotation_matrix(pointing_attitude(boresight, target, clock=clock, clock_target=clock_target))
        np.testing.assert_allclose(R @ unit(boresight), unit(target), rtol=0, atol=1e-15 * 8)

        def apart(angle, held, axis, aim):
            return -Rotation.from_rotvec(angle * axis).apply(held) @ aim

        given = (R @ unit(clock), unit(target), unit(clock_target))
        best = minimize_scalar(apart, args=given, bounds=(-3.2, 3.2), method="bounded", options={"xatol": 1e-9})
        assert best.x == pytest.approx(0.0, abs=1e-7)  # a search by values finds a minimum to root eps


def test_pointing_attitude_ignores_lengths():
    one = pointing_attitude((0, 0, 1), (1, 2, 3), clock=(1, 0, 0), clock_target=(0, 0, 1))
    other = pointing_attitude((0, 0, 9), (1e11, 2e11, 3e11), clock=(0.1, 0, 0), clock_target=(0, 0, 1e-3))
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"clock": (0, 0, -2)}, "boresight and clock axis must not be parallel"),
        ({"clock_target": (2, 0, 0)}, "target and clock target must not be parallel"),
        ({"boresight": (0, 0, 0)}, "boresight must be a direction of any length but zero"),
        ({"target": (0, 1)}, "target must be 3 numbers"),
        ({"clock": (0, np.inf, 0)}, "clock must be finite"),
    ],
)
def test_pointing_attitude_rejects_bad_input(change, message):
    given = {"boresight": (0, 0, 1), "target": (1, 0, 0), "clock": (1, 0, 0), "clock_target": (0, 0, 1), **change}
    with pytest.raises(plant.InputError, match=message):
        pointing_attitude(given.pop("boresight"), given.pop("target"), **given)
