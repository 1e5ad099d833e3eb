"""Laws and blocks of a case in other processes: runs, campaigns, replays, trust, bad input."""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.sim.hosts.process import example_law

LAW = f"""\
title = "a law in another process"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
attitude = [0.8, 0.4, -0.4, 0.2]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "process"
command = ["{sys.executable}", "law.py"]
folder = "programs"
sample_s = 0.1
torque_limit_N_m = 1.0
trust = true
[run]
duration_s = 20.0
integrator = "rk4"
step_s = 0.1
"""
GYRO = f"""
[[blocks]]
kind = "process"
name = "gyro"
command = ["{sys.executable}", "-S", "gyro.py"]
folder = "programs"
reads = "rate"
trust = true
"""
NOISY = """
import json, random, sys
for line in sys.stdin:
    told = json.loads(line)
    if "polhode" in told:
        draw = random.Random(1000 * told["seed"] + told["run"]).gauss
        print(json.dumps({k: told[k] for k in ("polhode", "reads", "writes", "sample_s")}), flush=True)
    elif "n" in told:
        print(json.dumps({"n": told["n"], "v": [y + draw(0.0, 1e-3) for y in told["y"]]}), flush=True)
"""


@pytest.fixture
def case(tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    shutil.copy(str(example_law.__file__), programs / "law.py")
    (programs / "gyro.py").write_text(NOISY)

    def make(text):
        path = tmp_path / "case.toml"
        path.write_text(text)
        return path

    return make


@pytest.mark.slow  # it draws the figures of a run
def test_law_flies_from_folder_of_its_case_and_again_from_its_run(case, polhode, tmp_path, monkeypatch):
    monkeypatch.chdir(Path("/"))
    found = polhode("run", str(case(LAW)), "--json", "--out", str(tmp_path / "out"))
    assert found.code == 0, found.err
    assert found.json["metrics"]["peak_torque_N_m"] == 1.0
    file = str(tmp_path / "out" / "run.nc")
    refused = polhode("run", file)
    assert refused.code == 2
    assert "write trust = true in its table" in refused.err
    assert np.array_equal(scenarios.load_run(file).t[:2], [0.0, 0.04])  # reading it starts nothing
    again = polhode("run", file, "--set", "controller.trust=true", "--json")
    assert again.code == 0, again.err
    assert again.json["final"] == found.json["final"]
    assert {each["difference"] for each in again.json["compared"]["quantities"].values()} == {0.0}
    assert "is a recorded run, repeated unchanged" in polhode("run", file, "--set", "run.duration_s=1").err


def test_process_without_trust_is_not_started(case, tmp_path):
    for text in (LAW, LAW + GYRO):
        which = text.rpartition("trust = true")
        with pytest.raises(
            InputError, match=r"the (law|block) '(law|gyro)' runs '.*py' in '.*' on this machine, with your"
        ):
            scenarios.run_case(case(which[0] + which[2]))


@pytest.mark.slow  # two workers compile shared kernels
def test_process_sensors_draw_by_run_for_any_worker_count(case):
    text = LAW.replace("duration_s = 20.0", "duration_s = 2.0\nseed = 3")
    scattered = '\n[dispersions]\n"initial.rate_rad_s" = { mean = [0, 0, 0], sigma = 1e-3 }\n[campaign]\nseed = 7\n'
    loaded = case(text + GYRO + scattered)
    alone = scenarios.run_case(loaded)
    assert alone.run.blocks[0].writes["rate"].unit == "rad/s"
    assert np.abs(alone.run.values("rate_for_law") - alone.run.values("rate")).max() > 1e-4
    one, two = (scenarios.run_campaign(loaded, runs=4, workers=n).campaign for n in (1, 2))
    assert set(one.status) == {"completed"}
    for name, column in one.metrics.items():
        assert np.array_equal(column, two.metrics[name], equal_nan=True)
    errors = one.metrics["final_attitude_error_deg"]
    assert len({*errors}) == 4


def test_process_inputs_exclude_unknown_signals(case, polhode):
    path = str(case(LAW))
    design = polhode("design", path, "--json")
    assert design.code == 0, design.err
    assert design.json["margins"] is None
    assert "has no margins" in polhode("analyse", path).err
    required = LAW + '[[require]]\nmetric = "phase_margin_deg"\nmin = 30.0\n'
    found = polhode("run", str(case(required)), "--json")
    assert found.code == 1
    assert "its loop has no margins" in found.err
    with_gyro = LAW.replace('kind = "process"\ncommand', 'kind = "rate-damping"\ngain_N_m_s = 20.0\n#')
    with_gyro = with_gyro.replace('folder = "programs"', "").replace("trust = true", "") + GYRO
    required = (
        with_gyro.replace("duration_s", "seed = 1\nduration_s") + '[[require]]\nmetric = "phase_margin_deg"\nmin = 3\n'
    )
    found = polhode("run", str(case(required)), "--json")
    assert "the dynamics of the block 'gyro' in its external process are unknown" in found.err


def test_program_that_fails_leaves_run_so_far(case, polhode, tmp_path):
    text = NOISY.replace('elif "n" in told:', 'elif told.get("n", 0) > 9:\n        sys.exit(4)\n    elif "n" in told:')
    path = case(LAW.replace("duration_s", "seed = 1\nduration_s") + GYRO)
    (tmp_path / "programs" / "gyro.py").write_text(text)
    found = polhode("run", str(path), "--json")
    assert found.code == 1
    assert "of the block 'gyro' ended with exit status 4, at t = 1 s" in found.err
    assert "Traceback" not in found.err
    assert found.json["status"] == "failed"
    assert found.json["t_end_s"] == pytest.approx(1.0)


def test_real_time_is_counted(case, polhode):
    found = polhode("run", str(case(LAW.replace("20.0", "2.0"))), "--json", "--real-time", "20")
    assert found.code == 0, found.err
    assert found.json["counters"]["real_time_answers"] == 20
    other = (
        '[[compare]]\nlabel = "other"\n[compare.controller]\nkind = "rate-damping"\ngain_N_m_s = 1.0\nsample_s = 0.1\n'
    )
    assert "remove [[compare]]" in polhode("run", str(case(LAW + other)), "--real-time", "1").err
    assert "this run has none" in polhode("run", "slew-lqr", "--real-time", "1").err


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('folder = "programs"', "port = 5000", "needs either command, which starts a program, or port"),
        ("command = [", 'command = "law" #', "must be a list of words, the program first, since no shell reads it"),
        ("trust = true", "trust = 1", "trust"),
        ("sample_s", 'reads = ["rat"]\nsample_s', "'rat' is unknown; did you mean 'rate'"),
        ('"law.py"', '"nobody.py"', "ended with exit status 2, at the start of the run; on stderr it wrote"),
        ('folder = "programs"', 'folder = "nowhere"', "cannot be started in .*nowhere: No such file"),
    ],
)
def test_bad_input_says_what_to_do(case, old, new, words):
    with pytest.raises(InputError, match=words):
        scenarios.run_case(case(LAW.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("unit = 'deg/s'", r"blocks\.0: unit = 'deg/s', but its output 'rate' is in 'rad/s'"),
        ("size = 2", r"blocks\.0: writes 2 numbers, but its output 'rate' has 3"),
        ("writes = 'own'\nsize = 2", "nothing behind it reads|which nothing"),
    ],
)
def test_signals_must_fit(case, more, words):
    with pytest.raises(InputError, match=words):
        scenarios.run_case(case(LAW + GYRO + more + "\n"))


@pytest.mark.parametrize("what", ["controller", "blocks.0"])
def test_pulsed_programs_have_no_torque_metrics_between_their_samples(case, what):
    path = case(LAW + GYRO.replace('reads = "rate"', 'reads = "command"') if what == "blocks.0" else LAW)
    told = ["run.seed=1", "run.output_s=1.0", f"{what}.pulsed=true"]
    metric = scenarios.run_case(path, overrides=told).metrics["external_impulse_N_m_s"]
    assert metric.value is None
    assert "set run.output_s = 0.1" in metric.reason
    undeclared = scenarios.run_case(path, overrides=told[:2]).metrics["external_impulse_N_m_s"].value
    assert undeclared is not None
