"""Laws with given gains or matrices, against the law that they copy and the difference equation."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.plant.errors import DesignError, InputError

CRAFT = plant.Spacecraft(plant.RigidBody([[4.0, 0.12, -0.08], [0.12, 3.0, 0.15], [-0.08, 0.15, 2.0]]))
MODEL = CRAFT.linearize(CRAFT.at_rest())


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.17])
def test_state_feedback_reproduces_the_regulator_of_its_gains(delay):
    law = controllers.lqr(MODEL, attitude=2.0, rate=1.0, effort=1.0, sample=0.1, delay=delay)
    c = law.compensator
    gains = {"attitude_gain": -c.D[:, :3], "rate_gain": -c.D[:, 3:]} | ({"command_gain": -c.C} if c.order else {})
    same = controllers.state_feedback(MODEL, **gains, sample=0.1, delay=delay)
    np.testing.assert_array_equal(same.parameters, law.parameters)


def test_state_feedback_spreads_one_gain_over_the_axes():
    law = controllers.state_feedback(
        MODEL, attitude_gain=3.0, rate_gain=(4.0, 5.0, 6.0), command_gain=0.5, sample=0.1, delay=0.15
    )
    np.testing.assert_array_equal(law.compensator.D, -np.hstack((3.0 * np.eye(3), np.diag((4.0, 5.0, 6.0)))))
    np.testing.assert_array_equal(law.compensator.C, np.hstack((-0.5 * np.eye(3), np.zeros((3, 3)))))


def test_state_space_law_of_one_axis_follows_its_difference_equation():
    """Each axis against its written-out equation; the other axes must not respond."""
    A, B, C, D = np.array([[0.5, 0.1], [-0.2, 0.7]]), np.array([[1.0, 2.0], [0.0, 3.0]]), [[0.4, -0.6]], [[4.0, 60.0]]
    c = controllers.state_space_law(A, B, C=C, D=D, model=MODEL, sample=0.1).compensator
    errors = np.random.default_rng(1).normal(size=(20, 6))
    x, states = np.zeros(6), [np.zeros(2) for _ in range(3)]
    for error in errors:
        command = c.C @ x + c.D @ error
        x = c.A @ x + c.B @ error
        for axis in range(3):
            e = error[[axis, 3 + axis]]
            wanted = -(np.array(C) @ states[axis] + np.array(D) @ e)
            states[axis] = A @ states[axis] + B @ e
            assert command[axis] == pytest.approx(wanted[0], rel=1e-13, abs=1e-13)


def test_state_space_law_discretises_by_tustin():
    """1 / (s + 2) of the attitude error at 3 rad/s: the bilinear map evaluated at this frequency."""
    h, w = 0.1, 3.0
    law = controllers.state_space_law(
        [[-2.0]], [[1.0, 0.0]], C=[[1.0]], D=[[0.0, 0.0]], model=MODEL, sample=h, method="tustin"
    )
    c, z = law.compensator, np.exp(1j * w * h)
    response = c.C @ np.linalg.solve(z * np.eye(3) - c.A, c.B) + c.D
    s = 2.0 / h * (z - 1.0) / (z + 1.0)
    np.testing.assert_allclose(response[0, 0], -1.0 / (s + 2.0), rtol=1e-13)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"D": [[1.0, 2.0, 3.0]]}, r"D must be 3 x 6, or 1 x 2"),
        ({"B": [[1.0]]}, r"B must be 1 x 2 for 1 states and D of 1 x 2"),
        ({"C": [[1.0, 2.0]]}, r"C must be 1 x 1"),
        ({"method": "euler"}, "method 'euler' is unknown"),
    ],
)
def test_state_space_law_refuses(change, message):
    arguments = {"A": [[0.5]], "B": [[1.0, 0.0]], "C": [[1.0]], "D": [[4.0, 60.0]], **change}
    with pytest.raises(InputError, match=message):
        controllers.state_space_law(**arguments, model=MODEL, sample=0.1)


@pytest.mark.parametrize("C", [[[0.0, 0.0]], [[1.0, 0.0]], [[1.0, 1.0]]])
def test_state_space_law_refuses_unobservable_states_that_do_not_decay(C):
    arguments = {"A": np.diag((0.5, 1.1)) if C[0][1] == 0.0 else np.eye(2), "B": [[1.0, 0.0], [0.5, 0.0]], "C": C}
    with pytest.raises(DesignError, match="a state that does not decay is unobservable in its output"):
        controllers.state_space_law(**arguments, D=[[4.0, 60.0]], model=MODEL, sample=0.1)


def test_tracking_gain_acts_about_each_axis():
    arguments = {"A": [[1.0]], "B": [[0.1, 0.0]], "C": [[1.0]], "D": [[4.0, 60.0]], "model": MODEL, "sample": 0.1}
    law = controllers.state_space_law(**arguments, tracking=[[-0.25]])
    np.testing.assert_array_equal(law.compensator.tracking, -0.25 * np.eye(3))
    with pytest.raises(InputError, match="tracking must be 1 x 1 for 1 states"):
        controllers.state_space_law(**arguments, tracking=np.eye(3))


@pytest.mark.parametrize(("A", "tracking", "factor"), [(1.0, 0.25, 1.25), (1.2, -0.1, 1.1), (0.9, 0.2, 1.1)])
def test_given_tracking_that_lets_states_grow_is_refused(A, tracking, factor):
    """Iteration of the saturated law by hand: u = -x - D e is beyond its limit, x[k+1] = A x + T (limited u - u)."""
    x, before, limit = 1e3, 1e3, 1e-6
    for _ in range(20):
        u = -x
        x, before = A * x + tracking * (float(np.clip(u, -limit, limit)) - u), x
    assert x / before == pytest.approx(factor)
    arguments = {"A": [[A]], "B": [[0.1, 0.0]], "C": [[1.0]], "D": [[4.0, 60.0]], "model": MODEL, "sample": 0.1}
    with pytest.raises(DesignError, match=rf"grow under saturation by a factor of {factor} per sample"):
        controllers.state_space_law(**arguments, tracking=[[tracking]])
    assert not controllers.state_space_law(**arguments, tracking=[[0.0]]).compensator.tracking.any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"command_gain": 0.1}, "command_gain needs a delay"),
        ({"command_gain": np.zeros((3, 3)), "delay": 0.15}, r"command_gain must be 3 x 6 for the 2 commands"),
        ({"rate_gain": (1.0, 2.0)}, "rate_gain must be one gain, three, or 3 x 3"),
    ],
)
def test_state_feedback_refuses(change, message):
    with pytest.raises(InputError, match=message):
        controllers.state_feedback(MODEL, **{"attitude_gain": 1.0, "rate_gain": 1.0, "sample": 0.1, **change})
