"""Wheels with imbalance: closed forms of jitter and tilt, conservation laws, limits and input."""

from dataclasses import fields

import numpy as np
import pytest

from polhode import controllers, plant, sim

EXACT = {"integrator": "dop853", "rtol": 1e-13}


def test_heavy_hub_shakes_by_force_and_torque_of_imbalance():
    """Torque (L Us + Ud) W^2 z x d on the hub, d rotating, from 1 g cm and 10 g cm^2 at 6000 rpm and L = 0.2 m."""
    static, dynamic, rate, height, inertia = 1e-5, 1e-6, 200.0 * np.pi, 0.2, 40.0
    assert static * rate**2 == pytest.approx(3.948, abs=5e-4)
    wheel = plant.ImbalancedWheel(
        axis=(0, 0, 1), inertia=0.01, relative_rate=rate, position=(0, 0, height),
        static_imbalance=static, dynamic_imbalance=dynamic, static_phase=0.7, dynamic_phase=0.7,
    )  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((inertia, inertia, 40.0), mass=1e4), elements=[wheel])
    run = sim.simulate(craft, duration=0.02, output_step=0.001, **EXACT)
    moment = (height * static + dynamic) * rate / inertia
    turned = 0.7 + rate * run.t
    expected = moment * np.column_stack((np.cos(turned) - np.cos(0.7), np.sin(turned) - np.sin(0.7)))
    # the momentum of the wheel turns this rate by up to 0.01 * 200 pi * 0.02 s / 40 kg m^2 = 0.003 rad
    np.testing.assert_allclose(run.values("rate")[:, :2], expected, rtol=0, atol=0.007 * moment)
    assert np.abs(run.values("rate")[:, :2]).max() > moment


def test_free_body_tilts_by_coupled_rotor():
    """Steady cone of the axis about the momentum: Ud/(Jt - Js), 4/3 of the Ud/Jt of a forced hub."""
    dynamic, rate, across, spin = 1e-6, 300.0, 2.0, 0.5
    wheel = plant.ImbalancedWheel(
        axis=(0, 0, 1), inertia=spin, relative_rate=rate, dynamic_imbalance=dynamic, position=(0.1, 0, 0)
    )
    craft = plant.Spacecraft(plant.RigidBody((across, across, 1.0), mass=50.0), elements=[wheel])
    start = (dynamic * rate / (across - spin), 0.0, 0.0)
    run = sim.simulate(craft, rate=start, duration=0.1, output_step=0.005, **EXACT)
    momentum = run.values("momentum")
    tilt = np.hypot(momentum[:, 0], momentum[:, 1]) / momentum[:, 2]
    np.testing.assert_allclose(tilt, dynamic / (across - spin), rtol=1e-5)


@pytest.mark.parametrize("translation", [False, True])
def test_imbalanced_wheels_conserve_momentum_and_energy(translation):
    imbalance = {"static_imbalance": 1e-3, "dynamic_imbalance": 1e-3, "static_phase": 1.0, "dynamic_phase": 2.0}
    wheels = [
        plant.ImbalancedWheel(axis=axis, inertia=0.16, relative_rate=rate, position=0.1 * np.array(axis), **imbalance)
        for axis, rate in zip(np.eye(3), (50.0, 20.0, -15.0), strict=True)
    ]
    craft = plant.Spacecraft(plant.RigidBody((9.0, 8.0, 6.0), mass=75.0), elements=wheels, translation=translation)
    run = sim.simulate(craft, rate=(0.08, 0.01, 0.0), duration=5.0, output_step=0.5, **EXACT)
    momentum = run.values("inertial_momentum")
    np.testing.assert_allclose(momentum - momentum[0], 0.0, atol=1e-12 * np.linalg.norm(momentum[0]))
    energy = run.values("energy")
    np.testing.assert_allclose(energy, energy[0], rtol=1e-12)
    calm = sim.simulate(
        plant.Spacecraft(craft.body, elements=[each.balanced for each in wheels], translation=translation),
        rate=(0.08, 0.01, 0.0), duration=5.0, output_step=0.5, **EXACT,
    )  # fmt: skip
    assert np.abs(run.values("rate") - calm.values("rate")).max() > 1e-4


