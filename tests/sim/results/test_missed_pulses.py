"""Metrics of a pulsed command: equal to the on-time of the thrusters, and refused if the rows miss pulses."""

import numpy as np
import pytest
from numpy.typing import ArrayLike

from polhode import controllers, plant, sim
from polhode.controllers import blocks
from polhode.scenarios import run_case
from polhode.scenarios.report.metrics import measure
from polhode.sim.results.missed_pulses import missed_pulses

METRICS = ("effort_N2_m2_s", "external_impulse_N_m_s", "peak_torque_N_m", "time_at_command_limit_s")


def test_impulse_of_thrusters_is_their_on_time_with_a_row_for_each_pulse() -> None:
    """Every thruster of the case has 0.5 N at 1 m, in pairs: one on-time gives 0.5 N m about one axis.

    Pulses about two axes at once add their squares, so the sum of squares is compared: |u|^2 is 1 N^2 m^2 for a pair.
    """
    outcome = run_case("pulsed-thrusters", overrides=["run.duration_s=60", "run.output_s=0.01"])
    run = outcome.run
    assert not missed_pulses(run)
    on = run.values("thruster_on_time")[-1]
    pairs = on.sum() / 2.0  # s, each pair 1 N m
    assert outcome.metrics["effort_N2_m2_s"].value == pytest.approx(pairs, rel=1e-9)


def test_metrics_of_pulses_between_rows_have_no_value() -> None:
    outcome = run_case("pulsed-thrusters", overrides=["run.duration_s=20"])
    for name in METRICS:
        assert outcome.metrics[name].value is None
        assert "set run.output_s = 0.01" in outcome.metrics[name].reason


def test_relay_law_needs_a_row_in_every_sample() -> None:
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
    law = controllers.OnOffThrusters(torque=0.5, deadband=0.01, lead=5.0, hysteresis=0.002, sample=0.1)
    start = {"rate": (0.01, -0.02, 0.0), "duration": 10.0}
    assert "every 0.5 s" in missed_pulses(sim.simulate(craft, law, **start, output_step=0.5))
    assert not missed_pulses(sim.simulate(craft, law, **start, output_step=0.1))


@pytest.mark.parametrize("times", [[10.0], [8.0, 8.1, 8.2], np.arange(0.0, 5.01, 0.1)])
def test_rows_that_begin_late_or_end_early_miss_pulses(times: ArrayLike) -> None:
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
    law = controllers.OnOffThrusters(torque=0.5, deadband=0.01, lead=5.0, hysteresis=0.002, sample=0.1)
    assert missed_pulses(sim.simulate(craft, law, rate=(0.01, -0.02, 0.0), duration=10.0, output_times=times))


def test_pwpf_block_needs_a_row_in_every_period() -> None:
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    block = blocks.pwpf(0.5, sample=0.01, gain=4.0, time_constant=0.5, on=0.45, off=0.15)
    run = sim.simulate(craft, law, blocks=[block], rate=(0.01, -0.02, 0.0), duration=5.0, output_step=0.1)
    assert "0.01 s" in missed_pulses(run)
    assert np.isfinite(run.values("rate")).all()


def test_continuous_command_needs_no_row_in_every_sample() -> None:
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    run = sim.simulate(craft, law, rate=(0.01, -0.02, 0.0), duration=5.0, output_step=1.0)
    assert not missed_pulses(run)


@pytest.mark.parametrize("compiled", [False, True])
def test_custom_pulses_have_an_impulse_only_with_a_row_for_each(compiled: bool) -> None:
    """Pulses of 1 N m for 0.1 s in each of 8 s, about x: 0.8 N m s; rows each second would hold them and show 8."""
    law = controllers.CustomLaw(
        pulse_kernel if compiled else lambda t, y, r: (1.0 if t % 1.0 < 0.05 else 0.0, 0.0, 0.0),
        sample=0.1, compiled=compiled, pulsed=True, memory=np.zeros(1 if compiled else 0),
    )  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)), torques=plant.TorqueBasis("body"))
    fine, coarse = (sim.simulate(craft, law, duration=7.95, output_step=step) for step in (0.1, 1.0))
    assert measure(fine)["external_impulse_N_m_s"].value == pytest.approx(0.8, rel=1e-9)
    coarse_metric = measure(coarse)["external_impulse_N_m_s"]
    assert coarse_metric.value is None
    assert "set run.output_s = 0.1" in coarse_metric.reason


def pulse_kernel(t, y, r, q, z, u):
    """Write a torque of 1 N m about x in the first of ten samples; z counts the samples."""
    u[0] = 1.0 if int(z[0]) % 10 == 0 else 0.0
    u[1] = 0.0
    u[2] = 0.0
    z[0] = z[0] + 1.0
