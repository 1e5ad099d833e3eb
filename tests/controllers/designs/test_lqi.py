"""LQI: python-control's gain for the same extended model, constant torque, and anti-windup."""

import control
import numpy as np
import pytest

from polhode import controllers, plant, sim

WEIGHTS = {"attitude": 25.0, "rate": 9.0, "effort": 0.5}


def single_axis(limit=None):
    return plant.Spacecraft(plant.RigidBody((8.0, 8.0, 8.0)), torques=plant.TorqueBasis("body", limit=limit))


def test_lqi_gain_matches_python_control_on_extended_model():
    """One axis of a sphere by hand: x = [theta; h; u[k-1]; xi], delay of 0.4 samples."""
    J, h, delay = 8.0, 0.25, 0.1
    craft = single_axis()
    law = controllers.lqi(craft.linearize(craft.at_rest()), **WEIGHTS, integral=3.0, sample=h, delay=delay)
    rest = h - delay
    F = np.array(  # double integrator: the old command for `delay`, the new one for the rest
        [
            [1.0, h / J, (h * delay - delay**2 / 2) / J, 0.0],
            [0.0, 1.0, delay, 0.0],
            [0.0, 0.0, 0.0, 0.0],
            [h, 0.0, 0.0, 1.0],
        ]
    )
    G = np.array([[rest**2 / 2 / J], [rest], [1.0], [0.0]])
    K, _, _ = control.dlqr(F, G, np.diag([25.0, 9.0 / J**2, 0.0, 3.0]), [[0.5]], method="scipy")
    c = law.compensator
    # two Riccati solutions, in different units and sizes
    np.testing.assert_allclose([-c.D[0, 0], -c.D[0, 3] / J, -c.C[0, 3], -c.C[0, 0]], K[0], rtol=1e-9)
    np.testing.assert_allclose(np.diag(c.D[:, :3]), c.D[0, 0], rtol=1e-9)


def test_lqi_leaves_no_error_under_constant_torque(rigid):
    model = rigid.linearize(rigid.at_rest())
    push = plant.TorquePulse((0.05, -0.03, 0.04), start=0.0, stop=1e9)
    final = {}
    for name, law in {
        "lqr": controllers.lqr(model, **WEIGHTS, sample=0.1),
        "lqi": controllers.lqi(model, **WEIGHTS, integral=0.5, sample=0.1),
    }.items():
        run = sim.simulate(rigid, law, duration=200.0, torques=[push], output_step=1.0)
        final[name] = 2.0 * run["attitude"].values[-1, 1:]
    gain = controllers.lqr(model, **WEIGHTS, sample=0.1).gain[:, :3]
    # proportional feedback is at rest where its torque is opposite to the disturbance (small angle: 1e-2 squared)
    np.testing.assert_allclose(final["lqr"], np.linalg.solve(gain, push.components), rtol=0, atol=1e-4)
    assert np.abs(final["lqi"]).max() < 1e-9


@pytest.mark.parametrize(
    ("integral", "overshoot", "settling"),
    [(0.01, (0.20, 0.36), (80.0, 86.0)), (0.1, (0.46, np.pi), (50.0, 599.0))],
)
def test_lqi_with_and_without_anti_windup(integral, overshoot, settling):
    """A slew at the torque limit: without anti-windup the integrator winds up and the craft overshoots; with more
    integral action it then tumbles. Bounds: upper with anti-windup, lower without."""
    craft = single_axis(limit=0.1)
    model = craft.linearize(craft.at_rest())
    for n, anti_windup in enumerate((True, False)):
        law = controllers.lqi(
            model, attitude=4.0, rate=40.0, effort=10.0, integral=integral, sample=0.2, anti_windup=anti_windup
        )
        start = (np.cos(0.5), np.sin(0.5), 0, 0)
        run = sim.simulate(craft, law, attitude=start, duration=600.0, output_step=0.2)
        e = run["attitude"].values
        turned = 2.0 * np.arctan2(e[:, 1], e[:, 0])
        past_the_end = -turned.min()
        settled = run.t[np.flatnonzero(np.abs(turned) > 0.01)[-1]]
        if n == 0:
            assert past_the_end < overshoot[0]
            assert settled < settling[0]
            assert abs(turned[-1]) < 1e-12
        else:
            assert past_the_end > overshoot[1]
            assert settled > settling[1]


def test_lqi_integrators_follow_realisable_error():
    """Under saturation xi integrates an error whose command is just at the limit."""
    craft = single_axis(limit=0.1)
    law = controllers.lqi(craft.linearize(craft.at_rest()), **WEIGHTS, integral=0.5, sample=0.2)
    c = law.compensator
    y = np.zeros(10)
    y[3:7] = np.cos(0.3), np.sin(0.3), 0.0, 0.0
    z, u = law.memory.copy(), np.zeros(3)
    law.kernel(0.0, y, controllers.FixedReference().at(0.0), law.parameters, z, u)
    assert u[0] < -0.1
    np.testing.assert_allclose(z[0], 0.2 * (-0.1 / c.D[0, 0]), rtol=1e-12)


def test_lqi_whole_delay_keeps_poles_and_adds_dead_beat_ones(rigid):
    """The predictor: integrators measure the attitude after the delay, so only nine poles are not dead-beat."""
    model = rigid.linearize(rigid.at_rest())
    law = controllers.lqi(model, **WEIGHTS, integral=0.5, sample=0.1, delay=0.2)
    poles = np.abs(law.closed_loop_poles())
    assert len(poles) == 6 + 3 + 6 + 6  # plant, integrators, commands under way, stored commands
    assert poles[8] > 0.5
    assert poles[9] < 1e-3  # chains of two and more scatter by round-off^(1/2) and more


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"integral": 0.0}, "integral weight must be positive definite"),
        ({"integral": (1.0, 1.0)}, "integral weight must be a number, 3 numbers or 3 x 3"),
        ({"attitude": -1.0}, "attitude weight must not be negative"),
        ({"internal": "estimated"}, r"internal 'estimated' is unknown; did you mean|internal 'estimated' is unknown"),
        ({"saturation": "both"}, "saturation 'both' is unknown"),
    ],
)
def test_lqi_rejects_bad_input(rigid, change, message):
    arguments = {**WEIGHTS, "integral": 1.0, "sample": 0.1, **change}
    with pytest.raises(plant.InputError, match=message):
        controllers.lqi(rigid.linearize(rigid.at_rest()), **arguments)
