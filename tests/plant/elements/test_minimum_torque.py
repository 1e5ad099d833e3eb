"""Dead zone of wheel motors: printed limits of Basilisk, conservation, and a loop computed by hand."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

HUB = plant.RigidBody((900.0, 800.0, 600.0))
COMMAND = (0.4, 0.1, -0.5)


def wheels(torques=(0.0, 0.0, 0.0), **limits):
    return [
        plant.Wheel(axis=axis, inertia=0.1, motor_torque=torque, **limits)
        for axis, torque in zip(np.eye(3), torques, strict=True)
    ]


def on(torque, number, *, stop=1.0):
    return plant.TorquePulse(torque, start=0.0, stop=stop, coordinate=f"wheel_{number}_angle")


@pytest.mark.parametrize(
    ("limits", "obtained"),
    [
        ({"torque_limit": 0.5, "minimum_torque": 0.2}, (0.4, 0.0, -0.5)),
        ({"torque_limit": 0.3, "minimum_torque": 0.05}, (0.3, 0.1, -0.3)),
        ({"minimum_torque": 0.4}, (0.4, 0.0, -0.5)),  # a demand of the minimum acts
        ({"torque_limit": 0.3, "minimum_torque": 0.3}, (0.3, 0.0, -0.3)),
        ({"minimum_torque": 0.2, "power_limit": 0.7, "relative_rate": 7.0}, (0.1, 0.0, -0.1)),  # power comes last
    ],
)
def test_motor_gives_the_torques_that_basilisk_prints(limits, obtained):
    """The order of Basilisk is largest torque, least torque, power, so that a limit of power gives less than u_min."""
    craft = plant.Spacecraft(HUB, elements=wheels(COMMAND, **limits))
    rates = craft.derivative(0.0, craft.at_rest())
    np.testing.assert_allclose(rates[craft.layout.internal_momentum], obtained, rtol=0, atol=1e-15)

    craft = plant.Spacecraft(HUB, elements=wheels(**limits))  # the same as commands from outside
    pulses = [on(torque, number) for number, torque in enumerate(COMMAND, 1)]
    run = sim.simulate(craft, duration=0.5, torques=pulses, output_step=0.5)
    np.testing.assert_allclose(run.values("motor_torque")[0], obtained, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(run.values("motor_demand")[0], COMMAND)
    flags = [float(abs(torque) < limits["minimum_torque"]) for torque in COMMAND]
    assert run.values("in_dead_zone")[0].tolist() == flags
    idle = ", ".join(f"wheel {number}" for number, flag in enumerate(flags, 1) if flag)
    warned = [each.partition(" gave no torque for ")[0] for each in run.warnings if "gave no torque" in each]
    assert warned == [idle] * bool(idle)


def test_momentum_is_exchanged_by_the_torque_beyond_the_dead_zone_only():
    """Commands of 0.1 and 0.3 N m for 2 s each: the wheel keeps 0.6 N m s, the hub gets minus that."""
    craft = plant.Spacecraft(
        plant.RigidBody((3.0, 3.0, 2.0)), elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.1, minimum_torque=0.2)]
    )
    steps = [
        plant.TorquePulse(torque, start=start, stop=start + 2.0, coordinate="wheel_angle")
        for torque, start in ((0.1, 0.0), (0.3, 2.0))
    ]
    run = sim.simulate(craft, rate=(0, 0, 0.1), duration=5.0, torques=steps, output_step=1.0)
    total = run.values("inertial_momentum")
    np.testing.assert_allclose(total, np.broadcast_to(total[0], total.shape), rtol=0, atol=1e-14)
    hub = 0.1 - np.array((0.0, 0.0, 0.0, 0.3, 0.6, 0.6)) / 2.0
    np.testing.assert_allclose(run.values("rate")[:, 2], hub, rtol=0, atol=1e-9)
    assert run.counters["wheel_in_dead_zone_s"] == pytest.approx(2.0)
    assert not [each for each in run.warnings if "gave no torque" in each]  # 2 of 5 s, and no demand in the last


def test_demand_of_zero_is_not_in_the_dead_zone():
    run = sim.simulate(plant.Spacecraft(HUB, elements=wheels(minimum_torque=0.2)), duration=1.0, output_step=0.5)
    assert not run.values("in_dead_zone").any()
    assert not [each for each in run.warnings if "minimum torque" in each]


@pytest.mark.parametrize("kind", ["array", "with imbalance", "min-max"])
def test_damped_hub_keeps_the_rate_that_is_below_the_dead_zone(kind):
    """Rate damping about z by a wheel along z: J w' = -k w at each sample where k |w| >= u_min, else the rate stays."""
    gain, sample, least, inertia = 0.5, 0.2, 0.01, 2.0
    more = {"with imbalance": {"static_imbalance": 0.0}, "min-max": {"allocation": "min-max"}}.get(kind, {})
    array = plant.wheel_array(np.eye(3), inertia=0.1, minimum_torque=least, **more)
    craft = plant.Spacecraft(plant.RigidBody((3.0, 3.0, inertia), mass=10.0), elements=array)
    law = controllers.RateDamping(gain=gain, sample=sample)
    run = sim.simulate(craft, law, rate=(0, 0, 0.1), duration=20.0, output_step=sample)
    rate, expected = 0.1, [0.1]
    for _ in range(100):
        torque = gain * rate
        rate -= sample * torque / inertia if torque >= least else 0.0
        expected.append(rate)
    assert 0.0 < expected[-1] == expected[-20] < least / gain
    np.testing.assert_allclose(run.values("rate")[:, 2], expected, rtol=0, atol=1e-9)
    assert [each for each in run.warnings if each.startswith("wheel 3 gave no torque for")]


