"""`scenarios.run_case` and `scenarios.measure` return in Python what the command line measures."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.errors import InputError
from polhode.scenarios import measure, run_case

from .conftest import Command


def test_run_case_equals_the_command(polhode: Command) -> None:
    told = ["run.duration_s=150"]
    found = run_case("slew-lqr", overrides=told, output_times=[7.25])
    summary = polhode("run", "slew-lqr", "--json", "--set", told[0], "--at", "7.25").json
    numbers = {**summary["metrics"], **summary["invariants"]}
    assert {name: metric.value for name, metric in found.metrics.items()} == numbers
    assert [verdict.to_dict() for verdict in found.requirements] == summary["requirements"]
    assert found.met
    row = int(np.flatnonzero(found.run.t == 7.25)[0])
    assert found.run.values("attitude")[row].tolist() == summary["samples"][0]["attitude"]
    assert found.loaded.case.run.duration_s == 150.0
    assert found.problem.law is not None


def test_requirement_that_is_not_met(polhode: Command) -> None:
    found = run_case("slew-lqr", overrides=["run.duration_s=20"])
    assert not found.met
    assert found.run.status == "completed"
    assert polhode("run", "slew-lqr", "--set", "run.duration_s=20").code == 1


def test_formulation() -> None:
    more = ["run.formulation=hamilton-7", "run.integrator=rk8", "run.step_s=0.01", "run.duration_s=5", "require=[]"]
    found = run_case("torque-free", overrides=more)
    own = run_case("torque-free", overrides=["run.duration_s=5", "require=[]"])
    np.testing.assert_allclose(found.run.values("rate")[-1], own.run.values("rate")[-1], rtol=0, atol=1e-9)


def test_published_ring() -> None:
    found = run_case("published-ring-damper", overrides=["run.duration_s=1"])
    h = np.array((1.0, 1.0, 1.6)) * found.run.values("rate")[-1]
    np.testing.assert_allclose(h, (1.91834400349152, -0.565646784016438, 16.0006960146355), rtol=0, atol=1e-9)


def test_run_case_errors_name_the_case() -> None:
    with pytest.raises(InputError, match=r"slew-lqr: run\.duration_s: must be greater than 0 s"):
        run_case("slew-lqr", overrides=["run.duration_s=-1"])
    with pytest.raises(InputError, match=r"torque-free: output times must be between 0 and the duration"):
        run_case("torque-free", output_times=[1e9])


def test_metrics_of_any_run() -> None:
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    run = sim.simulate(craft, rate=(0.3, 0.4, 0.0), duration=1.0)
    found = measure(run)
    assert found["peak_rate_deg_s"].value == pytest.approx(np.degrees(0.5), rel=1e-2)
    drift = found["energy_drift_relative"].value
    assert drift is not None
    assert drift < 1e-10  # the tolerance of a step
    assert found["residual_tip_deflection_m"].reason == "the case has no flexible arm"
    assert all(metric.value is not None or metric.reason for metric in found.values())


def test_metric_that_does_not_apply_is_no_news(polhode: Command) -> None:
    assert "tip deflection" not in polhode("run", "slew-lqr").out
    summary = polhode("run", "slew-lqr", "--json").json
    assert summary["metrics"]["peak_tip_deflection_m"] is None
    assert summary["unavailable"]["peak_tip_deflection_m"] == "the case has no flexible arm"


def test_euler_angles_of_samples(polhode: Command) -> None:
    words = ("--set", "initial.attitude=[1,0,0,0]", "--set", 'metrics.euler_sequence="3-1-3"', "--at", "0,3")
    start, later = polhode("run", "torque-free", "--json", *words).json["samples"]
    assert start["euler_angles_deg"] == [0.0, 0.0, 0.0]
    from polhode.plant.attitude import to_euler_angles

    turned = np.degrees(to_euler_angles(np.array(later["attitude"]), "3-1-3"))
    assert later["euler_angles_deg"] == pytest.approx(turned.tolist(), abs=1e-12)
