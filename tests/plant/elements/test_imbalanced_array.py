"""Arrays of wheels with imbalance: amplitudes of force, jitter and resonance in closed form, designs and input."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.hub.balanced import balanced

EXACT = {"integrator": "dop853", "rtol": 1e-12}
STATIC, DYNAMIC, RATE = 1e-5, 1e-6, 300.0  # 1 g cm, 10 g cm^2, rad/s


def array(**more):
    given = {"inertia": 1e-3, "relative_rates": (0.0, 0.0, RATE), **more}
    return plant.wheel_array(np.eye(3), **given)


def amplitude(t, values, rate):
    """Amplitude of each column at the rate of the wheel, beside a slow quadratic."""
    turned = rate * t
    basis = np.column_stack((np.cos(turned), np.sin(turned), np.ones(t.size), t - t[0], (t - t[0]) ** 2))
    return np.hypot(*np.linalg.lstsq(basis, values, rcond=None)[0][:2])


def test_hub_moves_by_static_imbalance_over_mass():
    """Force amplitude Us W^2 on the hub of mass m: displacement Us W^2/(m W^2), that of the rotor the opposite."""
    wheel = plant.ImbalancedWheel(axis=(0, 0, 1), inertia=1e-3, relative_rate=RATE, static_imbalance=STATIC)
    craft = plant.Spacecraft(plant.RigidBody((1e3, 1e3, 1e3), mass=20.0), elements=[wheel])
    run = sim.simulate(craft, duration=0.1, output_step=1e-3, **EXACT)
    turned = RATE * run.t
    expected = -STATIC / 20.0 * np.column_stack((np.cos(turned), np.sin(turned)))
    np.testing.assert_allclose(run.values("hub_position")[:, :2], expected, rtol=0, atol=1e-4 * STATIC / 20.0)


def test_jitter_above_bandwidth_is_dynamic_imbalance_over_inertia():
    """Torque amplitude Ud W^2 on the inertia J: Ud W^2/(J W^2), whatever the rate; the law adds 0.5 %."""
    for rate in (200.0, 400.0):
        wheels = array(dynamic_imbalance=DYNAMIC, relative_rates=(0.0, 0.0, rate))
        craft = plant.Spacecraft(plant.RigidBody((10.0, 10.0, 10.0), mass=50.0), elements=wheels)
        law = controllers.quaternion_feedback(balanced(craft), frequency=0.5, damping_ratio=1.0, sample=5e-3)
        run = sim.simulate(craft, law, duration=12.0, output_step=1e-3, integrator="rk8", step=2e-3)
        late = run.t > 11.5
        np.testing.assert_allclose(
            amplitude(run.t[late], run.values("error_vector")[late, :2], rate), DYNAMIC / 10.0, rtol=1e-2
        )
        assert not run.warnings  # the loop is judged on balanced wheels


@pytest.mark.parametrize("rate", [80.0, 122.0, 300.0])
def test_jitter_through_a_mode_is_its_frequency_response(rate):
    """(J - d^2 W^2/(W^2 - w^2 - 2 i z w W)) x = -Ud about x at a constant rate of the wheel about z."""
    inertia, share, own, ratio = 12.0, 2.0, 100.0, 0.05
    wheels = array(dynamic_imbalance=DYNAMIC, relative_rates=(0.0, 0.0, rate))
    modes = plant.FlexibleModes(frequencies=(own,), damping_ratios=ratio, rotation=((share,), (0.0,), (0.0,)))
    craft = plant.Spacecraft(plant.RigidBody((inertia, 1e3, 1e3), mass=50.0), elements=[*wheels, modes])
    run = sim.simulate(craft, duration=4.0, output_step=1e-3, integrator="rk8", step=2e-3)
    late = run.t > 2.0  # the free vibration has decayed by exp(-2 x 7 rad/s)
    angle = run.values("rate")[late, 0]
    expected = DYNAMIC * rate / abs(inertia - share**2 * rate**2 / (rate**2 - own**2 - 2j * ratio * own * rate))
    assert 0.5 * np.ptp(angle) == pytest.approx(expected, rel=1e-2)


def test_array_is_its_wheels():
    phases, places = (0.1, 0.2, 0.3), np.diag((0.2, 0.3, 0.4))
    wheels = array(
        static_imbalance=STATIC, dynamic_imbalance=DYNAMIC, static_phases=phases, dynamic_phases=phases[::-1],
        positions=places, torque_limit=0.1,
    )  # fmt: skip
    assert [type(each) for each in wheels] == [plant.ImbalancedWheel] * 3
    assert [(each.static_phase, each.dynamic_phase) for each in wheels] == list(zip(phases, phases[::-1], strict=True))
    assert {(each.static_imbalance, each.dynamic_imbalance, each.torque_limit) for each in wheels} == {
        (STATIC, DYNAMIC, 0.1)
    }
    np.testing.assert_array_equal([each.position for each in wheels], places)
    assert [type(each) for each in array()] == [plant.Wheel] * 3
    assert type(array(static_imbalance=0.0)[0]) is plant.ImbalancedWheel  # so that a dispersion may start at 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"static_phases": (0, 0, 0)}, "static_phases of wheels have no effect on balanced wheels"),
        ({"positions": np.eye(3)}, "positions of wheels have no effect on balanced wheels"),
        ({"static_imbalance": 1e-5, "dynamic_phases": (0, 0)}, "3 wheels need 3 dynamic phases; got 2"),
        ({"static_imbalance": -1e-5}, "static imbalance of wheel must not be negative"),
        ({"relative_rates": (1.0,)}, "3 wheels need 3 relative rates; got 1"),
    ],
)
def test_array_refuses_incomplete_imbalance(given, message):
    with pytest.raises(plant.InputError, match=message):
        array(**given)
