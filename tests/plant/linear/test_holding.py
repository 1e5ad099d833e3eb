"""Motors that hold wheels against friction: equilibrium, linear model and designs based on it."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.linear.holding import holding_pulses, holding_torques
from polhode.sim.analysis.overlay import overlay

J = np.array([[40.0, 1.0, -0.5], [1.0, 30.8, 0.7], [-0.5, 0.7, 20.0]])
AXES = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]) / np.sqrt(3.0)
SPEEDS = (100.0, 50.0, 20.0, -30.0)
INERTIA = 0.05
FRICTION = {
    "viscous": {"friction": 1e-4},
    "Coulomb": {"coulomb": 1e-3},
    "both": {"friction": 1e-4, "coulomb": 1e-3},
}
WEIGHTS = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": 0.1}


def craft_of(axes=AXES, speeds=SPEEDS, *, torque_limit=0.2, **more):
    wheels = plant.wheel_array(
        axes, inertia=INERTIA, torque_limit=torque_limit, relative_rates=speeds[: len(axes)], **more
    )
    return plant.Spacecraft(plant.RigidBody(J), elements=wheels)


def drag(rates, *, friction=0.0, coulomb=0.0):
    """Friction torque of each wheel; Coulomb friction is smoothed over 0.1 rad/s."""
    return friction * rates + coulomb * np.tanh(rates / 0.1)


@pytest.mark.parametrize("axes", [AXES, np.eye(3)], ids=["four wheels", "three wheels"])
@pytest.mark.parametrize("kind", FRICTION)
def test_linear_model_of_held_wheels_matches_differences(kind, axes):
    """Reference: central differences of hub and rotors, written out with the constant motor torques."""
    craft = craft_of(axes, **FRICTION[kind])
    model = craft.linearize(craft.at_rest())
    speeds, command = np.array(SPEEDS[: len(axes)]), np.linalg.pinv(axes.T)
    held = drag(speeds, **FRICTION[kind])
    np.testing.assert_allclose(list(model.holding.values()), held, rtol=1e-13)
    assert list(model.holding) == [f"wheel_{n + 1}_angle" for n in range(len(axes))]
    assert model.residual < 1e-14

    def slopes(z, u):
        h, p = z[3:6], z[6:]
        omega = np.linalg.solve(J, h - axes.T @ p)
        relative = p / INERTIA - axes @ omega
        rates = held - drag(relative, **FRICTION[kind]) - command @ u
        turning = omega + 0.5 * np.cross(z[:3], omega)  # rate of a small rotation
        return np.concatenate([turning, np.cross(h, omega), rates])

    p0 = INERTIA * speeds
    z0 = np.concatenate([np.zeros(3), axes.T @ p0, p0])
    np.testing.assert_allclose(slopes(z0, np.zeros(3)), 0.0, atol=1e-15)
    size = len(z0)
    steps = 1e-4 * np.eye(size + 3)
    both = [(slopes(z0 + d[:size], d[size:]) - slopes(z0 - d[:size], -d[size:])) / 2e-4 for d in steps]
    computed = np.array(both).T
    np.testing.assert_allclose(model.A, computed[:, :size], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.B, computed[:, size:], rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("kind", FRICTION)
def test_holding_torques_keep_a_run_at_equilibrium(kind):
    craft = craft_of(**FRICTION[kind])
    x = craft.at_rest()
    steps = {"duration": 100.0, "output_step": 100.0, "integrator": "rk4", "step": 0.1}
    held = sim.simulate(craft, state=x, torques=holding_pulses(craft, x, duration=200.0), **steps)
    np.testing.assert_allclose(held.values("internal_rate")[-1], SPEEDS, rtol=1e-13)
    assert np.abs(held.values("rate")).max() < 1e-14
    free = sim.simulate(craft, state=x, **steps)
    assert np.abs(free.values("internal_rate")[-1] - SPEEDS).max() > 1.0  # without them the wheels slow down


def test_holding_torques_are_empty_without_friction():
    still = craft_of(speeds=(0.0,) * 4, friction=1e-4, coulomb=1e-3)
    smooth = craft_of()
    rigid = plant.Spacecraft(plant.RigidBody(J))
    for craft in (still, smooth, rigid):
        assert holding_torques(craft, craft.at_rest()) == {}
        assert craft.linearize(craft.at_rest()).holding == {}
        assert holding_pulses(craft, craft.at_rest(), duration=1.0) == []


@pytest.mark.parametrize(
    ("wheel", "reason"),
    [
        ({}, "wheel 2 rotates at 50 rad/s against 0.05 N m and has no motor"),
        ({"motor_torque": 0.01}, "against 0.04 N m and has a motor with a constant torque"),
        ({"torque_limit": 0.03}, "against 0.05 N m, and its motor provides at most 0.03 N m there"),
        ({"torque_limit": 1.0, "speed_limit": 50.0}, "and its motor provides at most 0 N m there"),
        ({"torque_limit": 1.0, "speed_limit": 40.0}, "and its motor provides at most 0 N m there"),
    ],
)
def test_holding_error_names_the_wheel_without_motor(wheel, reason):
    first = plant.Wheel(axis=(1, 0, 0), inertia=INERTIA, friction=1e-3, relative_rate=20.0, torque_limit=1.0)
    second = plant.Wheel(axis=(0, 1, 0), inertia=INERTIA, friction=1e-3, relative_rate=50.0, **wheel)
    craft = plant.Spacecraft(plant.RigidBody(J), elements=[first, second])
    with pytest.raises(plant.EquilibriumError, match=reason):
        craft.linearize(craft.at_rest())
    model = craft.linearize(craft.at_rest(), allow_nonequilibrium=True)
    assert model.residual > 0.01


def test_holding_is_empty_if_motor_torque_balances_friction():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=INERTIA, friction=1e-3, relative_rate=50.0, motor_torque=0.05)
    craft = plant.Spacecraft(plant.RigidBody(J), elements=[wheel])
    assert craft.linearize(craft.at_rest()).holding == {}


@pytest.mark.parametrize(
    "design",
    [
        lambda model: controllers.lqr(model, **WEIGHTS),
        lambda model: controllers.lqr(model, **WEIGHTS, internal="measured"),
        lambda model: controllers.lqi(model, **WEIGHTS, integral=1.0),
        lambda model: controllers.lqg(model, **WEIGHTS, torque_noise=1e-3, attitude_noise=1e-4),
        lambda model: controllers.pid(model, frequency=0.1, damping_ratio=0.7, sample=0.1),
        lambda model: controllers.pole_placement(model, poles=-0.3 - 0.01 * np.arange(6), sample=0.1),
    ],
    ids=["lqr", "lqr measured", "lqi", "lqg", "pid", "pole placement"],
)
def test_holding_friction_hardly_changes_design_margins(design):
    """Friction of 1e-5 / 0.05 = 2e-4 1/s is far below the crossover of at least 0.1 rad/s."""
    with_friction, without = craft_of(friction=1e-5), craft_of()
    margins = [design(craft.linearize(craft.at_rest())).margins() for craft in (with_friction, without)]
    one, other = (np.array([each.phase_deg for each in computed.axes]) for computed in margins)
    np.testing.assert_allclose(one, other, rtol=2e-2)


def test_holding_nonlinear_run_follows_the_linear_loop():
    """The difference is of second order in an error of 1e-4 rad."""
    craft = craft_of(torque_limit=2.0, friction=1e-5, coulomb=1e-3)
    law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
    compared = overlay(craft, law, duration=20.0, error=(1e-4, -5e-5, 1e-4))
    assert compared.difference("error_vector") < 5e-5
    assert compared.difference("rate") < 5e-5


def test_steady_spin_keeps_wheel_rate_held_by_motor():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=INERTIA, friction=1e-3, relative_rate=50.0, torque_limit=0.2)
    craft = plant.Spacecraft(plant.RigidBody(np.diag((40.0, 30.8, 20.0))), elements=[wheel])
    x = plant.steady_spin(craft, (0.0, 0.0, 0.1))
    assert craft.internal_rates(x) == pytest.approx([50.0], rel=1e-12)
    model = craft.linearize(x)
    assert model.holding == {"wheel_angle": pytest.approx(0.05, rel=1e-12)}
    pulses = holding_pulses(craft, x, duration=100.0)
    run = sim.simulate(craft, state=x, torques=pulses, duration=50.0, output_step=50.0, integrator="rk4", step=0.1)
    np.testing.assert_allclose(run.values("rate")[-1], (0.0, 0.0, 0.1), atol=1e-14)
    np.testing.assert_allclose(run.values("internal_rate")[-1], 50.0, rtol=1e-13)
    bare = plant.Wheel(axis=(0, 0, 1), inertia=INERTIA, friction=1e-3, relative_rate=50.0)
    loose = plant.Spacecraft(plant.RigidBody(np.diag((40.0, 30.8, 20.0))), elements=[bare])
    assert loose.internal_rates(plant.steady_spin(loose, (0.0, 0.0, 0.1))) == pytest.approx([0.0], abs=1e-12)
