"""On-off thrusters compared with the closed form of their limit cycle and a scalar double integrator."""

import itertools

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_rotation_vector

J = 100.0
BODY = plant.RigidBody((J, 80.0, 60.0))


def law(**more):
    numbers = {"torque": 0.5, "deadband": 0.01, "lead": 5.0, "hysteresis": 0.002, "sample": 0.1}
    return controllers.OnOffThrusters(**{**numbers, **more})


def about_x(made, *, angle=0.05, rate=0.0, duration=600.0, **more):
    craft = plant.Spacecraft(BODY, torques=made.torques)
    return sim.simulate(
        craft, made, attitude=from_rotation_vector((angle, 0, 0)), rate=(rate, 0, 0), duration=duration, **more
    )


def test_on_off_limit_cycle_matches_closed_form():
    run = about_x(law(torque=0.05, sample=0.005), angle=0.012, duration=3000.0, output_step=0.05)
    rate, theta = run.values("rate")[:, 0], 2.0 * run.states[:, 4]
    late = run.t > 1500.0
    a = 0.05 / J
    w = 0.002 / (2 * 5.0)
    # switched off up to 5 ms late, in which the rate changes by 1.25 % of w; the period is inverse to w
    assert np.abs(rate[late]).max() == pytest.approx(w, rel=a * 0.005 / w)
    assert np.abs(theta[late]).max() == pytest.approx(0.01 - 0.001 + w**2 / (2 * a), rel=0.01)
    rising = run.t[1:][(theta[1:] > 0) & (theta[:-1] <= 0) & late[1:]]
    period = 4 * 5.0 * (2 * 0.01 - 0.002) / 0.002 + 2 * 0.002 / (5.0 * a)
    assert np.diff(rising).mean() == pytest.approx(period, rel=0.02)
    assert np.abs(run.values("rate")[:, 1:]).max() == 0.0


@pytest.mark.parametrize("delay", [0.0, 0.25])
def test_on_off_about_one_axis_is_relay_on_double_integrator(delay):
    made = law(delay=delay)
    run = about_x(made, rate=0.01, duration=120.0, output_step=0.1)
    theta, w, on, waiting = 0.05, 0.01, 0.0, []
    for k in range(1200):
        assert 2 * np.arctan2(run.states[k, 4], run.states[k, 3]) == pytest.approx(theta, abs=1e-9)
        assert run.values("rate")[k, 0] == pytest.approx(w, abs=1e-11)
        s = 2 * np.sin(theta / 2) + 5.0 * w
        if abs(s) >= 0.01:
            on = -np.sign(s)
        elif on and -on * s <= 0.008:
            on = 0.0
        waiting.append((k * 0.1 + delay, 0.5 * on / J))
        edges = [k * 0.1, *(t for t, _ in waiting if k * 0.1 < t < (k + 1) * 0.1 - 1e-9), (k + 1) * 0.1]
        for begin, end in itertools.pairwise(edges):
            a = next((u for t, u in reversed(waiting) if t <= begin + 1e-9), 0.0)
            h = end - begin
            theta, w = theta + w * h + 0.5 * a * h * h, w + a * h


def test_on_off_three_axes_end_in_deadband_with_few_levels():
    craft = plant.Spacecraft(BODY)
    made = law(torque=(0.5, 0.4, 0.3), lead=8.0)
    start = from_rotation_vector((0.3, -0.2, 0.4))
    run = sim.simulate(craft, made, attitude=start, rate=(0.004, 0.002, -0.003), duration=400.0)
    assert np.abs(2 * run.states[run.t > 300, 4:7]).max() < 0.0105
    for n, level in enumerate((0.5, 0.4, 0.3)):
        assert set(np.unique(run.values("command")[:, n])) <= {-level, 0.0, level}


def test_on_off_follows_a_spin_within_deadband():
    reference = controllers.SpinReference((1, 0, 0, 0), rate=(0, 0, 0.01))
    run = sim.simulate(plant.Spacecraft(BODY), law(), reference=reference, rate=(0, 0, 0.012), duration=300.0)
    assert run.values("attitude_error")[-1] < 0.02


@pytest.mark.parametrize("basis", [("inertial",), ("euler", "3-1-3"), ("dual-euler", "3-2-1")])
def test_on_off_torque_is_equal_in_another_basis(basis):
    y = np.concatenate((np.zeros(3), from_rotation_vector((0.5, 0.3, -0.4)), (0.01, -0.02, 0.03)))
    r = controllers.FixedReference().at(0.0)
    torques = []
    for made in (law(), law(torques=plant.TorqueBasis(*basis))):
        u = np.zeros(3)
        made.kernel(0.0, y, r, made.parameters, made.memory.copy(), u)
        torques.append(made.torques.to_body(u, y[3:7]))
    np.testing.assert_allclose(torques[1], torques[0], rtol=0, atol=1e-15)
    assert np.abs(torques[0]).tolist() == [0.5, 0.5, 0.5]


def test_on_off_is_equal_compiled_and_in_python():
    runs = [about_x(law(), duration=20.0, integrator="rk4", step=0.1, compiled=c) for c in (True, False)]
    np.testing.assert_allclose(runs[0].states, runs[1].states, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"torque": 0.0}, "torque must be greater than 0"),
        ({"deadband": (0.01, -0.01, 0.01)}, "deadband must be greater than 0"),
        ({"lead": -1.0}, "lead must be at least 0|lead must not be negative"),
        ({"hysteresis": 0.02}, "above the deadband of 0.01 rad"),
        ({"torques": plant.TorqueBasis("body", limit=0.3)}, "torque basis allows"),
        ({"sample": 0.0}, "sample must be greater than 0"),
    ],
)
def test_on_off_rejects_bad_input(more, says):
    with pytest.raises(plant.InputError, match=says):
        law(**more)