def test_wheel_without_imbalance_is_the_balanced_wheel():
    given = {"friction": 0.01, "coulomb": 0.01, "static_friction": 0.02, "stribeck_rate": 0.5, "motor_torque": 0.05}
    wheel = plant.ImbalancedWheel(axis=(0, 1, 1), inertia=0.1, relative_rate=3.0, speed_limit=6.0, **given)
    hub = plant.RigidBody((4.0, 3.0, 2.0), mass=10.0)
    runs = [
        sim.simulate(plant.Spacecraft(hub, elements=[each]), rate=(0.1, 0.2, 0.3), duration=5.0, output_step=5.0)
        for each in (wheel, wheel.balanced)
    ]
    np.testing.assert_allclose(runs[0].states, runs[1].states, rtol=1e-9, atol=1e-9)
    assert runs[0].values("motor_torque")[-1] == pytest.approx(runs[1].values("motor_torque")[-1], rel=1e-9)
    assert type(wheel.balanced) is plant.Wheel


def imbalanced_array(count=3, **imbalance):
    wheels = plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=0.5, relative_rates=(20.0, 30.0, -25.0))
    return [
        plant.ImbalancedWheel(**{each.name: getattr(wheel, each.name) for each in fields(wheel)}, **imbalance)
        for wheel in wheels[:count]
    ]


def test_array_with_imbalance_controls_attitude_and_shakes_it():
    hub = plant.RigidBody((4.0, 3.0, 2.0), mass=50.0)
    shaken = plant.Spacecraft(hub, elements=imbalanced_array(static_imbalance=1e-4, dynamic_imbalance=1e-4))
    calm = plant.Spacecraft(hub, elements=[each.balanced for each in shaken.elements])
    law = controllers.quaternion_feedback(calm, frequency=0.5, damping_ratio=0.8, sample=0.1)
    given = {"attitude": (0.7, 0.1, -0.5, 0.5), "duration": 60.0, "output_step": 0.25}
    runs = [sim.simulate(each, law=law, **given) for each in (shaken, calm)]
    late = [run.values("rate")[-40:] for run in runs]
    assert np.abs(late[1]).max() < 1e-7
    assert 1e-5 < np.abs(late[0]).max() < 3.0 * 1e-4 * 30.0 / (2.0 - 0.05)  # a few Ud W/(Jt - Js)
    assert runs[0].values("attitude_error")[-1] < 1e-2
    momentum = runs[0].values("inertial_momentum")
    np.testing.assert_allclose(momentum - momentum[0], 0.0, atol=1e-8)
    with pytest.raises(plant.InputError, match="the elements must exert the commanded torque"):
        plant.Spacecraft(hub, elements=imbalanced_array(2, dynamic_imbalance=1e-4))


def test_linear_model_needs_imbalanced_wheel_at_rest():
    hub = plant.RigidBody((4.0, 3.0, 2.0), mass=10.0)
    craft = plant.Spacecraft(
        hub, elements=[plant.ImbalancedWheel(axis=(0, 0, 1), inertia=0.1, static_imbalance=1e-3, relative_rate=50.0)]
    )
    with pytest.raises(plant.InputError, match=r"is not steady: .* with their `balanced` wheels"):
        craft.linearize(craft.at_rest())
    balanced = plant.Spacecraft(hub, elements=[each.balanced for each in craft.elements])
    assert balanced.linearize(balanced.at_rest()).A.shape[0] > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"static_imbalance": -1.0}, r"static imbalance of wheel must not be negative \(kg m\); got -1"),
        ({"dynamic_imbalance": 0.1}, r"must be below its inertia, 0.1 kg m\^2; got 0.1 kg m\^2; check the unit"),
        ({"static_imbalance": 1.0}, r"must be below 1 kg m, the root .*; got 1 kg m; check the unit"),
    ],
)
def test_impossible_imbalance_is_refused(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Spacecraft(
            plant.RigidBody((4.0, 3.0, 2.0), mass=10.0),
            elements=[plant.ImbalancedWheel(**{"axis": (0, 0, 1), "inertia": 0.1, **change})],
        )
