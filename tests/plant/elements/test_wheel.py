"""Wheels: a published damper wheel, friction, motor and limits against closed forms."""

import numpy as np
import pytest
from scipy.integrate import quad

from polhode import plant, sim


def damped_body(ratio=1.5) -> plant.Spacecraft:
    """Kasdin & Paley's body with a viscous wheel on a transverse axis: Is/It, Iw/It = 0.06, D/It = 0.5, It = 1."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.06, friction=0.5)
    return plant.Spacecraft(plant.RigidBody((1.0, ratio, 0.94)), elements=[wheel])


def test_viscous_wheel_nutation_matches_kasdin_and_paley():
    craft = damped_body()
    run = sim.simulate(craft, rate=(0.2, 2.0, 0.0), duration=100.0, output_times=[0.0, 10.0, 100.0], rtol=1e-13)
    nutation = [np.degrees(np.arctan2(np.hypot(x[0], x[2]), x[1])) for x in run.states]
    np.testing.assert_allclose(nutation, (3.8140748343, 3.4167950833, 1.3119750556), rtol=0, atol=1e-9)


def test_viscous_wheel_eigenvalues_match_reference():
    model = damped_body().linearize(damped_body().spinning((0, 2.0, 0)))
    computed = model.eigenvalues()
    for value in (-8.84386935, -0.01068944 + 1.00115089j, -0.01068944 - 1.00115089j):
        assert np.abs(computed - value).min() < 1e-8
    unstable = damped_body(0.8).linearize(damped_body(0.8).spinning((0, 2.0, 0)))
    assert unstable.eigenvalues().real.max() > 1e-3


def spun(**changes):
    """Wheel on a hub about its axis: w' = torque (1/Iw + 1/J), J the hub's inertia."""
    wheel = plant.Wheel(**{"axis": (0, 0, 1), "inertia": 0.5, **changes})
    return plant.Spacecraft(plant.RigidBody((4.0, 4.0, 2.0)), elements=[wheel])


def relative_rate(craft, x):
    return craft.derivative(0.0, x[: craft.layout.size])[7]


FACTOR = 1.0 / 0.5 + 1.0 / 2.0  # relative acceleration per torque


def test_wheel_viscous_friction_decays_exponentially():
    craft = spun(friction=0.3, relative_rate=40.0)
    run = sim.simulate(craft, duration=2.0, output_times=[2.0], rtol=1e-13)
    assert relative_rate(craft, run.states[0]) == pytest.approx(40.0 * np.exp(-0.3 * FACTOR * 2.0), rel=1e-11)
    np.testing.assert_allclose(run.states[0][:3], (0, 0, 20.0), rtol=0, atol=1e-12)  # all of it was in the wheel


def test_wheel_coulomb_friction_matches_closed_form():
    """w' = -a tanh(w/r): sinh(w/r) = sinh(w0/r) exp(-a t/r)."""
    craft = spun(coulomb=0.2, coulomb_rate=0.5, relative_rate=2.0)
    run = sim.simulate(craft, duration=5.0, output_step=1.0, rtol=1e-13)
    computed = [relative_rate(craft, x) for x in run.states]
    expected = 0.5 * np.arcsinh(np.sinh(2.0 / 0.5) * np.exp(-0.2 * FACTOR * run.t / 0.5))
    np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-10)


STRIBECK = {"friction": 0.001, "coulomb": 0.03, "static_friction": 0.06, "stribeck_rate": 0.15}


@pytest.mark.parametrize(
    ("rate", "torque"), [(0.05, 0.0568951795), (0.15, 0.0411863832), (0.3, 0.0308494692), (1.0, 0.031)]
)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_stribeck_friction_is_that_of_olsson(rate, torque, way):
    """Values of c w + tc + (ts - tc) exp(-(w/ws)^2), computed elsewhere."""
    craft = spun(relative_rate=way * rate, coulomb_rate=1e-3, **STRIBECK)
    assert craft.derivative(0.0, craft.at_rest())[8] == pytest.approx(-way * torque, abs=1e-10)


@pytest.mark.parametrize(("share", "runs"), [(0.96, False), (1.01, True)])
def test_wheel_breaks_away_at_its_static_friction(share, runs):
    """Below, the wheel creeps slower than the smoothing rate of 0.0075 rad/s; above, it leaves the Stribeck range."""
    craft = spun(motor_torque=share * 0.06, **STRIBECK)
    run = sim.simulate(craft, duration=60.0, output_times=[60.0], integrator="dop853", rtol=1e-9)
    assert (run.values("internal_rate")[0, 0] > 1.0) == runs
    assert runs or 0.0 < run.values("internal_rate")[0, 0] < 3 * 0.0075


