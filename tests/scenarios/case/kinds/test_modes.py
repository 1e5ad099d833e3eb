"""`[[modes]]` of a case: refusals, runs, reports and pictures, and margins of one mode."""

import json

import numpy as np
import pytest

from polhode import controllers, plant, scenarios, sim
from polhode.controllers import Condition, Mode, Modes, Transition
from polhode.plant import InputError
from polhode.scenarios.case.campaigns.case_campaign import run_campaign
from polhode.scenarios.case.kinds.modes import mode_alone
from polhode.scenarios.case.kinds.problem import build

CASE = """
title = "t"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
rate_deg_s = [0.5, 0.3, -0.2]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "lqr"
attitude_weight = 25.0
rate_weight = 1.0
effort_weight = 1.0
sample_s = 0.1
torque_limit_N_m = 1.0
[[sensors]]
kind = "gyro"
angle_random_walk_deg_sqrt_h = 0.01
rate_random_walk_deg_h_sqrt_h = 0.05
bias_deg_h = 2.0
[[sensors]]
kind = "star-tracker"
noise_arcsec = 8.0
roll_noise_arcsec = 60.0
[estimator]
kind = "mekf"
attitude_sigma_deg = 0.05
[[modes]]
name = "damping"
controller = { kind = "rate-damping", gain_N_m_s = 50.0, sample_s = 0.1, torque_limit_N_m = 0.5 }
remap = { rate = "gyro" }
[[modes.transitions]]
to = "pointing"
when = [
    { quantity = "rate", below_deg_s = 0.2, release_deg_s = 0.25, for_s = 2.0 },
    { quantity = "star_tracker.valid", above = 0.5 },
]
[[modes]]
name = "pointing"
reference = { attitude_deg = { sequence = "3-2-1", angles = [1.0, 0.0, 0.0] } }
blend_time_s = 1.0
final = true
[run]
duration_s = 30.0
integrator = "rk4"
step_s = 0.1
output_s = 0.1
seed = 3
"""


TRUTH = 'controller.uses="truth"'  # whose margins are computed faster


@pytest.fixture(name="case")
def _case(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE, encoding="utf-8")
    return path


def modes_in(problem) -> Modes:
    assert isinstance(problem.law, Modes)
    return problem.law


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        (
            "modes.0.transitions.0.to",
            '"pontin"',
            "modes: mode that 'damping' goes to: 'pontin' is unknown; did you mean 'point",
        ),
        (
            "modes.0.transitions.0.when.1.quantity",
            '"star_trackr.valid"',
            "transitions.0.when.1: quantity 'star_trackr.valid' is unkn",
        ),
        ("modes.0.remap.rate", '"gyr"', "modes.0.remap: signal: 'gyr' is unknown; did you mean 'gyro'"),
        (
            "modes.0.remap.rat",
            '"gyro"',
            "modes.0.remap: plant output: 'rat' is unknown; did you mean 'rate'",
        ),
        ("modes.0.remap.rate", '"attitude"', "uses 'attitude' as rate: it has 4 components, but rate has 3"),
        ("modes.0.transitions.0.when.0.release_deg_s", "0.1", "where it still holds"),
        (
            "modes.0.transitions.0.when.1",
            '{ quantity = "attitude_sigma", below = 1 }',
            "is in rad: use below_deg instead of",
        ),
        (
            "modes.0.transitions.0.when.1",
            '{ quantity = "nis.1", below_deg = 1 }',
            "nis.1 is not in s, deg or deg/s: use below",
        ),
        (
            "modes.0.transitions.0.when.1",
            '{ quantity = "rate" }',
            "needs one threshold, such as below_deg_s = 0.1; got none",
        ),
        (
            "modes.0.transitions.0.when.1",
            '{ quantity = "time", above_s = 1, release = 0 }',
            "above_s and release have diff",
        ),
        (
            "modes.0.controller.torque_limit_N_m",
            "2.0",
            "modes.0: controller.torque_limit_N_m: 2 N m is more than the 1",
        ),
        ("modes.0.controller.uses", '"truth"', "modes.0.controller.uses: state the signals of a mode in modes.0.remap"),
        ("modes.1.final", "false", "mode 'pointing' can never be left"),
        ("modes.1.name", '"damping"', "modes: two modes are called 'damping'"),
        ("modes.0.controller.sample_s", "0.2", "one computer runs all laws: design the laws with the same"),
        (
            "require",
            '[{ metric = "phase_margin_deg", min = 1 }]',
            "phase_margin_deg belongs to the loop in one mode; add mode",
        ),
        ("require", '[{ metric = "effort_N2_m2_s", mode = "pointing", max = 1 }]', "mode applies to margins"),
        ("require", '[{ metric = "disk_margin_all", mode = "x", max = 1 }]', "no mode 'x'; modes: damping, pointing"),
    ],
)
def test_modes_error_names_the_key(case, key, value, words):
    with pytest.raises(InputError) as told:
        build(scenarios.load_case(case, [f"{key}={value}"]).case)
    assert words in str(told.value)


