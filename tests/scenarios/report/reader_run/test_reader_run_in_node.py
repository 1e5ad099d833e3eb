"""Runs of the reader in Node against `polhode run --set`: states, metrics and verdicts."""

import base64
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from polhode.scenarios.case_run import run_case
from polhode.scenarios.report.reader_run import plugin
from polhode.sim.codegen.browser.module_build import MODULE
from polhode.sim.codegen.browser.script import engine_script
from tests.sim.codegen.browser.in_node import require_node

SCRIPT = Path(__file__).with_name("run_reader.mjs")

FAST = {
    "slew-quaternion-feedback": [
        {"controller.frequency_rad_s": 0.05179}, {"controller.torque_limit_N_m": 0.3137},
        {"initial.rate_deg_s.0": 0.21, "initial.rate_deg_s.2": -0.4, "controller.torque_limit_N_m": 2.0},
        {"run.duration_s": 201.9},
    ],
}  # fmt: skip
SLOW = {
    "slew-lqr": [
        {"controller.attitude_weight": 6.707}, {"controller.rate_weight": 3.728}, {"plant.inertia_kg_m2.1.1": 252.5},
        {"controller.delay_s": 0.1, "initial.rate_deg_s.1": 0.1}, {"initial.attitude_deg.angles.0": -100.0},
    ],
    "torque-free": [{"plant.inertia_kg_m2.1": 282.9}],
    "thrusters-and-wheels": [{"run.duration_s": 300.0}],
}  # fmt: skip
CASES = [*FAST.items(), *(pytest.param(*each, marks=pytest.mark.slow) for each in SLOW.items())]


def reader(tmp_path, data, settings):
    node, module = require_node()
    (tmp_path / MODULE).write_bytes(module)
    parts = [engine_script(), *((plugin._FOLDER / name).read_text("utf-8") for name in ("metrics.js", "panel.js"))]
    (tmp_path / "reader_run.mjs").write_text("\n".join(parts), encoding="utf-8")
    (tmp_path / "task.json").write_text(json.dumps({"data": data, "settings": settings}), encoding="utf-8")
    done = subprocess.run([node, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))


def parted(option):
    """Return key and value of "--set key=value"."""
    return option.removeprefix("--set ").split("=")


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_slider_repeats_run_with_set(tmp_path, name, settings):
    require_node()
    case = run_case(name)
    data = plugin.reader_run(case)
    values = {each["path"]: each["values"] for each in data["sliders"]}
    smooth = {each["path"] for each in data["sliders"] if "patches" not in each}
    near = [
        {
            path: value if path in smooth else min(values[path], key=lambda each: abs(each - value))
            for path, value in each.items()
        }
        for each in settings
    ]
    runs = reader(tmp_path, data, [{}, *near])
    for setting, found in zip([{}, *near], runs, strict=True):
        overrides = [f"{path}={value}" for path, value in setting.items()]
        assert {key: float(value) for key, value in map(parted, found["settings"])} == setting
        expected = run_case(name, overrides=overrides)
        states = np.frombuffer(base64.b64decode(found["states"])).reshape(-1, found["width"])
        scale = np.abs(expected.run.states).max(axis=0)
        assert states.shape == expected.run.states.shape
        assert np.abs(states - expected.run.states).max() <= 1e-12 * scale.max()
        if not any(path.startswith("initial.rate") for path in setting):
            assert np.array_equal(states, expected.run.states)
        assert found["metrics"]
        for metric, value in found["metrics"].items():
            wanted = expected.metrics[metric]
            assert wanted.applies
            if wanted.value is None:
                assert value is None
            else:
                assert value == pytest.approx(wanted.value, rel=1e-12, abs=1e-12), metric
        for own, verdict in zip(found["verdicts"], expected.requirements, strict=True):
            assert own is None or own["met"] == verdict.met
        assert found["series"] == ["rate.x", *(["attitude_error"] if "attitude_error" in expected.run.names else [])]


def test_case_that_a_page_cannot_run_says_why(tmp_path):
    case = tmp_path / "exact.toml"
    case.write_text(
        "title='t'\n[plant]\ninertia_kg_m2=[3.0,2.0,1.0]\n[initial]\nrate_rad_s=[0,0.1,1.0]\n"
        "[run]\nduration_s=1.0\naccuracy_deg=1e-6\n",
        encoding="utf-8",
    )
    made = plugin.reader_run_plugin(run_case(case))
    assert made.note.startswith("The page is complete but not interactive: ")
    assert "accuracy_deg" in made.note
    assert not made.scripts
    assert not made.wasm