def test_wheel_with_stribeck_friction_coasts_down_as_by_quadrature():
    craft = spun(relative_rate=0.6, **STRIBECK)
    run = sim.simulate(craft, duration=8.0, output_times=[2.0, 4.0], integrator="dop853", rtol=1e-12)

    def friction(w):
        return 0.001 * w + (0.03 + 0.03 * np.exp(-((w / 0.15) ** 2))) * np.tanh(w / 0.0075)

    for time, rate in zip((2.0, 4.0), run.values("internal_rate")[:2, 0], strict=True):
        assert quad(lambda w: 1.0 / friction(w), rate, 0.6, epsabs=1e-12)[0] / FACTOR == pytest.approx(time, abs=1e-8)
    balance = run.values("energy_balance")
    assert np.abs(balance).max() < 1e-10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"static_friction": 0.02, "stribeck_rate": 0.1}, "must be at least its Coulomb friction, 0.03 N m; got 0.02"),
        ({"static_friction": 0.06}, r"give stribeck_rate \(rad/s\) too"),
        ({"stribeck_rate": 0.1}, r"give static_friction \(N m\) too"),
    ],
)
def test_wheel_rejects_incomplete_stribeck_friction(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Wheel(axis=(0, 0, 1), inertia=0.1, coulomb=0.03, **change)


def test_wheel_motor_stops_at_the_speed_limit():
    craft = spun(motor_torque=2.0, torque_limit=0.4, speed_limit=10.0)
    x = craft.at_rest()
    before = sim.simulate(craft, state=x, duration=5.0, output_times=[5.0], rtol=1e-12)
    assert relative_rate(craft, before.states[0]) == pytest.approx(0.4 * FACTOR * 5.0, rel=1e-12)
    after = sim.simulate(craft, state=x, duration=60.0, output_times=[60.0], rtol=1e-12)
    assert relative_rate(craft, after.states[0]) == pytest.approx(10.0, rel=1e-6)
    np.testing.assert_allclose(after.states[0][:3], 0.0, atol=1e-12)  # the hub counter-rotates
    back = spun(motor_torque=-0.4, speed_limit=10.0, relative_rate=20.0)  # the motor can always brake
    assert back.derivative(0.0, back.at_rest())[8] == pytest.approx(-0.4)


@pytest.mark.parametrize(("rate", "torque", "warned"), [(-20.0, 0.4, 1), (9.0, 0.4, 0), (20.0, 0.0, 0)])
def test_start_beyond_the_speed_limit_is_reported(rate, torque, warned):
    craft = spun(motor_torque=torque, speed_limit=10.0, relative_rate=rate)
    words = [each for each in sim.simulate(craft, duration=1.0).warnings if "starts at" in each]
    assert len(words) == warned
    if warned:
        assert words[0].startswith("wheel starts at -20 rad/s, beyond its speed limit of 10 rad/s")
    later = sim.simulate(craft, state=craft.at_rest(), duration=1.0).warnings
    assert bool([each for each in later if "speed limit" in each]) == (abs(rate) > 10.0)


def test_motor_power_is_the_energy_gained_and_lost_by_friction():
    """Work of the motors: kinetic energy plus friction c w^2 for the exact w(t) of each wheel on its own axis."""
    c, torque, rate = (0.02, 0.1), (0.5, -0.2), (3.0, 5.0)
    wheels = [
        plant.Wheel(axis=axis, inertia=0.5, friction=c[n], motor_torque=torque[n], relative_rate=rate[n])
        for n, axis in enumerate(((1, 0, 0), (0, 1, 0)))
    ]
    craft = plant.Spacecraft(
        plant.RigidBody((1e9, 1e9, 1e9)), elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.1), *wheels]
    )
    run = sim.simulate(craft, duration=4.0, output_step=0.5, integrator="dop853", rtol=1e-12)
    for n in range(2):
        end = torque[n] / c[n]
        expected = torque[n] * (end + (rate[n] - end) * np.exp(-c[n] * run.t / 0.5))
        np.testing.assert_allclose(run.values("motor_power")[:, n], expected, rtol=1e-7)
    assert run.components("motor_power")[0] == ("wheel_2", "wheel_3")
    assert run.values("motor_power")[0] == pytest.approx((1.5, -1.0), rel=1e-12)


def test_wheel_momenta_on_any_axes_add_up():
    rng = np.random.default_rng(8)
    axes = rng.normal(size=(4, 3))
    wheels = [plant.Wheel(axis=a, inertia=0.1, relative_rate=10.0 * (n + 1)) for n, a in enumerate(axes)]
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)), elements=wheels)
    a = axes / np.linalg.norm(axes, axis=1)[:, None]
    omega = np.array((0.1, -0.2, 0.3))
    x = craft.spinning(omega)
    speeds = 10.0 * np.arange(1, 5) + a @ omega
    np.testing.assert_allclose(x[:3], (4, 3, 2) * omega + 0.1 * speeds @ a, rtol=0, atol=1e-13)
    np.testing.assert_allclose(x[11:15], 0.1 * speeds, rtol=0, atol=1e-13)
    assert craft.layout.names[7:11] == tuple(f"wheel_{n}_angle" for n in (1, 2, 3, 4))


def test_wheel_larger_than_its_hub_is_rejected():
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=3.0)
    with pytest.raises(plant.InputError, match=r"more inertia than the hub about the wheel's axis: 3 > 2 kg m\^2"):
        plant.Spacecraft(plant.RigidBody((2.0, 3.0, 4.0)), elements=[wheel])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inertia": 0.0}, r"inertia of wheel must be greater than 0 \(kg m\^2\)"),
        ({"friction": -1.0}, r"friction of wheel must not be negative \(N m s\); got -1"),
        ({"coulomb": -1.0}, "coulomb of wheel must not be negative"),
        ({"coulomb_rate": 0.0}, "coulomb rate of wheel must be greater than 0"),
        ({"speed_limit": 0.0}, "speed limit of wheel must be greater than 0"),
        ({"torque_limit": -1.0}, "torque limit of wheel must be greater than 0"),
        ({"axis": (0, 0, 0)}, "axis of wheel must have a direction"),
        ({"relative_rate": np.inf}, "relative rate of wheel must be finite"),
    ],
)
def test_wheel_rejects_bad_input(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Wheel(**{"axis": (0, 0, 1), "inertia": 0.1, **change})