def test_linear_model_has_the_gain_of_demands_beyond_the_dead_zone():
    given = {"inertia": 0.1, "friction": 1e-4, "relative_rates": (10.0, -5.0, 0.0)}
    crafts = [
        plant.Spacecraft(HUB, elements=plant.wheel_array(np.eye(3), **given, **more))
        for more in ({"torque_limit": 0.5}, {"torque_limit": 0.5, "minimum_torque": 0.2})
    ]
    names = ("wheel_2_angle",)
    models = [craft.linearize(craft.state(), coordinates=names, outputs=("attitude", "rate")) for craft in crafts]
    for name in "ABCD":
        np.testing.assert_array_equal(getattr(models[1], name), getattr(models[0], name))
    assert models[1].holding == models[0].holding == pytest.approx({"wheel_1_angle": 1e-3, "wheel_2_angle": -5e-4})
    assert models[0].left_out == ()
    words = "the motors of wheel 1, wheel 2, wheel 3 give no torque for a demand below the minimum torque of 0.2 N m"
    assert any(words in each for each in models[1].left_out)
    assert any("wheel 1 needs 0.001 N m to hold its rate" in each for each in models[1].left_out)

    x, own = crafts[1].state(), crafts[1].layout.internal_momentum
    for torque, share in ((0.1, 0.0), (0.3, 1.0)):  # the plant itself has the dead zone
        command = np.eye(3)[0] * torque
        change = (crafts[1].derivative(0.0, x, u=command) - crafts[1].derivative(0.0, x))[own]
        np.testing.assert_allclose(change, -share * command, rtol=0, atol=1e-15)


def test_constant_torque_within_the_dead_zone_is_not_in_the_linear_model():
    craft = plant.Spacecraft(HUB, elements=wheels((0.1, 0.0, 0.0), minimum_torque=0.2))
    model = craft.linearize(craft.at_rest(), coordinates=("wheel_1_angle",))
    assert model.residual == 0.0
    assert len(model.left_out) == 1
    assert model.left_out[0].startswith("the motor of wheel 1 gives no torque")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"minimum_torque": 0.0}, "minimum torque of wheel must be greater than 0"),
        ({"minimum_torque": 0.3, "torque_limit": 0.2}, "minimum torque of wheel must be at most its torque limit, 0.2"),
    ],
)
def test_minimum_torque_without_effect_is_refused(limits, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Wheel(axis=(0, 0, 1), inertia=0.1, **limits)
