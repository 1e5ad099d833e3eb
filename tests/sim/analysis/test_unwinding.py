"""No built-in law unwinds; a law that does is detected."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])
WEIGHTS = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1}


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("body", limit=5.0))


LAWS = {
    "lqr": lambda craft, model: controllers.lqr(model, **WEIGHTS, delay=0.13),
    "lqg": lambda craft, model: controllers.lqg(model, **WEIGHTS, torque_noise=1e-3, attitude_noise=1e-4),
    "quaternion": lambda craft, model: controllers.quaternion_feedback(
        craft, frequency=0.1, damping_ratio=1.0, sample=0.1
    ),
    "energy": lambda craft, model: controllers.EnergyShaping(
        stiffness=(3.0, 4.0, 5.0), damping=50.0, inertia=INERTIA, sample=0.1
    ),
}


@pytest.mark.parametrize("name", list(LAWS))
def test_laws_do_not_unwind(craft, name):
    found = sim.unwinding(craft, LAWS[name](craft, craft.linearize(craft.at_rest())), duration=200.0)
    assert not found.unwinds
    assert found.difference.max() < 1e-12
    np.testing.assert_allclose(found.path[:, 0], found.path[:, 1], rtol=1e-12)


def test_law_without_sign_unwinds():
    """From -e it rotates by 360 deg minus the error, from e by the error itself: critically damped, so no overshoot."""
    craft = plant.Spacecraft(plant.RigidBody(INERTIA))

    def signless(t, y, r):
        return INERTIA @ (-2.0 * 0.01 * y[4:7] - 0.2 * y[7:10])

    law = controllers.CustomLaw(signless, sample=0.1, compiled=False)
    found = sim.unwinding(craft, law, duration=300.0, angles=(0.5, 2.0), axis=(0.6, -0.5, 0.8))
    assert found.unwinds
    np.testing.assert_allclose(found.path[:, 0], found.angles, rtol=0.01)
    np.testing.assert_allclose(found.path[:, 1], 2.0 * np.pi - found.angles, rtol=0.01)
    assert found.final.max() < 1e-3
    assert found.to_dict()["unwinds"]


def test_bad_input(craft):
    law = LAWS["quaternion"](craft, None)
    with pytest.raises(plant.InputError, match="not zero"):
        sim.unwinding(craft, law, duration=1.0, axis=(0, 0, 0))
