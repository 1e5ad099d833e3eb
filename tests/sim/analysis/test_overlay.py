"""The linear loop in time, against matrices by hand, and its distance from the nonlinear run, of the right order."""

import numpy as np
import pytest
from scipy.linalg import expm

from polhode import controllers, plant, sim

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])
WEIGHTS = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1}
SKEW = np.array([0.6, -0.5, 0.8])


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA))


def test_linear_response_by_hand(craft):
    """delta' = w, w' = J^-1 u, u = -K1 delta - K2 J w held for a sample, the first command with a delay of 0.25 s."""
    model = craft.linearize(craft.at_rest())
    law = controllers.QuaternionFeedback(
        inertia=INERTIA, stiffness=2 * 0.01 * INERTIA, damping=0.2 * INERTIA, sample=0.1, delay=0.25
    )
    start = np.array([0.1, -0.2, 0.05, 1.0, 2.0, -3.0])
    found = sim.linear_response(law, model, start=start, duration=30.0)
    A = np.zeros((9, 9))
    A[:3, 3:6], A[3:6, 6:] = np.eye(3), np.linalg.inv(INERTIA)
    half = expm(0.05 * A)
    x = np.concatenate((start[:3], np.linalg.solve(INERTIA, start[3:])))
    commands = [np.zeros(3)] * 3
    for k in range(found.t.size):
        np.testing.assert_allclose(found.error_vector[k], x[:3], rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.rate[k], x[3:], rtol=0, atol=1e-13)
        commands.append(-INERTIA @ (0.01 * x[:3] + 0.2 * x[3:]))
        np.testing.assert_allclose(found.command[k], commands[-4], rtol=0, atol=1e-10)
        for arriving in (commands[-4], commands[-3]):
            x = half[:6, :6] @ x + half[:6, 6:] @ arriving


def test_half_the_start_is_a_quarter_of_the_difference(craft):
    law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
    sizes = [0.02, 0.01, 0.005]
    found = [sim.overlay(craft, law, duration=60.0, error=size * SKEW, rate=0.1 * size * SKEW[::-1]) for size in sizes]
    for name in ("error_vector", "rate", "command"):
        off = np.array([one.difference(name) for one in found]) * sizes
        np.testing.assert_allclose(off[:-1] / off[1:], 4.0, rtol=0.1)


def test_about_one_principal_axis_it_is_an_eighth(craft):
    craft = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)))
    law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
    sizes = [0.2, 0.1]
    off = [s * sim.overlay(craft, law, duration=60.0, error=(0, s, 0)).difference("error_vector") for s in sizes]
    assert off[0] / off[1] == pytest.approx(8.0, rel=0.02)


@pytest.mark.parametrize("delay", [0.0, 0.13])
def test_overlay_with_memory_estimator_and_delay(craft, delay):
    law = controllers.lqg(
        craft.linearize(craft.at_rest()), **WEIGHTS, torque_noise=1e-3, attitude_noise=1e-4, delay=delay
    )
    found = sim.overlay(craft, law, duration=60.0, error=1e-5 * SKEW, rate=1e-6 * SKEW)
    assert max(found.difference(name) for name in ("error_vector", "rate", "command")) < 1e-4


def test_about_a_spin_with_a_wheel():
    wheel = plant.Wheel(axis=(0.0, 1.0, 0.0), inertia=0.5, friction=0.02)
    craft = plant.Spacecraft(plant.RigidBody((40.0, 60.0, 25.0)), elements=[wheel])
    spin = craft.linearize(craft.spinning((0.0, 0.05, 0.0)))
    law = controllers.lqr(spin, attitude=1.0, rate=1.0, effort=1.0, sample=0.25)
    small = [sim.overlay(craft, law, duration=60.0, error=s * SKEW, rate=0.1 * s * SKEW) for s in (2e-3, 1e-3)]
    off = [2.0 * small[0].difference("rate"), small[1].difference("rate")]
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.1)
    assert off[1] < 1e-3


def test_wrong_linear_model_shows(craft):
    """A further delay of half a sample in the simulated law is detected immediately, for any small start."""
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, **WEIGHTS)
    linear = sim.linear_response(law, model, start=(*(1e-5 * SKEW), 0, 0, 0), duration=60.0)
    late = sim.overlay(craft, sim_law_late(law), duration=60.0, error=1e-5 * SKEW)
    off = np.abs(late.simulated("error_vector") - linear.error_vector).max() / 1e-5
    assert off > 1e-3


def sim_law_late(law):
    return controllers.LinearFeedback.from_gain(law.gain, law.model, sample=law.sample, delay=0.05)


def test_limits_are_told():
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("body", limit=1.0))
    law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
    large, small = (sim.overlay(craft, law, duration=60.0, error=(size, 0, 0)) for size in (1.0, 0.01))
    assert large.to_dict()["saturated"]
    assert not small.saturated
    assert large.difference("command") > 0.5
    assert small.to_dict()["start_angle_deg"] == pytest.approx(np.degrees(0.01))