def test_run_of_case_is_that_of_same_objects(case):
    found = scenarios.run_case(case)
    problem, run = found.problem, found.run
    target = modes_in(problem).mode("pointing").reference
    assert target is not None
    model = problem.craft.linearize(problem.craft.state(attitude=target.at(0.0)[:4]))
    lqr = controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    damping = controllers.RateDamping(gain=50.0, sample=0.1, torques=plant.TorqueBasis("body", limit=0.5))
    slow = Condition("rate", below=np.radians(0.2), release=np.radians(0.25), lasting=2.0)
    modes = Modes(
        [
            Mode(
                "damping", damping, remap={"rate": "gyro"}, limit=0.5,
                transitions=Transition("pointing", [slow, Condition("star_tracker.valid", above=0.5)]),
            ),
            Mode("pointing", lqr, reference=target, blend_time=1.0, final=True),
        ]
    )  # fmt: skip
    before = problem.blocks[:-1]
    mine = sim.simulate(
        problem.craft, modes, state=problem.state, reference=problem.reference, blocks=[*before, modes.block(before)],
        **problem.settings,
    )  # fmt: skip
    np.testing.assert_array_equal(mine.x, run.x)
    np.testing.assert_array_equal(mine.values("command"), run.values("command"))
    assert sim.mode_intervals(mine) == sim.mode_intervals(run)
    assert [each.mode for each in sim.mode_intervals(run)] == ["damping", "pointing"]
    assert not run.warnings


def test_mode_switches_are_reported_with_reason(case, polhode):
    shown = polhode("run", case, "--set", "run.duration_s=12")
    assert shown.code == 0
    words = " ".join(shown.out.split())
    assert "rate below 0.2 deg/s (until above 0.25) for 2 s and star_tracker.valid above 0.5" in words
    rows = polhode("run", case, "--json", "--set", "run.duration_s=12").json["modes"]
    assert [(row["mode"], row["unseen_before"]) for row in rows] == [("damping", 0), ("pointing", 0)]
    assert rows[1]["from_s"] == rows[0]["to_s"]


@pytest.mark.slow
def test_mode_run_is_saved_and_drawn_again(case, tmp_path, polhode):
    assert polhode("run", case, "--out", tmp_path / "out", "--set", "run.duration_s=12").code == 0
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    again = scenarios.load_run(tmp_path / "out" / "run.nc")
    assert [each.start for each in sim.mode_intervals(again)] == [row["from_s"] for row in summary["modes"]]
    assert again.plot("rate").axes[0].patches  # the band of the modes


def test_margins_are_of_the_mode_that_is_named(case):
    require = '[{ metric = "phase_margin_deg", mode = "pointing", min = 60 }]'
    found = scenarios.run_case(case, overrides=[f"require={require}", "run.duration_s=1", TRUTH])
    assert [verdict.metric for verdict in found.requirements] == ["phase_margin_deg in mode pointing"]
    assert found.met
    problem = build(scenarios.load_case(case).case)
    sub, alone = mode_alone(scenarios.load_case(case).case, problem, "pointing")
    assert not sub.modes
    assert alone.law is modes_in(problem).mode("pointing").law
    assert [block.name for block in alone.blocks] == [block.name for block in problem.blocks[:-1]]


@pytest.mark.slow
def test_design_and_analyse_ask_for_the_mode(case, polhode):
    told = polhode("design", case)
    assert told.code == 2
    assert "select one with --mode: damping, pointing" in told.err
    told = polhode("analyse", case, "--mode", "pointin")
    assert told.code == 2
    assert "did you mean 'pointing'" in told.err
    assert (
        polhode("design", case, "--mode", "pointing", "--json", "--set", TRUTH).json["margins"]["axes"][0]["phase_deg"]
        > 50.0
    )
    told = polhode("design", "slew-lqr", "--mode", "pointing")
    assert told.code == 2
    assert "has no [[modes]]" in told.err


@pytest.mark.slow
def test_campaign_scatters_key_of_mode_whoever_works(case):
    more = [
        '[dispersions."modes.0.dwell_s"]\ndistribution = "uniform"\nlow = 5.0\nhigh = 15.0\n',
        '[dispersions."plant.inertia_kg_m2"]\ndistribution = "inertia"\nrelative_sigma = 0.05\n',
    ]
    case.write_text(CASE + "".join(more), encoding="utf-8")
    one, two = (run_campaign(case, runs=4, workers=n, overrides=["run.duration_s=20"]).campaign for n in (1, 2))
    assert one.metrics["peak_attitude_error_deg"].tolist() == two.metrics["peak_attitude_error_deg"].tolist()
    assert len(set(one.metrics["peak_attitude_error_deg"])) == 4
