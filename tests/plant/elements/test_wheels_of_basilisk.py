"""Reaction wheels against printed numbers of Basilisk's tests (_UnitTest) and their closed forms."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.controllers import WheelAllocation
from polhode.plant.attitude import to_mrp

RPM = 2.0 * np.pi / 60.0
SPIN = 100.0 / (6000.0 * RPM)  # kg m^2, about the axis of a wheel
EXACT = {"integrator": "dop853", "rtol": 1e-13}


def push(torque, stop, wheel, start=0.0):
    return plant.TorquePulse(torque, start=start, stop=stop, coordinate=f"wheel_{wheel}_angle")


def test_three_balanced_wheels_move_hub_as_printed():
    """The tensor 900, 800, 600 contains the wheels; the torque of -0.5 N m is limited to -0.2 N m."""
    wheels = [
        plant.Wheel(axis=axis, inertia=SPIN, relative_rate=rate * RPM)
        for axis, rate in zip(np.eye(3), (500.0, 200.0, -150.0), strict=True)
    ]
    craft = plant.Spacecraft(plant.RigidBody(np.array((900.0, 800.0, 600.0)) - SPIN, mass=750.0), elements=wheels)
    torques = [push(torque, 0.5, number) for number, torque in enumerate((0.2, 0.1, -0.2), 1)]
    run = sim.simulate(craft, rate=(0.08, 0.01, 0.0), duration=1.0, torques=torques, output_step=1.0, **EXACT)
    mrp = to_mrp(run.values("attitude")[-1])
    np.testing.assert_allclose(mrp, (1.99853994e-2, 2.45647716e-3, 8.45356279e-6), rtol=0, atol=6e-11)  # as printed
    np.testing.assert_allclose(mrp, (1.998539939203e-2, 2.456477160637e-3, 8.453562789559e-6), rtol=0, atol=2e-13)
    rate = (7.991719304272e-2, 9.678706477888e-3, -1.384062159156e-5)
    np.testing.assert_allclose(run.values("rate")[-1], rate, rtol=0, atol=2e-13)
    speeds = (52.98827889751, 21.25843158281, -16.33626795805)
    np.testing.assert_allclose(run.values("internal_rate")[-1], speeds, rtol=0, atol=1e-10)


def test_wheel_spins_up_and_turns_hub_back_exactly():
    """Torque of 0.2 N m from 5 s on, hub of 2 kg m^2 without the wheel: rates are linear in time."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=SPIN, relative_rate=100.0 * RPM)
    craft = plant.Spacecraft(plant.RigidBody((3.0, 3.0, 2.0)), elements=[wheel])
    torque = plant.TorquePulse(0.2, start=5.0, stop=20.0, coordinate="wheel_angle")
    run = sim.simulate(craft, rate=(0, 0, 0.35), duration=10.0, torques=[torque], output_times=[6.0, 10.0], **EXACT)
    np.testing.assert_allclose(run.values("rate")[:, 2], (0.25, -0.15), rtol=0, atol=1e-13)
    angles = 2.0 * np.arctan2(run.values("attitude")[:, 3], run.values("attitude")[:, 0])
    np.testing.assert_allclose(angles, (2.05, 2.25), rtol=0, atol=1e-12)
    speeds = (11.828612573402, 17.255160819146)
    np.testing.assert_allclose(run.values("internal_rate")[:, 0], speeds, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("speeds", "limit", "obtained"),
    [
        ((0.0, 0.0, 0.0), None, (0.3, 0.1, -0.3)),
        ((100.0, -200.0, 50.0), 100.0 * RPM, (0.0, 0.1, -0.3)),  # above its limit, a wheel may still be slowed
    ],
)
def test_wheel_motors_limit_torque_and_speed_as_printed(speeds, limit, obtained):
    wheels = [
        plant.Wheel(
            axis=axis, inertia=SPIN, relative_rate=speed * RPM, motor_torque=torque, torque_limit=0.3, speed_limit=limit
        )
        for axis, speed, torque in zip(np.eye(3), speeds, (0.4, 0.1, -0.5), strict=True)
    ]
    craft = plant.Spacecraft(plant.RigidBody((900.0, 800.0, 600.0)), elements=wheels)
    rates = craft.derivative(0.0, craft.at_rest())[craft.layout.internal_momentum]
    np.testing.assert_allclose(rates, obtained, rtol=0, atol=1e-12)


def test_wheel_motors_limit_power_as_printed():
    """0.7 W at 7, -5 and 2 rad/s: 0.1 N m is all of it at 7 rad/s; the torque limit of 0.3 N m applies first."""
    wheels = [
        plant.Wheel(
            axis=axis, inertia=SPIN, relative_rate=speed, motor_torque=torque, torque_limit=0.3, power_limit=0.7
        )
        for axis, speed, torque in zip(np.eye(3), (7.0, -5.0, 2.0), (0.4, 0.1, -0.5), strict=True)
    ]
    craft = plant.Spacecraft(plant.RigidBody((900.0, 800.0, 600.0)), elements=wheels)
    rates = craft.derivative(0.0, craft.at_rest())[craft.layout.internal_momentum]
    np.testing.assert_allclose(rates, (0.1, 0.1, -0.3), rtol=0, atol=1e-15)
    run = sim.simulate(craft, duration=0.1, output_step=0.1)
    assert run.values("at_power_limit")[0].tolist() == [1.0, 0.0, 0.0]
    assert run.values("motor_power")[0] == pytest.approx((0.7, -0.5, -0.6))
    assert [each for each in run.warnings if "wheel 1 was at its power limit of 0.7 W" in each]


def test_wheel_at_its_power_limit_gains_energy_at_that_power():
    """I w w' = P at constant power, also braking: w^2 = w0^2 + 2 P t/I on a heavy hub."""
    for way in (1.0, -1.0):
        wheel = plant.Wheel(
            axis=(0, 0, 1), inertia=0.5, relative_rate=10.0, motor_torque=way * 1.0, power_limit=2.0, torque_limit=0.9
        )
        craft = plant.Spacecraft(plant.RigidBody((1e9, 1e9, 1e9)), elements=[wheel])
        run = sim.simulate(craft, duration=5.0, output_step=1.0, integrator="dop853", rtol=1e-11)
        expected = np.sqrt(100.0 + way * 2.0 * 2.0 * run.t / 0.5)
        np.testing.assert_allclose(run.values("internal_rate")[:, 0], expected, rtol=1e-7)


def test_pyramid_reaches_less_torque_with_three_wheels():
    """Axes at equal angles on the body diagonals, unit torque per wheel: x, y, z in closed form."""
    tilt, turns = np.arctan(np.sqrt(2.0)), np.radians((0.0, 90.0, 180.0, 270.0))
    axes = np.column_stack((np.sin(tilt) * np.cos(turns), np.sin(tilt) * np.sin(turns), np.full(4, np.cos(tilt))))
    for wheels, reach in (
        (axes, (1.632993162, 1.632993162, 2.309401077)),
        (axes[1:], (0.816496581, 1.632993162, 1.154700538)),
    ):
        envelope = WheelAllocation(wheels, limit=1.0).envelope
        np.testing.assert_allclose(1.0 / np.abs(envelope).max(axis=0), reach, rtol=1e-9)
