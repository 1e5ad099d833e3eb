"""`polhode design` with the analysis of the loop, its pictures and the verdicts on the requirements."""

import json
from pathlib import Path

import pytest

from polhode.scenarios import cases

PICTURES = ("bode", "nyquist", "nichols", "singular_values", "poles", "responses")
REQUIRE = """
[[require]]
metric = "{metric}"
{bound}
"""


@pytest.fixture
def case(polhode, tmp_path):
    """A copy of slew-lqr with requirements of its own."""
    text = (Path(cases.__file__).parent / "slew-lqr.toml").read_text(encoding="utf-8").split("[[require]]")[0]

    def write(**bounds):
        path = tmp_path / "case.toml"
        more = "".join(REQUIRE.format(metric=metric, bound=bound) for metric, bound in bounds.items())
        path.write_text(text.replace("duration_s = 300", "duration_s = 200") + more, encoding="utf-8")
        return str(path)

    return write


@pytest.mark.slow
def test_analysis_pictures_and_files(polhode, tmp_path):
    out = tmp_path / "out"
    done = polhode("design", "slew-lqr", "--json", "--out", str(out))
    assert done.code == 0, done.err
    found = done.json
    assert json.loads((out / "design.json").read_text(encoding="utf-8")) == found
    for name in PICTURES:
        assert (out / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
    disks = {at: found["disk_margins"][at]["simultaneous"]["alpha"] for at in ("input", "output", "both")}
    assert disks["both"] <= min(disks["input"], disks["output"])
    assert disks["input"] <= min(axis["disk"] for axis in found["margins"]["axes"]) * (1.0 + 1e-9)
    assert all(item["met"] for item in found["requirements"])
    assert found["requirements"]
    assert max(mode["time_constant_s"] for mode in found["modes"]) < 60.0


@pytest.mark.slow
def test_margins_can_be_required(polhode, case):
    path = case(
        gain_margin_dB="min = 6",
        phase_margin_deg="min = 30",
        disk_margin_inputs="min = 0.5",
        delay_margin_s="min = 0.1",
        sensitivity_peak_dB="max = 6",
    )
    designed = polhode("design", path, "--json")
    assert designed.code == 0, designed.err
    flown = polhode("run", path, "--json")
    assert flown.code == 0, flown.err
    assert flown.json["requirements"] == designed.json["requirements"]
    margins = designed.json["margins"]
    smallest = min(each["phase_deg"] for each in (*margins["axes"], margins["all_inputs"]))
    assert flown.json["metrics"]["phase_margin_deg"] == smallest


def test_required_delay_margin_is_that_of_all_inputs(polhode, tmp_path):
    """About a spin: one late input bears four times as long as the late computer that delays all."""
    path = tmp_path / "spin.toml"
    path.write_text(
        'title = "spin"\n[plant]\ninertia_kg_m2 = [100, 80, 60]\n[initial]\nrate_rad_s = [0, 0, 4]\n'
        "[reference]\nattitude = [1, 0, 0, 0]\nrate_rad_s = [0, 0, 4]\n"
        '[controller]\nkind = "lqr"\nsample_s = 0.05\n'
        "attitude_weight = 25\nrate_weight = 100\neffort_weight = 1\n[run]\nduration_s = 5\n"
        + REQUIRE.format(metric="delay_margin_s", bound="min = 0.5")
        + REQUIRE.format(metric="one_input_delay_margin_s", bound="min = 0.5")
        + REQUIRE.format(metric="one_input_phase_margin_deg", bound="min = 1")
        + REQUIRE.format(metric="one_input_gain_margin_dB", bound="min = 1"),
        encoding="utf-8",
    )
    done = polhode("run", str(path), "--json")
    assert done.code == 1, done.err
    all_late, one_late, *others = done.json["requirements"]
    assert all_late["value"] == pytest.approx(0.3775, abs=1e-3)  # see tests/sim/analysis/test_confirm_margins.py
    assert not all_late["met"]
    assert one_late["value"] > 1.6
    assert one_late["met"]
    assert all(other["met"] for other in others)


@pytest.mark.slow
def test_unmet_requirement_is_said_and_is_exit_code(polhode, case):
    path = case(phase_margin_deg="min = 80", settling_time_s="max = 1")
    for command in ("design", "run"):
        done = polhode(command, path)
        assert done.code == 1
        assert "phase_margin_deg is" in done.err
        assert "below its minimum of 80" in done.err
        assert "settling_time_s is" in done.err
        assert "NOT MET" in done.out


def test_margin_without_controller_is_not_met(polhode, tmp_path):
    path = tmp_path / "free.toml"
    path.write_text(
        'title = "free"\n[plant]\ninertia_kg_m2 = [3, 2, 1.5]\n[initial]\nrate_rad_s = [0.1, 0, 0]\n'
        "[run]\nduration_s = 1\n" + REQUIRE.format(metric="disk_margin_inputs", bound="min = 0.1"),
        encoding="utf-8",
    )
    done = polhode("run", str(path))
    assert done.code == 1
    assert "disk_margin_inputs has no value: the case has no [controller]" in done.err


def test_margins_required_of_a_law_without_any(polhode):
    wanted = ("--set", 'require=[{metric="gain_margin_dB",min=6}]')
    for command in ("design", "run"):
        done = polhode(command, "thruster-limit-cycle", *wanted)
        assert done.code == 1
        assert "gain_margin_dB has no value: on-off thrusters have no linear gain" in done.err


@pytest.mark.slow
def test_about_an_orbit(polhode):
    done = polhode("design", "nadir-pointing", "--json")
    assert done.code == 0, done.err
    assert done.json["disk_margins"]["input"]["simultaneous"]["alpha"] > 0.5
