"""Campaigns of implicit runs, whole and resumed, against single runs: wings under gravity gradient, halved steps."""

from pathlib import Path

import numpy as np
import pytest

from polhode.scenarios.case.campaigns.case_campaign import JOURNAL, case_of_run, run_campaign
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case_run import fly, measure_as

PLACE = "position_m = [20.0, 1.0, 3.0]\nvelocity_m_s = [0.0, 16.0, 0.0]\n"
HEAD = """title = "implicit"
[plant]
inertia_kg_m2 = [14.0, 11.0, 9.0]
mass_kg = 60.0
"""
FIELD = '[[plant.potentials]]\nkind = "gravity-gradient"\nmu_m3_s2 = 5e3\n'
INITIAL = "[initial]\nrate_rad_s = [0.02, 0.1, -0.03]\n"
END = """
[run]
duration_s = 1.0
integrator = "gauss4"
step_s = 0.1
output_s = 0.05
[dispersions]
"plant.mass_kg" = { relative_sigma = 0.05 }
"initial.rate_rad_s.1" = { sigma = 0.05 }
[campaign]
seed = 3
"""
WING = """[[plant.elements]]
kind = "flexible-arm"
root_m = [SIGN0.4, 0.0, 0.1]
direction = [SIGN1.0, 0.0, 0.0]
section_axis = [0.0, 1.0, 1.0]
length_m = 3.0
elements = 2
section = { area_m2 = 0.05, second_moment_m_m4 = 1.04e-5, second_moment_n_m4 = 4.17e-3 }
youngs_modulus_Pa = 2e7
shear_modulus_Pa = 7e6
density_kg_m3 = 40.0
damping_time_s = 1e-3
"""
WINGS = WING.replace("SIGN", "") + WING.replace("SIGN", "-")
WHEEL = """[[plant.elements]]
kind = "wheel"
axis = [0.0, 0.0, 1.0]
inertia_kg_m2 = 0.06
relative_rate_rad_s = 5.0
coulomb_N_m = 500.0
"""
CASES = {
    "wings, orbit prescribed": HEAD + FIELD + PLACE + WINGS + INITIAL + END,
    "wings, orbit integrated": HEAD + "translation = true\n" + FIELD + WINGS + INITIAL + PLACE + END,
    "wheel that sticks": HEAD + WHEEL + INITIAL + END,
}


@pytest.fixture(params=CASES)
def path(request, tmp_path: Path) -> Path:
    found = tmp_path / "case.toml"
    found.write_text(CASES[request.param])
    return found


@pytest.mark.slow
def test_campaign_measures_what_single_runs_do_also_resumed(path, tmp_path):
    whole = run_campaign(path, runs=6, workers=2, out=tmp_path / "whole").campaign
    assert set(whole.status) == {"completed"}
    name = "peak_rate_deg_s"
    for n, number in enumerate(whole.run.tolist()):
        loaded, _ = case_of_run(tmp_path / "whole", number)
        run = fly(build(loaded.case), name="one")
        assert measure_as(loaded.case, run)[name].value == whole.metrics[name][n]
        if "coulomb" in path.read_text():
            assert run.counters["rejected_steps"] > 0
    (tmp_path / "half").mkdir()
    head, line, rest = (tmp_path / "whole" / JOURNAL).read_bytes().partition(b"\n")
    (tmp_path / "half" / JOURNAL).write_bytes(head + line + rest[: len(rest) // 2])  # cut off within a run
    resumed = run_campaign(path, runs=6, workers=1, out=tmp_path / "half").campaign
    for each in whole.metrics:
        np.testing.assert_array_equal(resumed.metrics[each], whole.metrics[each])


@pytest.mark.slow
def test_stored_run_flown_again_is_the_same(path, tmp_path, polhode):
    assert polhode("run", str(path), "--out", str(tmp_path / "one")).code == 0
    again = polhode("run", str(tmp_path / "one" / "run.nc"), "--json")
    assert again.code == 0
    assert again.json["compared"]["rows"] == 21
    assert {each["difference"] for each in again.json["compared"]["quantities"].values()} == {0.0}
