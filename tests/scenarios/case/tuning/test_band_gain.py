# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportMissingTypeStubs=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (results that are None fail the test by themselves)
"""`gain_in_band_dB` as a requirement of a case: its value by python-control, tuning to it, refusals."""

import control
import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.campaigns.worst_craft import find_worst
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case.tuning import tune_case
from polhode.scenarios.report.margin_metrics import required_margins

SAMPLE = 0.1
LAW = (
    f"controller={{kind='state-feedback', attitude_gain_N_m_rad=5.0, rate_gain_N_m_s_rad=60.0, sample_s={SAMPLE},"
    " torque_limit_N_m=1.0}"
)
ONE = np.eye(3)
RESPONSES = {
    "loop": lambda L: L,
    "inverse loop": np.linalg.inv,
    "sensitivity": lambda L: np.linalg.inv(ONE + L),
    "complementary sensitivity": lambda L: np.linalg.solve(ONE + L, L),
}


def required(response, low, high, bound=0.0):
    return (
        f"require=[{{metric='gain_in_band_dB', response='{response}', from_rad_s={low}, to_rad_s={high}, max={bound}}}]"
    )


def gain_by_control(case, response, low, high):
    """Largest singular value for a rigid body with held torque under attitude and rate feedback, dB."""
    law, zero = case.controller, np.zeros((3, 3))
    grid = np.linspace(low, min(high, np.pi / SAMPLE), 4001)
    K = np.hstack((law.attitude_gain_N_m_rad * ONE, law.rate_gain_N_m_s_rad * ONE))
    inverse = np.linalg.inv(case.plant.inertia_kg_m2)
    plant = control.ss(np.block([[zero, ONE], [zero, zero]]), np.vstack((zero, inverse)), K, zero)
    L = control.sample_system(plant, SAMPLE, method="zoh")(np.exp(1j * SAMPLE * grid))
    matrices = RESPONSES[response](np.moveaxis(L, 2, 0))
    return 20.0 * np.log10(np.linalg.norm(matrices, ord=2, axis=(1, 2)).max())


@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize(("low", "high"), [(0.02, 0.8), (2.0, 100.0), (1.0, 1.0)])
def test_gain_in_band_matches_python_control(response, low, high):
    case = load_case("slew-lqr", (LAW, required(response, low, high))).case
    problem = build(case)
    found = required_margins(case, problem.craft, problem.law, problem.blocks)
    name = f"gain_in_band_dB of {response} from {low:g} to {high:g} rad/s"
    assert list(found) == [name]
    assert found[name].value == pytest.approx(gain_by_control(case, response, low, high), abs=2e-4)


def test_tuning_rolls_the_loop_off_to_the_required_gain():
    """The rate gain falls until L is below -24 dB from 4 rad/s, by python-control; a bound below 0 dB is tightened."""
    tune = "tune={free=['controller.rate_gain_N_m_s_rad'], starts=1}"
    found = tune_case("slew-lqr", overrides=(LAW, required("loop", 4.0, 30.0, -24.0), tune))
    (row,) = found.requirements
    assert found.met
    assert row.active
    assert row.key == "gain_in_band_dB of loop from 4 to 30 rad/s"
    assert row.before > -24.0 >= row.after > -24.01
    assert row.after == pytest.approx(gain_by_control(found.loaded.case, "loop", 4.0, 30.0), abs=2e-4)


def test_run_states_the_verdict_on_a_gain_in_band(polhode):
    outcome = polhode("run", "slew-lqr", "--set", LAW, "--set", required("loop", 4.0, 30.0, -40.0))
    assert outcome.code == 1
    assert "gain_in_band_dB of loop from 4 to 30 rad/s is -" in " ".join((outcome.out + outcome.err).split())


