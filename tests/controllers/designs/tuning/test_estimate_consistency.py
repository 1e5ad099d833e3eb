"""Goal on the consistency of an estimator: rows and gradients."""

# pyright: reportOptionalSubscript=false, reportArgumentType=false
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.designs.tuning import EstimateConsistency
from polhode.controllers.designs.tuning.point import Point
from polhode.controllers.loop.analysis.estimate_consistency import consistency_ratios
from polhode.controllers.sensing.estimators import MEKF
from polhode.controllers.sensing.sensors import RateGyro, StarTracker

CRAFT = plant.Spacecraft(plant.RigidBody((40.0, 30.0, 20.0)))
MODEL = CRAFT.linearize(CRAFT.at_rest())
GYRO = RateGyro(angle_random_walk=3e-5, rate_random_walk=3e-6, bias=1e-5)
TRACKER = StarTracker(noise=4e-5, roll_noise=3e-4, delay=0.2, mounting=(0.8, 0.36, 0.48, 0.0))
X = np.array((0.7, -0.4, -0.3, 0.2))


@cache
def sensors():
    return GYRO.block(sample=0.1), TRACKER.block(sample=0.1)


def loop_at(x):
    """Logarithms of the factors on the noise of gyro and tracker, and on the frequency of the law."""
    noise, walk, factor, frequency = np.exp(x)
    first, other = sensors()
    mekf = MEKF(3e-5 * noise, 3e-6 * walk, measurement_noise_factor=factor)
    block = mekf.block(first, [(TRACKER, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-5)
    law = controllers.quaternion_feedback(CRAFT, frequency=0.2 * frequency, damping_ratio=0.7, sample=0.1)
    return law.loop(MODEL, blocks=[first, other, block])


@pytest.mark.parametrize("of_bias", [False, True])
@pytest.mark.parametrize("upper", [True, False])
def test_consistency_rows_have_gradients_of_extrapolated_differences(upper, of_bias):
    """Differences with steps 0.02, 0.01 and 0.005, extrapolated to order six; a ratio does not depend on the law."""
    goal = EstimateConsistency(bound=0.8, upper=upper, of_bias=of_bias)
    rows = goal.rows(Point(X, [loop_at]), 0, gradients=True)
    ratios = consistency_ratios(loop_at(X), of_bias=of_bias)[0]
    np.testing.assert_allclose([row[0] for row in rows], ratios / 0.8 if upper else 0.8 / ratios, rtol=1e-12)

    def value(x):
        found = consistency_ratios(loop_at(x), of_bias=of_bias)[0]
        return found / 0.8 if upper else 0.8 / found

    found = np.array([row[1] for row in rows])
    for n, e in enumerate(np.eye(4)):
        coarse = [(value(X + h * e) - value(X - h * e)) / (2.0 * h) for h in (0.02, 0.01, 0.005)]
        once = [(4.0 * fine - rough) / 3.0 for rough, fine in pairwise(coarse)]
        np.testing.assert_allclose(found[:, n], (16.0 * once[1] - once[0]) / 15.0, rtol=1e-6, atol=1e-7)
    assert np.abs(found[:, 3]).max() < 1e-7
    assert np.abs(found[:, 0]).min() > 0.1
