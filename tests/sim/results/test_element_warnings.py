"""Warnings about elements of a run, also of the part after its last row."""

import numpy as np
import pytest

from polhode import plant, sim


def test_time_at_a_limit_is_compared_with_the_end_of_the_run():
    """The motor is at 0.1 of 0.2 N m for all 10 s, although the rows end at 1 s."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.05, motor_torque=0.2, torque_limit=0.1)
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)), elements=[wheel])
    run = sim.simulate(craft, duration=10.0, output_times=[0.5, 1.0])
    assert run.t[-1] == 1.0
    assert run.end_time == 10.0
    assert "wheel was at its torque limit of 0.1 N m for 10 of 10 s" in run.warnings


@pytest.mark.parametrize("method", ["rk4", "gauss4", "dop853"])
def test_steps_of_whole_revolutions_of_an_imbalance_are_warned_about(method):
    """Steps of five revolutions see the imbalance at few angles, and the attitude drifts by another angle."""
    wheel = plant.ImbalancedWheel(
        axis=(0, 0, 1), inertia=0.01, static_imbalance=1e-4, dynamic_imbalance=1e-5, relative_rate=300.0,
        position=(0.3, 0, 0.2),
    )  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((30.0, 20.0, 25.0), mass=100.0), elements=[wheel])
    settings = {} if method == "dop853" else {"integrator": method}
    ends, warned = [], []
    for step in (2e-3, 10.0 * np.pi / 300.0):
        run = sim.simulate(
            craft, duration=10.0, output_times=[10.0], **settings, **({"step": step} if settings else {})
        )
        ends.append(run.values("attitude")[-1])
        warned.append([each for each in run.warnings if "do not resolve the rotation of wheel at 300" in each])
    assert not warned[0]
    drift = float(np.abs(ends[1] - ends[0]).max())
    if settings:
        assert drift > 2e-6
        assert "use steps of 0.001 s, or dop853" in warned[1][0]
    else:
        assert drift == 0.0
        assert not warned[1]


def test_imbalance_beyond_a_revolution_per_adaptive_step_is_warned_about():
    """At rtol 1e-4 the rate about x differs by 1.6 % from that of tight steps; at 1e-6 by 2e-5."""
    wheel = plant.ImbalancedWheel(
        axis=(0, 0, 1), inertia=0.01, relative_rate=600.0, static_imbalance=1e-6, dynamic_imbalance=1e-7,
        position=(0.3, 0, 0.2),
    )  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((10.0, 9.0, 8.0), mass=100.0), elements=[wheel])
    rates, warned = [], []
    for rtol in (1e-12, 1e-6, 1e-4):
        run = sim.simulate(craft, duration=20.0, output_step=1.0, rtol=rtol)
        rates.append(run.values("rate")[-1, 0])
        warned.append([each for each in run.warnings if "do not resolve the rotation of wheel at 600 rad/s" in each])
    assert abs(rates[1] / rates[0] - 1.0) < 1e-4
    assert not warned[0]
    assert not warned[1]
    assert abs(rates[2] / rates[0] - 1.0) > 1e-2
    assert "use steps of 0.00052 s, or a smaller rtol" in warned[2][0]
