"""Limit cycles of on-off thrusters: closed form, describing function and simulation agree."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

J = 100.0
NUMBERS = {"torque": 0.05, "deadband": 0.01, "lead": 5.0, "hysteresis": 0.002, "sample": 0.005}


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody((J, 80.0, 60.0)))


def law_of(**more):
    return controllers.OnOffThrusters(**{**NUMBERS, **more})


@pytest.mark.parametrize(("amplitude", "deadband", "hysteresis"), [(2.0, 1.0, 0.3), (1.001, 1.0, 1.0), (5.0, 1.0, 0.0)])
def test_describing_function_is_the_first_harmonic(amplitude, deadband, hysteresis):
    phase = np.linspace(0.0, 2.0 * np.pi, 400_001)
    signal, out, state = amplitude * np.sin(phase), np.zeros(phase.size), 0.0
    for n, s in enumerate(signal):
        if abs(s) >= deadband:
            state = np.sign(s)
        elif state and state * s <= deadband - hysteresis:
            state = 0.0
        out[n] = 3.0 * state
    first = 2.0 * (out * np.exp(-1j * phase))[:-1].mean() * 1j / amplitude
    found = sim.describing_function(amplitude, torque=3.0, deadband=deadband, hysteresis=hysteresis)
    assert found == pytest.approx(first, abs=1e-4)
    assert sim.describing_function(0.9 * deadband, torque=3.0, deadband=deadband, hysteresis=hysteresis) == 0.0


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"delay": 0.5},
        {"torque": 0.5, "delay": 0.3, "sample": 0.001},
        {"torque": 0.005, "hysteresis": 0.004, "sample": 0.02},
        {"torque": 0.002, "hysteresis": 0.008, "sample": 0.02},
        {"torque": 0.02, "hysteresis": 0.01, "delay": 1.0},
    ],
)
def test_closed_form_is_the_simulated_cycle(craft, more):
    """Within the resolution of sampling: pulses are whole samples, so the rate is a multiple of a x sample, and for
    short pulses the errors of some ten of them add up before they decay (a property of the cycle: see the function).
    """
    law = law_of(**more)
    exact = sim.continuous_limit_cycle(law, inertia=J)
    found = sim.simulated_limit_cycle(craft, law, duration=50.0 * exact.period_s)
    blur = law.sample * float(law.torque[0]) / J / exact.rate_rad_s
    assert found.period_s == pytest.approx(exact.period_s, rel=blur + 1e-3)
    assert found.rate_rad_s == pytest.approx(exact.rate_rad_s, rel=5.0 * blur + 1e-3)  # the largest of many cycles
    assert found.amplitude_rad == pytest.approx(exact.amplitude_rad, rel=5.0 * blur + 1e-3)


def test_describing_function_where_thrust_is_on_for_two_thirds(craft):
    law = law_of(torque=0.02, hysteresis=0.01, delay=1.0)
    predicted = sim.describing_function_limit_cycle(law, inertia=J)
    found = sim.simulated_limit_cycle(craft, law, duration=1000.0)
    assert predicted is not None
    assert predicted.period_s == pytest.approx(found.period_s, rel=0.01)
    assert predicted.amplitude_rad == pytest.approx(found.amplitude_rad, rel=0.03)
    # and satisfies harmonic balance
    w = 2.0 * np.pi / predicted.period_s
    N = sim.describing_function(
        predicted.amplitude_rad * np.hypot(1.0, 5.0 * w), torque=0.02, deadband=0.01, hysteresis=0.01
    )
    G = (1.0 + 5j * w) * np.exp(-1j * w * 1.0025) / (J * (1j * w) ** 2)
    assert abs(1.0 + N * G) < 1e-9


def test_describing_function_error_of_short_pulses_is_as_documented():
    assert sim.describing_function_limit_cycle(law_of(), inertia=J) is None
    law = law_of(torque=0.01, sample=0.02)
    predicted, exact = sim.describing_function_limit_cycle(law, inertia=J), sim.continuous_limit_cycle(law, inertia=J)
    assert predicted is not None
    assert exact.period_s / predicted.period_s == pytest.approx(1.95, abs=0.1)


def test_limit_cycle_states_why_there_is_none(craft):
    with pytest.raises(plant.DesignError, match="lead"):
        sim.continuous_limit_cycle(law_of(delay=6.0, sample=0.1), inertia=J)
    with pytest.raises(plant.DesignError, match="wider deadband"):
        sim.continuous_limit_cycle(law_of(torque=0.5, delay=3.0), inertia=J)
    with pytest.raises(plant.InputError, match="simulate longer"):
        sim.simulated_limit_cycle(craft, law_of(), duration=100.0)
    with pytest.raises(plant.InputError, match="inertia"):
        sim.continuous_limit_cycle(law_of(), inertia=0.0)


def test_json():
    found = sim.continuous_limit_cycle(law_of(), inertia=J).to_dict()
    assert sorted(found) == ["amplitude_rad", "period_s", "rate_rad_s"]