@pytest.mark.parametrize(
    ("require", "message"),
    [
        ("{metric='gain_in_band_dB', max=0.0}", "needs from_rad_s and to_rad_s"),
        ("{metric='gain_in_band_dB', from_rad_s=2.0, to_rad_s=1.0, max=0.0}", "from_rad_s = 2 is above to_rad_s = 1"),
        ("{metric='gain_in_band_dB', from_rad_s=1.0, to_rad_s=2.0, min=0.0}", 'response = "inverse loop", max = -b'),
        ("{metric='phase_margin_deg', from_rad_s=1.0, min=30.0}", "belong to gain_in_band_dB; remove them"),
    ],
)
def test_gain_in_band_refuses(require, message):
    with pytest.raises(InputError, match=message):
        load_case("slew-lqr", (f"require=[{require}]",))


OFF = "dispersions={'plant.inertia_kg_m2.0.0'={relative_sigma=0.05}}"


def test_worst_gain_in_band_matches_python_control():
    """The gain of L is largest for the lightest spacecraft, at the bound of three standard deviations."""
    found = find_worst("slew-lqr", "gain_in_band_dB", starts=1, overrides=(LAW, required("loop", 4.0, 30.0), OFF))
    assert found.name == "gain_in_band_dB of loop from 4 to 30 rad/s"
    assert found.search.values["plant.inertia_kg_m2.0.0"] == pytest.approx(0.85 * 400.0)
    lightest = load_case("slew-lqr", (LAW, "plant.inertia_kg_m2.0.0=340.0")).case
    assert found.search.value == pytest.approx(gain_by_control(lightest, "loop", 4.0, 30.0), abs=2e-4)
    assert found.search.value > found.search.nominal + 5e-3
    assert found.required == 0.0
    assert found.meets
    assert "can be guaranteed" in found.no_guarantee


def test_worst_case_search_selects_one_of_several_bands():
    bands = [required("loop", low, 30.0)[9:-1] for low in (4.0, 8.0)]
    both = (LAW, f"require=[{', '.join(bands)}]", OFF)
    found = find_worst("slew-lqr", "gain_in_band_dB of loop from 8 to 30 rad/s", starts=1, overrides=both)
    lightest = load_case("slew-lqr", (LAW, "plant.inertia_kg_m2.0.0=340.0")).case
    assert found.search.value == pytest.approx(gain_by_control(lightest, "loop", 8.0, 30.0), abs=2e-4)
    with pytest.raises(InputError, match="gain_in_band_dB of loop from 4 to 30 rad/s, gain_in_band_dB of loop from 8"):
        find_worst("slew-lqr", "gain_in_band_dB", overrides=both)
    with pytest.raises(InputError, match="but the case requires none; add one with from_rad_s"):
        find_worst("slew-lqr", "gain_in_band_dB", overrides=(OFF,))


def test_tuning_for_every_spacecraft_rolls_off_the_lightest_one():
    """The nominal gain stays below the bound by the difference to the worst spacecraft, which reaches it."""
    tune = "tune={free=['controller.rate_gain_N_m_s_rad'], starts=1}"
    wide = "dispersions={'plant.inertia_kg_m2.2.2'={distribution='uniform', low=180.0, high=220.0}}"
    sets = (LAW, required("loop", 4.0, 30.0, -24.0), tune, wide)
    found = tune_case("slew-lqr", worst=True, overrides=sets)
    (row,) = found.requirements
    assert found.met
    assert found.models == 2
    gain = found.parameters.values(found.tuned.x)[0]
    law = LAW.replace("rate_gain_N_m_s_rad=60.0", f"rate_gain_N_m_s_rad={gain!r}")
    lightest = load_case("slew-lqr", (law, "plant.inertia_kg_m2.2.2=180.0")).case
    assert row.worst == pytest.approx(gain_by_control(lightest, "loop", 4.0, 30.0), abs=2e-4)
    assert row.worst is not None
    assert -24.0 >= row.worst > -24.01
    assert row.after < row.worst - 0.5
    assert row.proven is None


def test_band_above_the_nyquist_frequency_has_no_gain():
    case = load_case("slew-lqr", (LAW, required("loop", 40.0, 50.0))).case
    problem = build(case)
    (metric,) = required_margins(case, problem.craft, problem.law, problem.blocks).values()
    assert metric.value is None
    assert "above the Nyquist frequency" in metric.reason
