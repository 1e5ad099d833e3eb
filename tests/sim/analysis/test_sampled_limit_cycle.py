"""Bands of sampled limit cycles contain the simulations from many starts."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

J = 100.0
D = 0.01


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody((J, 80.0, 60.0)))


def law_of(share, *, torque=0.05, lead=5.0, hysteresis=0.002, late=0.0):
    """Thrusters that change the drift rate by this fraction in one sample; the delay in samples."""
    sample, a = 1e-3, torque / J
    for _ in range(100):
        lag = (late + 0.5) * sample
        rate = (hysteresis + a * lag * (lead - 0.5 * lag)) / (2.0 * (lead - lag))
        sample = 0.5 * (sample + share * rate / a)
    return controllers.OnOffThrusters(
        torque=torque, deadband=D, lead=lead, hysteresis=hysteresis, sample=sample, delay=late * sample
    )


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("share", "more"),
    [
        pytest.param(0.01, {}, marks=pytest.mark.slow),
        pytest.param(0.05, {"late": 1.6}, marks=pytest.mark.slow),
        (0.1, {}),
        pytest.param(0.1, {"torque": 0.1, "late": 2.3}, marks=pytest.mark.slow),
        (0.2, {}),
        (0.3, {"late": 2.3}),
        (0.3, {"torque": 0.1}),
        (0.45, {}),
        (0.6, {}),
        (0.6, {"lead": 2.0, "hysteresis": 0.0005}),
        (0.6, {"late": 1.0}),
    ],
)
def test_simulations_from_any_start_end_in_the_band(craft, share, more):
    law = law_of(share, **more)
    ideal = sim.continuous_limit_cycle(law, inertia=J)
    assert law.sample * float(law.torque[0]) / J / ideal.rate_rad_s == pytest.approx(share, rel=1e-3)
    band = sim.sampled_limit_cycles(law, inertia=J)
    rng = np.random.default_rng(int(1000 * share))
    # deviations shrink by (L - w / a) / (L + w / a) with each pulse: wait for e^-6, then record for as long again
    pulses = 6.0 / (2.0 * ideal.rate_rad_s * J / float(law.torque[0]) / float(law.lead[0]))
    seen = []
    for _ in range(5):
        angle, rate = rng.uniform(-0.9, 1.4) * D, rng.uniform(-2.0, 2.0) * ideal.rate_rad_s
        duration = (60.0 + pulses) * band.median_period_s
        found = sim.simulated_limit_cycle(craft, law, duration=duration, start=angle, rate=rate)
        assert band.holds(found, 0.005), (found, band)
        seen.append(found.period_s)
    if share >= 0.1:
        assert max(seen) / min(seen) > 1.001  # a single value would be wrong


def test_sampled_limit_cycle_depends_on_the_start(craft):
    """Closed form 146 s for switching without samples; simulations from different starts take 165 to beyond 200 s."""
    law = law_of(0.6)
    band = sim.sampled_limit_cycles(law, inertia=J)
    ideal = sim.continuous_limit_cycle(law, inertia=J)
    assert ideal.period_s < 0.95 * band.period_s[0]
    assert not band.holds(ideal)
    assert band.period_s[1] > 1.5 * band.period_s[0]


def test_amplitude_of_fast_drifts_includes_the_braking_distance():
    """Drifts that a pulse reverses over w^2 / (2 a), here 2.5 times the deadband."""
    law = controllers.OnOffThrusters(torque=0.05, deadband=D, lead=1.0, hysteresis=0.01, sample=1e-3)
    band, ideal = sim.sampled_limit_cycles(law, inertia=J), sim.continuous_limit_cycle(law, inertia=J)
    braking = ideal.rate_rad_s**2 / (2.0 * 0.05 / J)
    assert braking > 2.4 * D
    assert band.amplitude_rad == pytest.approx([ideal.amplitude_rad] * 2, rel=1e-3)


def test_band_closes_as_sampling_becomes_fine():
    widths = []
    for share in (0.2, 0.05, 0.0125, 0.003):
        law = law_of(share)
        band, ideal = sim.sampled_limit_cycles(law, inertia=J), sim.continuous_limit_cycle(law, inertia=J)
        assert band.holds(ideal, 0.02)
        widths.append(band.period_s[1] / band.period_s[0] - 1.0)
    assert widths[-1] < 1e-3
    assert widths[-1] < 0.1 * widths[0]


def test_rate_modulo_sample_of_thrust_is_conserved(craft):
    """The invariant that explains the band, in the simulation of the nonlinear plant."""
    law = law_of(0.3)
    one = law.sample * float(law.torque[0]) / J
    assert sim.sampled_limit_cycles(law, inertia=J).one_sample_rad_s == pytest.approx(one)
    run = sim.simulate(
        craft, law, rate=(2.37 * one, 0.0, 0.0), duration=1000.0, integrator="rk4", step=law.sample, ledger=False
    )
    off = run.values("command")[:, 0] == 0.0
    rest = np.mod(run.values("rate")[off, 0] / one - 0.37 + 0.5, 1.0) - 0.5
    assert np.ptp(run.values("rate")[off, 0]) > 2.0 * one  # the drift reverses
    assert np.abs(rest).max() < 1e-6


def test_sampled_limit_cycle_rejects_bad_input_and_has_json():
    late = controllers.OnOffThrusters(torque=0.05, deadband=D, lead=0.1, hysteresis=0.002, sample=0.3)
    with pytest.raises(plant.DesignError, match="lead"):
        sim.sampled_limit_cycles(late, inertia=J)
    with pytest.raises(plant.InputError, match="inertia"):
        sim.sampled_limit_cycles(law_of(0.1), inertia=-1.0)
    plain = sim.sampled_limit_cycles(law_of(0.1), inertia=J).to_dict()
    assert sorted(plain) == [
        "amplitude_rad",
        "can_rest",
        "median_period_s",
        "one_sample_rad_s",
        "period_s",
        "rate_rad_s",
    ]


def test_pulse_across_whole_deadband_is_refused():
    law = controllers.OnOffThrusters(torque=0.05, deadband=0.01, lead=5.0, hysteresis=0.002, sample=1.663, delay=3.825)
    with pytest.raises(plant.DesignError, match="cross the whole deadband"):
        sim.sampled_limit_cycles(law, inertia=J)
