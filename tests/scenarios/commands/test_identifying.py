"""`polhode identify`: files, exit codes and one sentence for each fault."""

import tomllib
from dataclasses import replace

import numpy as np
import pytest

from polhode.scenarios.case.loader import load_case

BUDGET = "plant.inertia_kg_m2=[[120.5,4,-3],[4,100,5],[-3,5,80]]"
TRUTH = np.array(((120.0, 4.0, -3.0), (4.0, 100.0, 5.0), (-3.0, 5.0, 80.0)))


def run_of(case, **changed):
    """Run of a case, with further arguments of `simulate`."""
    from polhode.scenarios import build
    from polhode.sim import simulate

    problem = build(load_case(case).case)
    settings = {key: value for key, value in problem.settings.items() if key != "accuracy"} | changed
    return simulate(
        problem.craft, problem.law, state=problem.state, reference=problem.reference, blocks=problem.blocks, **settings
    )


@pytest.fixture(scope="module")
def run_file(tmp_path_factory):
    """run.nc of the first 40 s of the shipped case."""
    return run_of("identified-inertia", duration=40.0).save(tmp_path_factory.mktemp("run") / "run.nc")


def test_identify_command_writes_case_with_estimate(polhode, run_file, tmp_path):
    outcome = polhode(
        "identify", "identified-inertia", str(run_file), "--free", "inertia", "--json", "--out", str(tmp_path),
        "--set", BUDGET,
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert {each.name for each in tmp_path.iterdir()} == {"identified.toml", "identify.json", "identify.png"}
    text = (tmp_path / "identified.toml").read_text(encoding="utf-8")
    assert text.startswith("# Identified by polhode identify from")
    tensor = np.array(tomllib.loads(text)["plant"]["inertia_kg_m2"])
    sigma = np.array([each["sigma"] for each in outcome.json["estimates"]])
    error = np.array([(tensor - TRUTH)[place] for place in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])
    assert np.abs(error / sigma).max() < 4.0
    again = load_case(tmp_path / "identified.toml")
    np.testing.assert_array_equal(again.case.plant.inertia_kg_m2, tensor)


@pytest.mark.parametrize(
    ("free", "sets", "words"),
    [
        (
            "inertia",
            ["sensors.0.angle_random_walk_deg_sqrt_h=0.005"],
            "the residuals of gyro do not match its declared",
        ),
        (
            "sensors.0.bias",
            ["initial.rate_rad_s=[0.05001,-0.04,0.06]", "sensors.1.noise_arcsec=26"],
            "the residuals of star_tracker are not white",
        ),
    ],
)
def test_identified_case_states_faults_of_residuals(polhode, run_file, tmp_path, free, sets, words):
    """Half the gyro noise; a start that is wrong by 1e-5 rad/s, hidden in a declared noise that is too large."""
    given = [word for each in sets for word in ("--set", each)]
    start = ("--known-start",) if len(sets) > 1 else ()
    outcome = polhode(
        "identify", "identified-inertia", str(run_file), "--free", free, "--out", str(tmp_path), *given, *start
    )
    assert outcome.code == 1
    assert words in outcome.err
    assert f"# do not rely on these values: {words}" in (tmp_path / "identified.toml").read_text(encoding="utf-8")


def test_uncertain_sensitivities_are_a_fault(polhode, run_file, tmp_path, monkeypatch):
    from polhode.scenarios.case import identification

    def uncertain(*given, **more):
        return replace(identify_case(*given, **more), difference_error=0.5)

    identify_case = identification.identify_case
    monkeypatch.setattr(identification, "identify_case", uncertain)
    words = ("identify", "identified-inertia", str(run_file), "--free", "inertia", "--set", BUDGET)
    outcome = polhode(*words, "--out", str(tmp_path))
    assert outcome.code == 1
    assert "the standard deviations are uncertain by 50 %" in outcome.err
    assert "uncertain by 50 %" in (tmp_path / "identified.toml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_identify_command_prints_estimates_and_case(polhode, run_file):
    outcome = polhode("identify", "identified-inertia", str(run_file), "--free", "inertia", "--set", BUDGET)
    assert outcome.code == 0, outcome.err
    for words in ("inertia_yz", "gyro_bias_x", "least certain combination", "as declared", "--set 'plant.inertia"):
        assert words in outcome.out


@pytest.mark.usefixtures("unrendered")
def test_telemetry_without_motion_is_refused_with_advice(polhode, tmp_path):
    case = tmp_path / "rest.toml"
    text = """
title = "at rest"
[plant]
inertia_kg_m2 = [10.0, 12.0, 15.0]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "rate-damping"
gain_N_m_s = 1.0
sample_s = 0.1
uses = "truth"
[[sensors]]
kind = "gyro"
angle_random_walk_deg_sqrt_h = 0.01
[run]
duration_s = 10.0
output_s = 0.1
seed = 1
"""
    case.write_text(text, encoding="utf-8")
    run = run_of(case).save(tmp_path / "run.nc")
    outcome = polhode("identify", str(case), str(run), "--free", "inertia", "--out", str(tmp_path / "found"))
    assert outcome.code == 1
    assert "the telemetry does not determine" in outcome.err
    assert "by a known torque" in outcome.err
    assert not (tmp_path / "found" / "identified.toml").exists()
    assert "not determined by this telemetry, so there is no estimate" in outcome.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--free", "inertia", "--prior", "inertia"), "write KEY=SIGMA"),
        (("--free", "inertia", "--prior", "inertia=-1"), "must be positive"),
        (("--free", "controller.damping_ratio"), "only keys of plant, sensors, environment"),
        (("--free", ","), "names no parameter"),
        (("--free", "inertia", "--set", "controller.sample_s=0.25"), "run the case again with run.output_s = 0.25"),
    ],
)
def test_faulty_arguments_are_refused_by_one_sentence(polhode, run_file, words, message):
    outcome = polhode("identify", "identified-inertia", str(run_file), *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


def test_missing_telemetry_is_refused(polhode):
    for name in ("none.nc", "none.csv"):
        outcome = polhode("identify", "identified-inertia", name, "--free", "inertia")
        assert outcome.code == 2
        assert "no such file" in outcome.err


def test_identify_design_writes_commands_that_identify_reads(polhode, tmp_path):
    words = ("identify", "identified-inertia", "--design", "--free", "inertia", "--set", "run.duration_s=20")
    outcome = polhode(*words, "--max-rate", "8", "--segments", "2", "--out", str(tmp_path), "--json")
    assert outcome.code == 0, outcome.err
    assert {each.name for each in tmp_path.iterdir()} == {"excitation.csv", "design.json", "excitation.png"}
    rows = np.loadtxt(tmp_path / "excitation.csv", delimiter=",", skiprows=1)
    assert rows.shape == (200, 4)
    assert np.abs(rows[:, 1:]).max() <= 0.5
    assert outcome.json["peak_rate_deg_s"] <= 8.0
    assert all(each["sigma"] < 0.1 for each in outcome.json["parameters"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--free", "inertia"), "telemetry FILE is missing"),
        (("x.nc", "--free", "inertia", "--design"), "--design needs no telemetry; remove FILE"),
        (("x.nc", "--free", "inertia", "--max-rate", "2"), "are options of --design"),
        (("--free", "inertia", "--design"), "give --max-rate DEG_S"),
    ],
)
def test_faulty_arguments_of_a_design_are_refused(polhode, words, message):
    outcome = polhode("identify", "identified-inertia", *words)
    assert outcome.code == 2
    assert message in outcome.err
