# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalSubscript=false
# pyright: reportOperatorIssue=false
# (results that are None fail the test by themselves)
"""`polhode tune` of cases with modes: closed-form gain of one mode, bounds for every spacecraft, refusals."""

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case.tuning import trade_off, tune_case
from polhode.scenarios.case.tuning.case_loops import CaseLoops
from polhode.scenarios.case.tuning.free_parameters import free_parameters

DAMPING = "require=[{metric='phase_margin_deg', mode='damping', min=89.0}]"
GAIN = "tune={free=['modes.0.controller.gain_N_m_s'], starts=1}"


def gain_of(phase_margin_deg, inertia):
    """Gain of rate damping with the rate averaged over a period of 0.1 s and a held torque.

    L = (k T / 2 J) z^-1 (1 + z^-1) / (1 - z^-1), so abs(L) = (k T / 2 J) cot(w T / 2) and arg L = -90 deg - w T.
    """
    least = np.linalg.eigvalsh(inertia)[0]
    return 2.0 * least / 0.1 * np.tan(np.radians(90.0 - phase_margin_deg) / 2.0)


def test_tune_reaches_closed_form_gain_of_one_mode():
    found = tune_case("acquisition", overrides=(DAMPING, GAIN))
    assert found.met
    assert found.modes == ("damping",)
    (row,) = found.requirements
    assert (row.key, row.active) == ("phase_margin_deg in mode damping", True)
    assert 89.0 <= row.after < 89.002  # tightened until the margin is met: 1e-3 of the way from 90 deg
    inertia = np.array(load_case("acquisition").case.plant.inertia_kg_m2)
    assert found.values[0]["after"] == pytest.approx(gain_of(row.after, inertia), rel=1e-5)
    assert found.loaded.case.modes[0].controller.gain_N_m_s == found.values[0]["after"]
    problem = build(found.loaded.case)
    margins = problem.law.margins_of("damping", problem.craft.linearize(problem.craft.at_rest()), blocks=problem.blocks)
    assert margins.smallest()["phase_margin_deg"] == pytest.approx(row.after, rel=1e-9)


def test_tune_keeps_every_mode_with_free_keys_stable():
    """The goals name one mode; others with free keys join if they are stable, so that no goal destabilises them."""
    free = "tune={free=['controller.attitude_weight', 'modes.1.controller.damping_ratio']}"
    loaded = load_case("acquisition", (DAMPING, free))
    loops = CaseLoops(loaded, free_parameters(loaded, loaded.case.tune))
    assert list(loops.nominal) == ["damping", "fine"]
    assert "a pole of modulus 1)" in loops.left_out["sun"]  # the rotation about the Sun line is not measured
    fine = loops.nominal["fine"]
    x = loops.parameters.start
    assert abs(fine(x).poles()[0]) < 1.0
    assert loops.law(x, "fine").kind == "linear-feedback"


@pytest.mark.slow
def test_tune_modes_minimises_error_of_its_mode():
    """APE of fine pointing at a delay margin of 2 s; damping and its requirement do not move."""
    tune = "tune={free=['controller.attitude_weight', 'modes.0.controller.gain_N_m_s'], minimise='ape_budget_deg', "
    keys = ("metrics.window_s=10.0", tune + "mode='fine', starts=1}")
    found = tune_case("acquisition", overrides=keys)
    assert found.met
    assert [each.key for each in found.requirements] == [
        "phase_margin_deg in mode damping",
        "phase_margin_deg in mode fine",
        "delay_margin_s in mode fine",
    ]
    assert [each.active for each in found.requirements] == [False, False, True]
    assert found.requirements[2].after == pytest.approx(2.0, rel=1e-4)
    assert found.values[1]["after"] == pytest.approx(60.0, rel=1e-6)
    alone = tune_case("star-tracker-pointing", starts=1)  # same spacecraft, sensors and law, and a window of its own
    assert alone.loaded.case.controller.attitude_weight == pytest.approx(found.values[0]["after"], rel=1e-3)
    curve = trade_off("acquisition", "delay_margin_s", points=3, overrides=keys)
    assert curve.traded == "delay_margin_s in mode fine"
    assert curve.points[1].soft > found.soft[2]


@pytest.mark.slow
def test_tune_modes_ends_on_bound_for_every_spacecraft():
    scatter = "dispersions={'plant.inertia_kg_m2.2.2'={distribution='uniform', relative_half_width=0.1}}"
    found = tune_case("acquisition", worst=True, overrides=(DAMPING, GAIN, scatter))
    (row,) = found.requirements
    assert found.met
    assert 89.0 <= row.proven <= row.worst < row.after
    inertia = np.array(load_case("acquisition").case.plant.inertia_kg_m2)
    lightest = inertia - np.diag((0.0, 0.0, 20.0))
    assert found.values[0]["after"] == pytest.approx(gain_of(row.worst, lightest), rel=1e-4)


@pytest.mark.slow
def test_tune_command_writes_a_law_for_each_mode(polhode, tmp_path):
    outcome = polhode("tune", "acquisition", "--out", str(tmp_path), "--set", DAMPING, "--set", GAIN)
    assert outcome.code == 0
    assert "phase margin in mode damping" in " ".join(outcome.out.split())
    assert {"law-damping.toml", "tuned.toml", "tune.png"} <= {each.name for each in tmp_path.iterdir()}
    assert load_case(tmp_path / "tuned.toml").case.modes[0].controller.gain_N_m_s == pytest.approx(34.44, abs=0.01)


@pytest.mark.parametrize(
    ("tune", "message"),
    [
        ("free=['modes.damping.controller.gain_N_m_s']", "a mode is written with its number: modes.0.controller"),
        ("free=['modes.7.controller.gain_N_m_s']", r"there is no mode 7; take one of 0 \(damping\), 1 \(sun\)"),
        ("free=['modes.2.controller.attitude_weight']", "mode fine has no controller of its own"),
        ("free=['modes.0.controller.sample_s']", "modes.0.controller.sample_s determines the meaning of a requirement"),
        ("free=['modes.0.controller.gain']", "no key 'gain' in modes.0.controller; did you mean gain_N_m_s"),
        ("free=['modes.0.dwell_s']", "only keys of the controller and noise of the estimator"),
        ("free=['controller.attitude_weight'], maximise='delay_margin_s'", "add mode = ..., one of damping, sun, fine"),
        ("free=['controller.attitude_weight'], maximise='delay_margin_s', mode='fin'", "there is no mode 'fin'"),
        ("free=['controller.attitude_weight'], mode='fine'", "give one of them, or remove mode"),
        ("free=['controller.D'], structure='state-space'", r"this case has \[\[modes\]\]; remove structure"),
    ],
)
def test_tune_modes_refuses(tune, message):
    with pytest.raises(InputError, match=message):
        tune_case("acquisition", overrides=(f"tune={{{tune}}}",))


def test_tune_refuses_mode_of_case_without_modes():
    for tune, message in (
        ("free=['modes.0.controller.attitude_weight']", r"the case has no \[\[modes\]\]; free a key of \[controller\]"),
        ("free=['controller.attitude_weight'], maximise='delay_margin_s', mode='a'", "no mode 'a'; modes: none"),
    ):
        with pytest.raises(InputError, match=message):
            tune_case("slew-lqr", overrides=(f"tune={{{tune}}}",))
