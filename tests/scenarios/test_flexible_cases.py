"""Cases of a spacecraft with flexible arms by the command line, against two other codes and conservation laws."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .conftest import Command

PANELS = {
    *("arms", "energy", "euler_parameters", "invariants", "momentum", "momentum_sphere"),
    *("nutation", "overview", "rates", "spin", "tips", "torque"),
}
SHORT = ("--set", "run.duration_s=0.5", "--set", "run.output_s=0.02", "--set", "require=[]")


def run(polhode: Command, name: str, *more: str) -> dict[str, Any]:
    outcome = polhode("run", name, "--json", *more)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.json


def test_case_1_is_that_of_two_other_codes(polhode: Command) -> None:
    summary = run(polhode, "flexible-satellite-free", "--at", "2.5,0,10")
    there, start, end = summary["samples"]
    assert there["euler_angles_deg"] == pytest.approx((21.497399, 72.783884, -9.710439), abs=1e-4)
    for sample in (there, start, end):
        assert sample["energy_J"] == pytest.approx(5.638663693331157, rel=1e-10)
        # about the mass centre, hub axes: in inertial axes it is a constant, printed by the two codes
        assert np.linalg.norm(sample["momentum_N_m_s"]) == pytest.approx(
            np.linalg.norm((0.016064800, 21.6840787, 4.33681573)), rel=1e-8
        )
        assert np.abs(sample["position_m"]).max() < 1e-11
        assert set(sample["internal"]) >= {"arm_1_tip_n_m", "arm_2_tip_m_m", "strain_energy_J"}
    rows = {row["quantity"]: row for row in summary["document"]}
    for row in rows.values():
        assert row["polhode"] == pytest.approx(row["exact"], rel=2e-4)
    assert rows["largest second angle (deg)"]["polhode"] == pytest.approx(83.8017, abs=1e-3)
    assert rows["beams at 270 deg (s)"]["polhode"] == pytest.approx(9.24175, abs=2e-4)
    assert rows["second angle at 2.5 s (deg)"]["document"] == "90"
    assert summary["invariants"]["energy_drift_relative"] < 1e-8
    assert summary["invariants"]["momentum_drift_relative"] < 1e-8
    assert "at most 83.80 deg" in summary["warnings"][0]


def test_case_2_is_that_of_two_other_codes(polhode: Command) -> None:
    summary = run(polhode, "flexible-satellite-torque", "--at", "1,3")
    one, three = summary["samples"]
    assert one["rate_rad_s"] == pytest.approx((0.100000035, 0.282143898, 0.080948646), abs=5e-6)
    assert three["euler_angles_deg"] == pytest.approx((13.713539, 45.372325, 6.886417), abs=1e-4)
    assert summary["metrics"]["peak_tip_deflection_m"] == pytest.approx(2.0355e-4, rel=0.005)
    rows = {row["quantity"]: row["polhode"] for row in summary["document"]}
    assert rows["largest second angle (deg)"] == pytest.approx(81.5531, abs=1e-3)
    assert rows["beams at 90 deg (s)"] == pytest.approx(5.6306, abs=2e-4)
    assert summary["invariants"]["energy_drift_relative"] < 1e-8
    assert summary["invariants"]["momentum_drift_relative"] < 1e-8


@pytest.mark.slow
def test_flexible_case_writes_its_files(polhode: Command, tmp_path: Path) -> None:
    import xarray

    outcome = polhode("run", "flexible-satellite-torque", "--out", str(tmp_path / "out"), *SHORT)
    assert (outcome.code, outcome.err) == (0, "")
    files = {path.name for path in (tmp_path / "out").iterdir()}
    pictures = {f"figure_{n}.png" for n in range(26, 32)} | {f"{name}.png" for name in PANELS}
    assert files == {"run.nc", "summary.json"} | pictures
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert "document" not in summary  # too short for it
    with xarray.open_dataset(tmp_path / "out" / "run.nc", engine="h5netcdf") as data:
        assert data["tip_deflection"].attrs["units"] == "m"
        assert float(data["time"][-1]) == 0.5
    assert "peak tip deflection" in outcome.out
    assert "the document says" in " ".join(outcome.out.split())


def test_step_too_large_is_told_with_largest(polhode: Command) -> None:
    outcome = polhode("run", "flexible-satellite-free", "--set", 'run.integrator="rk4"')
    assert outcome.code == 2
    assert "flexible-satellite-free: a step of 0.0025 s is too large for 'rk4'" in outcome.err
    assert "largest stable step is" in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.slow
def test_run_that_fails_says_where_and_what_to_do(polhode: Command, tmp_path: Path) -> None:
    soft = [f"plant.elements.{arm}.youngs_modulus_Pa=1e4" for arm in (0, 1)]
    changed = [*soft, "initial.rate_rad_s=[30, 50, -40]", "run.step_s=0.2"]
    words = [part for each in changed for part in ("--set", each)]
    outcome = polhode("run", "flexible-satellite-free", "--json", "--at", "5", "--out", str(tmp_path), *words)
    assert outcome.code == 1
    expected = (
        r"the run ended failed: at t = 0\.212 s the implicit equations have no solution with a step of 0\.2 s, "
        r"which was not completed after 4096 parts, halved down to [0-9]e-0[89] s; "
        r"the fastest rate of the plant, of arm_1_node_1_spin_x, is 2\.\d\de\+04/s; "
        r"arm_1 is bent or twisted by 180 deg between nodes 1 and 2, but the strain of an element is undefined at 180: "
        r"use more elements for the arm, or check its stiffness; "
        r"use a shorter step or dop853, and check the units of inertia, rate, torque and stiffness\n"
    )
    assert re.search(expected, outcome.err)
    assert outcome.json["counters"]["steps"] < 4096
    assert outcome.json["status"] == "failed"
    assert outcome.json["samples"] == []
    halved, missed, *_ = outcome.json["warnings"]
    assert "implicit steps had no solution and were halved, from 0.2 s down to" in halved
    assert missed.startswith("no sample at 5 s: the run ended at 0.21")
    assert (tmp_path / "summary.json").is_file()


def test_torques_out_of_reach_are_told(polhode: Command) -> None:
    late = "torques=[{from_s=2, to_s=3, components_N_m=[0, 1, 0]}]"
    summary = run(polhode, "flexible-satellite-free", *SHORT, "--set", late)
    assert summary["warnings"][0] == "torques.0 begins at 2 s, after the end of the run, and never acts"


def test_unmet_requirement_is_told(polhode: Command) -> None:
    unmet = 'require=[{metric="peak_tip_deflection_m", max=1e-9}]'
    outcome = polhode("run", "flexible-satellite-free", "--json", *SHORT[:4], "--set", unmet)
    assert outcome.code == 1
    assert "requirement not met: peak_tip_deflection_m is" in outcome.err


def test_delays_are_any_and_labels_differ(polhode: Command) -> None:
    more = ("--set", "compare=[]", "--set", "run.duration_s=0.2", "--set", "metrics={}", "--set", "require=[]")
    assert polhode("run", "flexible-slew", "--set", "controller.delay_s=0.011", *more).code == 0
    outcome = polhode("run", "flexible-slew", "--set", 'compare.0.label="lqr + notch"')
    assert outcome.code == 2
    assert "labels must differ" in outcome.err


def test_flexible_case_without_controller_has_no_design(polhode: Command) -> None:
    outcome = polhode("design", "flexible-satellite-free")
    assert outcome.code == 2
    assert "the case has no [controller] to design" in outcome.err


@pytest.mark.slow
def test_design_is_that_of_rigid_arms(polhode: Command) -> None:
    outcome = polhode("design", "flexible-slew", "--json", "--set", "controller.filters=[]")
    assert outcome.code == 1  # designed on rigid arms, judged on flexible ones: without its notch they vibrate
    assert "residual_tip_deflection_m" in outcome.err
    assert outcome.json["method"] == "lqr"
    about_y = outcome.json["margins"]["axes"][1]
    # the regulator of a rigid body has 60 degrees in continuous time; half a sample of 0.02 s at 0.46 rad/s takes 0.3
    assert about_y["phase_deg"] > 60.0
    assert about_y["gain_up_dB"] > 40.0  # which does not include the arms


@pytest.mark.slow
def test_momentum_is_the_impulse_of_pulses_and_of_the_law(polhode: Command) -> None:
    """Over the whole run, torques included; twice the number of rows gives no larger values."""
    for each in ("0.01", "0.005"):
        more = ("--set", f"run.output_s={each}", "--set", "require=[]", "--set", "run.duration_s=1.5")
        summary = run(polhode, "flexible-satellite-torque", *more)
        assert summary["invariants"]["momentum_drift_relative"] < 1e-8
    short = ("--set", "run.duration_s=1.5", "--set", "metrics.residual_from_s=1", "--set", "require=[]")
    alone = ("--set", "compare=[]", "--set", "run.output_s=2.5e-3")
    push = ("--set", "torques=[{from_s=0.3, to_s=0.9, components_N_m=[0.1, 3, -2]}]")
    summary = run(polhode, "flexible-slew", *short, *alone, *push)
    assert summary["invariants"]["momentum_drift_relative"] < 1e-8
    coarse = run(polhode, "flexible-slew", *short, *alone[:2], "--set", "run.output_s=0.03", *push)
    assert coarse["invariants"]["momentum_drift_relative"] < 1e-8  # the impulse is integrated, not computed from rows
    assert coarse["invariants"]["energy_drift_relative"] < 1e-8  # with the work of the law and of the arms' damping
