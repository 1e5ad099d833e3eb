"""Electrical power of wheels: Basilisk's rule, energies in closed form and rated power."""

import numpy as np
import pytest

from polhode import plant, sim

HEAVY = plant.RigidBody((1e9, 1e9, 1e9))  # kg m^2: the rate of its wheels is relative to an inertial frame


def turned(*wheels, hub=HEAVY, **more):
    craft = plant.Spacecraft(hub, elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.5, **each) for each in wheels])
    return sim.simulate(craft, **{"duration": 4.0, "output_step": 0.5, **more})


def power_of_basilisk(torque, rate, *, base, drive, regeneration):
    """`ReactionWheelPower::evaluatePowerModel`: elecToMechEfficiency, mechToElecEfficiency; negative: none."""
    mechanical = torque * rate
    if regeneration < 0.0 or mechanical > 0.0:
        return base + abs(mechanical) / drive
    return base + regeneration * mechanical


@pytest.mark.parametrize("rate", [-20.0, 0.0, 20.0])
@pytest.mark.parametrize("torque", [-0.3, 0.3])
@pytest.mark.parametrize("regeneration", [None, 0.0, 0.8])
def test_electrical_power_is_that_of_basilisk(rate, torque, regeneration):
    power = {"motor_efficiency": 0.5, "standby_power": 2.0, "regeneration_efficiency": regeneration}
    run = turned({"relative_rate": rate, "motor_torque": torque, **power})
    expected = [
        power_of_basilisk(
            torque, each, base=2.0, drive=0.5, regeneration=-1.0 if regeneration is None else regeneration
        )
        for each in run.values("internal_rate")[:, 0]
    ]
    np.testing.assert_allclose(run.values("electrical_power")[:, 0], expected, rtol=1e-12)
    assert run.components("electrical_power") == (("wheel",), "W")


def test_energy_of_spin_up_and_braking():
    """Kinetic energy 1/2 I w^2 over or times the efficiency, and the standby energy; power is linear in time."""
    driven = {"motor_torque": 0.5, "motor_efficiency": 0.8, "standby_power": 3.0}
    braked = {"motor_torque": -0.5, "relative_rate": 10.0, "motor_efficiency": 0.8, "regeneration_efficiency": 0.6}
    run = turned(driven, braked)
    gained = 0.5 * 0.5 * 4.0**2  # J, to 0.5 N m x 4 s/0.5 kg m^2 = 4 rad/s
    freed = 0.5 * 0.5 * (10.0**2 - 6.0**2)
    energy = [run.counters[f"wheel_{n}_electrical_power_integral"] for n in (1, 2)]
    assert energy == pytest.approx([3.0 * 4.0 + gained / 0.8, -0.6 * freed], rel=1e-7)


def test_energy_of_braking_through_zero():
    """-0.5 N m from 2 rad/s: braked for 2 s without regeneration, then driven to -2 rad/s: 1 J each time, over 0.5."""
    for regeneration, expected in ((None, 4.0), (0.0, 2.0), (0.25, 1.75)):
        wheel = {"motor_torque": -0.5, "relative_rate": 2.0, "motor_efficiency": 0.5}
        run = turned({**wheel, "regeneration_efficiency": regeneration}, integrator="rk4", step=0.01)
        assert run.counters["wheel_electrical_power_integral"] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("regeneration", [None, 0.25])
def test_energy_of_long_steps_through_zero_is_warned_about(regeneration):
    """Braked for 2 s and driven for 2 s, 1 J each, over 0.5: adaptive steps are long, since the motion is simple."""
    exact = 4.0 if regeneration is None else 1.75
    wheel = {
        "motor_torque": -0.5,
        "relative_rate": 2.0,
        "motor_efficiency": 0.5,
        "regeneration_efficiency": regeneration,
    }
    for settings, inexact in (({"rtol": 1e-6}, True), ({"integrator": "rk4", "step": 0.01}, False)):
        run = turned(wheel, **settings)
        energy = run.counters["wheel_electrical_power_integral"]
        assert (abs(energy - exact) > 0.01 * exact) == inexact
        warned = [each for each in run.warnings if f"electrical energy of wheel, {energy:.4g} J, may have" in each]
        assert len(warned) == inexact
        if inexact:
            stated = float(warned[0].partition("error of ")[2].split()[0])
            assert abs(energy - exact) <= 1.05 * stated


def test_rated_power_warns_and_leaves_torque():
    """0.5 N m: 1 W + 0.5 N m x t x 1 rad/s^2/0.5 passes 3 W at 2 s."""
    wheel = {"motor_torque": 0.5, "motor_efficiency": 0.5, "standby_power": 1.0}
    run = turned({**wheel, "rated_power": 3.0}, integrator="rk4", step=0.01)
    assert run.counters["wheel_above_rated_power_s"] == pytest.approx(2.0, abs=0.02)
    assert [each for each in run.warnings if "wheel drew more than its rated power of 3 W" in each]
    np.testing.assert_array_equal(run.values("motor_torque"), 0.5)


def test_power_within_limits_of_the_motor():
    """A motor at its power limit of 2 W draws 2 W/0.8."""
    run = turned({"motor_torque": 1.0, "relative_rate": 10.0, "power_limit": 2.0, "motor_efficiency": 0.8})
    np.testing.assert_allclose(run.values("electrical_power"), 2.5, rtol=1e-12)


@pytest.mark.parametrize(
    ("power", "message"),
    [
        ({"standby_power": 1.0}, r"standby_power of a wheel needs motor_efficiency"),
        ({"rated_power": 1.0}, r"rated_power of a wheel needs motor_efficiency"),
        ({"motor_efficiency": 80.0}, r"motor efficiency of wheel must be at most 1; got 80 \(percent\?\)"),
        ({"motor_efficiency": 0.0}, r"motor efficiency of wheel must be greater than 0; got 0"),
        ({"motor_efficiency": 0.8, "standby_power": 2.0, "rated_power": 2.0}, "above its standby power, 2 W; got 2 W"),
    ],
)
def test_impossible_power_is_refused(power, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Wheel(axis=(0, 0, 1), inertia=0.5, **power)
