"""Knowledge error: rotation between two attitudes from the first estimate on, and nothing before."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.controllers import RateDamping
from polhode.controllers.sensing.estimators import MEKF
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.attitude import from_rotation_vector, quaternion_product
from polhode.sim.results.knowledge import knowledge_error


def test_knowledge_error_is_rotation_from_estimate_to_truth():
    estimate = np.array([(0.5, 0.5, -0.5, 0.5), (0.6, 0.0, 0.8, 0.0), (0.0, 0.0, 0.0, 0.0)])
    turns = np.array([(1e-3, -2e-3, 5e-4), (0.0, 0.4, 0.0), (0.1, 0.0, 0.0)])
    truth = np.array(
        [
            quaternion_product(e if e.any() else (1, 0, 0, 0), from_rotation_vector(a))
            for e, a in zip(estimate, turns, strict=True)
        ]
    )
    found = knowledge_error(-truth, estimate)
    assert np.allclose(found[:2], turns[:2], rtol=0.0, atol=1e-15)
    assert np.isnan(found[2]).all()


@pytest.mark.parametrize("sample", [0.1, 0.5])
def test_knowledge_error_at_the_end_is_that_of_the_last_estimate(sample):
    """Without noise the estimate is exact at its samples; 0.2 rad/s rotate the craft by 0.2 x sample until the end."""
    gyro = RateGyro(angle_random_walk=1e-9, rate_random_walk=1e-12)
    tracker = StarTracker(noise=1e-9, roll_noise=1e-9)
    first, other = gyro.block(sample=sample), tracker.block(sample=sample)
    mekf = MEKF(1e-9, 1e-12).block(
        first, [(tracker, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-4, bias_sigma=1e-6
    )
    blocks = [first, other, mekf]
    craft = plant.Spacecraft(plant.RigidBody((3.0, 3.0, 3.0)))
    law = RateDamping(gain=1e-12, sample=sample)
    run = sim.simulate(craft, law, rate=(0.0, 0.0, 0.2), duration=10.0, blocks=blocks, output_step=sample, seed=1)
    error = np.linalg.norm(run.values("knowledge_error"), axis=1)
    assert error[-1] < 1e-3 * 0.2 * sample
    assert error[-1] == error[-2]
    held = sim.simulate(craft, law, rate=(0.0, 0.0, 0.2), duration=10.05, blocks=blocks, output_step=0.05, seed=1)
    between = np.linalg.norm(held.values("knowledge_error"), axis=1)[-1]  # no sample there: the estimate is held
    assert between == pytest.approx(0.2 * 0.05, rel=1e-3)
