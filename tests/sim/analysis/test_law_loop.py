"""Loop of a law around its own model, and around a different model against one assembled by hand."""

import numpy as np
import pytest
from scipy.linalg import expm

from polhode import controllers, plant

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])


def craft_of(inertia=INERTIA):
    return plant.Spacecraft(plant.RigidBody(inertia))


def rest(craft):
    return craft.linearize(craft.at_rest())


@pytest.fixture(scope="module")
def laws():
    model = rest(craft_of())
    weights = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1}
    return {
        "lqr": controllers.lqr(model, **weights),
        "late-lqr": controllers.lqr(model, **weights, delay=0.13),
        "lqg": controllers.lqg(model, **weights, torque_noise=1e-3, attitude_noise=1e-4),
        "pid": controllers.pid(model, frequency=0.2, damping_ratio=0.8, sample=0.1),
    }


@pytest.mark.parametrize("name", ["lqr", "late-lqr", "lqg", "pid"])
def test_around_its_own_model_it_is_the_loop_of_the_design(laws, name):
    law = laws[name]
    own, here = law.margins(), law.loop(rest(craft_of())).margins()
    for mine, other in zip(own.axes, here.axes, strict=True):
        for key in ("gain_up", "gain_down", "phase_deg", "delay_s", "disk"):
            assert getattr(other, key) == pytest.approx(getattr(mine, key), rel=1e-6)


def test_rate_gain_keeps_inertia_of_design(laws):
    """delta' = w, w' = J^-1 u with u = -K1 delta - K2 Jd w, for any J: poles of the sampled loop by hand."""
    law = laws["lqr"]
    other = INERTIA @ np.diag((1.1, 0.9, 1.2))
    J = 0.5 * (other + other.T)
    A = np.zeros((9, 9))
    A[:3, 3:6], A[3:6, 6:] = np.eye(3), np.linalg.inv(J)
    step = expm(0.1 * A)
    gain = np.hstack((law.gain[:, :3], law.gain[:, 3:6] @ INERTIA))
    poles = np.linalg.eigvals(step[:6, :6] - step[:6, 6:] @ gain)
    found = law.loop(rest(craft_of(J))).poles()
    np.testing.assert_allclose(np.sort(np.abs(found)), np.sort(np.abs(poles)), rtol=1e-9)


def test_nonlinear_law_is_its_own_loop():
    craft = craft_of()
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=1.0, sample=0.1)
    ours, its = law.loop(rest(craft)).margins(), law.margins(rest(craft))
    assert [axis.gain_up for axis in ours.axes] == [axis.gain_up for axis in its.axes]


def test_delay_can_be_another():
    craft = craft_of()
    tuned = {"frequency": 0.1, "damping_ratio": 1.0, "sample": 0.1}
    prompt = controllers.quaternion_feedback(craft, **tuned)
    late = controllers.quaternion_feedback(craft, **tuned, delay=0.37)
    found = prompt.loop(rest(craft), delay=0.37).poles()
    np.testing.assert_allclose(found, late.closed_loop_poles(rest(craft)), rtol=1e-12)


def test_law_loop_without_loop_is_refused(laws):
    law = controllers.OnOffThrusters(torque=1.0, deadband=0.01, lead=5.0, sample=0.1)
    with pytest.raises(plant.DesignError, match="no linear gain, so their loop has no margins"):
        law.loop(rest(craft_of()))
    other = plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("inertial"))
    with pytest.raises(plant.DesignError, match="torque basis of the design"):
        laws["lqr"].loop(rest(other))
