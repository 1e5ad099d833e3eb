"""Blocks of sensors, noise and jitter can be sent to another process, as in a campaign."""

import pickle

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.laws.blocks.jitter import jitter
from polhode.controllers.laws.blocks.noise import noise
from polhode.controllers.sensing.sensors import RateGyro, StarTracker

CRAFT = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
LAW = controllers.RateDamping(gain=0.1, sample=0.1)


def blocks():
    gyro = RateGyro(angle_random_walk=1e-5, bias=1e-6)
    yield "gyro", [gyro.block(sample=0.1, shadows=True)]
    yield "tracker", [StarTracker(noise=1e-5, roll_noise=1e-4).block(sample=0.1, shadows=True)]
    yield "noise", [noise(1e-5, reads="rate", width=3, sample=0.1)]
    yield "jitter", list(jitter(gyro.block(sample=0.1, shadows=True), 0.05, widths={"rate": 3}))


@pytest.mark.parametrize(("name", "made"), list(blocks()), ids=lambda value: value if isinstance(value, str) else "")
def test_pickled_sensor_block_runs_the_same(name, made):
    settings = {
        "rate": (0.1, 0.0, 0.0),
        "duration": 1.0,
        "integrator": "rk4",
        "step": 0.1,
        "seed": 3,
        "compiled": False,
    }
    again = pickle.loads(pickle.dumps(made))
    runs = [sim.simulate(CRAFT, LAW, blocks=each, **settings) for each in (made, again)]
    assert np.array_equal(runs[0].states, runs[1].states)
