"""The factor on the assumed sensor noise equals a sensor that states this noise."""

import numpy as np
import pytest

from polhode.controllers.sensing.estimators import MEKF, AttitudeSightings, RateRecord, VectorSightings
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.errors import InputError

START = {"attitude": (1, 0, 0, 0), "attitude_sigma": 1e-2, "bias_sigma": 1e-4}


def test_replay_with_factor_equals_replay_of_noisier_sensors():
    t = np.arange(1, 41) * 0.5
    random = np.random.default_rng(3)
    gyro = RateRecord(t, 1e-3 * random.standard_normal((40, 3)), start=0.0)

    def found(factor, scale):
        attitudes = np.tile((1.0, 1e-3, -2e-3, 0.0), (40, 1)) / np.sqrt(1.0 + 5e-6)
        seen = (
            AttitudeSightings(t, attitudes, sigma=np.array((1e-3, 2e-3, 5e-3)) * scale, mounting=(0.6, 0.0, 0.8, 0.0)),
            VectorSightings(t, np.tile((0.0, 1e-3, 1.0), (40, 1)), inertial=(0.0, 0.0, 1.0), sigma=2e-3 * scale),
        )
        return MEKF(1e-4, 1e-6, measurement_noise_factor=factor).replay(gyro, seen, **START)

    one, other = found(1.7, 1.0), found(1.0, 1.7)
    np.testing.assert_allclose(one.attitude, other.attitude, rtol=0.0, atol=1e-15)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-12, atol=1e-30)
    assert not np.allclose(one.covariance, found(1.0, 1.0).covariance, rtol=1e-2)


def test_block_with_factor_has_gains_of_noisier_sensor():
    gyro = RateGyro(angle_random_walk=3e-5, rate_random_walk=3e-6).block(sample=0.1)

    def form(factor, scale):
        tracker = StarTracker(noise=4e-5 * scale, roll_noise=3e-4 * scale, delay=0.2)
        mekf = MEKF(3e-5, 3e-6, measurement_noise_factor=factor)
        block = mekf.block(gyro, [(tracker, tracker.block(sample=0.5))], **START)
        y0 = np.zeros(11)
        y0[5] = 1.0
        assert block.linear is not None
        return block.linear(y0)

    one, other = form(2.5, 1.0), form(1.0, 2.5)
    np.testing.assert_allclose(one.A, other.A, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-10, atol=1e-25)


@pytest.mark.parametrize("factor", [0.0, -1.0])
def test_factor_must_be_positive(factor):
    with pytest.raises(
        InputError, match=f"measurement noise factor of the filter must be greater than 0; got {factor:g}"
    ):
        MEKF(1e-4, 1e-6, measurement_noise_factor=factor)
