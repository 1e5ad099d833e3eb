"""`[[blocks]]` of a case: every kind, in run, design, analysis, comparison, requirements and files; and bad input."""

import json
from typing import Any

import numpy as np
import pytest

from polhode import controllers, scenarios
from polhode.plant import InputError
from polhode.scenarios.case.kinds.design import design_model
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case_run import other_laws
from polhode.scenarios.commands.comparison import compare

HEAD = """
title = "t"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
attitude_deg = { sequence = "3-2-1", angles = [2.0, -1.0, 3.0] }
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "lqr"
attitude_weight = 25.0
rate_weight = 1.0
effort_weight = 1.0
sample_s = 0.1
[run]
duration_s = 5.0
integrator = "rk4"
step_s = 0.05
seed = 3
"""
LAG = '[[blocks]]\nkind = "lag"\nreads = "command"\ntime_constant_s = 0.3\n'
KINDS = {
    "delay": 'reads = "rate"\ndelay_s = 0.03',
    "direction-attitude": 'reads = "sun_cells"\naxis = [0.0, 0.0, 1.0]\nwrites = "sun_attitude"',
    "dropout": 'reads = "rate"\nprobability = 0.2',
    "lag": 'reads = "command"\ntime_constant_s = 0.3\nsample_s = 0.05',
    "low-pass": 'reads = "rate"\nfrequency_rad_s = 5.0\norder = 2',
    "noise": 'reads = "command"\nsigma = 1e-3',
    "pwpf": 'reads = "command"\ntorque_N_m = 1\ngain = 4.5\ntime_constant_s = 2\non = 0.5\noff = 0.2\nsample_s = 0.05',
    "quantisation": 'reads = "command"\nstep = 1e-3',
    "rate-limit": 'reads = "command"\nrate_per_s = 0.5',
    "state-space": 'reads = "rate"\nA = [[0.5, 0.0], [0.1, 0.2]]\nB = [0.5, 0.0]\nC = [1.0, 0.0]\nD = 0.0',
    "transfer-function": 'reads = "rate"\nnumerator = [1.0]\ndenominator = [0.2, 1.0]\noffset_s = 0.05',
}


AXIS = "direction-attitude"  # of a loop that does not control the rotation about the axis: see below
CELLS = """
[[sensors]]
kind = "sun-cells"
sun = [0.0, 0.0, 1.0]
normals = [[1, 0, 1], [-1, 0, 1], [0, 1, 1], [0, -1, 1]]
noise_percent = 1.0
"""


@pytest.fixture
def case(tmp_path) -> Any:
    def make(blocks, head=HEAD):
        path = tmp_path / "case.toml"
        path.write_text(head + blocks)
        return path

    return make


@pytest.mark.parametrize("kind", [pytest.param(k, marks=[pytest.mark.slow] * (k != "lag")) for k in KINDS if k != AXIS])
def test_every_kind_flies_and_counts_in_the_margins(case, kind):
    path = case(f'[[blocks]]\nkind = "{kind}"\n{KINDS[kind]}\n[[require]]\nmetric = "delay_margin_s"\nmin = 0.0\n')
    found = scenarios.run_case(path)
    (block,) = found.problem.blocks
    assert found.run.status == "completed"
    assert block.name == kind
    assert found.run.blocks == (block,)
    craft, law = found.problem.craft, found.problem.law
    model = design_model(found.loaded.case, craft)
    beside = controllers.analyse(law, model, blocks=[block]).margins
    delay_s = min(beside.delay_s, *(axis.delay_s for axis in beside.axes))
    assert found.metrics["delay_margin_s"].value == pytest.approx(delay_s, rel=1e-13)
    assert set(found.run.written) <= set(found.run.names)
    assert not any("margins of the loop are unknown" in words for words in found.run.warnings)


def test_direction_turns_axis_to_it(case):
    text = f'{CELLS}[[blocks]]\nkind = "{AXIS}"\n{KINDS[AXIS]}'.replace('"sun_attitude"', '"attitude"')
    found = scenarios.run_case(case(text), overrides=["run.duration_s=100"])
    e = found.run.values("attitude")[-1]
    assert np.degrees(np.arccos(1.0 - 2.0 * (e[1] ** 2 + e[2] ** 2))) < 0.5  # the noise of the cells
    assert abs(e[3]) > 0.01  # about the axis the attitude is unchanged
    bad = {
        "axis = [0.0, 0.0, 1.0]": ("axis = [0, 0, 0]", "axis must be a direction"),
        'reads = "sun_cells"': ('reads = "rate"', "reads must be the message of one direction sensor"),
        'writes = "attitude"': ("", "set the output signal"),
    }
    for old, (new, told) in bad.items():
        with pytest.raises(InputError, match=f"blocks.0.*{told}"):
            build(scenarios.load_case(case(text.replace(old, new))).case)


def test_kinds_are_all_here():
    from polhode.scenarios.case.kinds.blocks import KINDS as THEIRS

    assert {kind.name for kind in THEIRS} == {*KINDS, "fmu", "process"}  # these two: `test_fmus`, `test_processes`


def test_block_period_defaults_to_controller_and_signals_chain(case):
    text = (
        '[[blocks]]\nkind = "quantisation"\nname = "gyro"\nreads = ["rate", "momentum"]\nwrites = "both"\nstep = 1e-6\n'
        '[[blocks]]\nkind = "delay"\nname = "bus"\nreads = "both"\nwrites = "late"\n'
        '[[blocks]]\nkind = "quantisation"\nname = "spare"\nreads = "late"\nwrites = "momentum"\nstep = 1.0\n'
    )
    with pytest.raises(InputError, match=r"blocks\.2: .*reads 6 numbers, but its output 'momentum' has 3"):
        build(scenarios.load_case(case(text)).case)
    problem = build(scenarios.load_case(case(LAG)).case)
    assert problem.blocks[0].clock.period == 0.1


def test_compared_laws_fly_with_the_same_blocks(case):
    more = '[[compare]]\nlabel = "other"\n[compare.controller]\nkind = "quaternion-feedback"\n'
    more += "frequency_rad_s = 0.2\ndamping_ratio = 0.7\nsample_s = 0.1\n"
    loaded = scenarios.load_case(case(LAG + more))
    (_, problem) = other_laws(loaded, build(loaded.case))["other"]
    assert [block.name for block in problem.blocks] == ["lag"]
    entries = compare(loaded.case, ["lqr", "quaternion-feedback"], name="t")
    alone = compare(scenarios.load_case(case("")).case, ["lqr"], name="t")
    assert all(entry.run is not None and entry.run.blocks for entry in entries)
    assert entries[0].margins is not None
    assert alone[0].margins is not None
    assert entries[0].margins["all_inputs"]["phase_deg"] < alone[0].margins["all_inputs"]["phase_deg"] - 1.0


@pytest.mark.slow
def test_design_shows_the_margins_of_what_flies(case, polhode, tmp_path):
    found = polhode("design", str(case(LAG)), "--json")
    assert found.code == 0, found.err
    summary = json.loads(found.out)
    alone = json.loads(polhode("design", str(case("")), "--json").out)
    assert summary["gains"] == alone["gains"]
    assert summary["margins"]["all_inputs"]["phase_deg"] < alone["margins"]["all_inputs"]["phase_deg"] - 1.0
    slower = polhode("design", str(case(LAG + "sample_s = 0.25\n")), "--out", str(tmp_path / "out"))
    assert "have a common sample only after 5 samples of the law" in " ".join(slower.out.split())


@pytest.mark.slow
def test_margins_behind_slower_block_match_monodromy(case):
    text = (
        LAG
        + "sample_s = 0.25\n"
        + "".join(f'[[require]]\nmetric = "{name}"\nmin = 0.0\n' for name in ("phase_margin_deg", "gain_margin_dB"))
    )
    found = scenarios.run_case(case(text))
    law: Any = found.problem.law
    gains = np.abs(law.compensator.D)  # N m per rad and per rad/s of each axis
    assert np.abs(gains - np.hstack((np.diag(np.diag(gains[:, :3])), np.diag(np.diag(gains[:, 3:]))))).max() < 1e-9
    axes = list(zip((400.0, 307.8, 200.0), np.diag(gains[:, :3]), np.diag(gains[:, 3:]), strict=True))

    def radius(factor):
        return max(np.abs(np.linalg.eigvals(half_second(*axis, factor))).max() for axis in axes)

    assert radius(1.0) < 1.0
    phase = first_crossing(lambda deg: radius(np.exp(1j * np.radians(deg))), np.linspace(0.0, 180.0, 361))
    assert found.metrics["phase_margin_deg"].value == pytest.approx(phase, abs=1e-6)
    gain = first_crossing(lambda dB: radius(10.0 ** (dB / 20.0)), np.linspace(0.0, 60.0, 241))
    # no smaller decrease destabilises: the poles of a double integrator under weak feedback stay inside
    assert max(radius(10.0 ** (-dB / 20.0)) for dB in np.linspace(0.0, gain, 50)) < 1.0
    assert found.metrics["gain_margin_dB"].value == pytest.approx(gain, abs=1e-6)
    assert [verdict.met for verdict in found.requirements] == [True, True]


def half_second(inertia, spring, damper, factor) -> Any:
    """Monodromy of one axis over 0.5 s: law every 0.1 s, lag of 0.3 s every 0.25 s, and `factor` on the command.

    State: angle (rad), rate (rad/s), command of the law (N m), torque of the lag held until its next sample (N m),
    and the torque that it holds after that.
    """
    state = np.eye(5, dtype=complex)
    share = np.exp(-0.25 / 0.3)
    for tick in range(10):  # of 0.05 s; law and lag are sampled together at the first
        if tick % 2 == 0:
            state[2] = -factor * (spring * state[0] + damper * state[1])
        if tick % 5 == 0:
            state[3] = state[4]
            state[4] = share * state[3] + (1.0 - share) * state[2]
        acceleration = state[3] / inertia
        state[0] = state[0] + 0.05 * state[1] + 0.5 * 0.05**2 * acceleration
        state[1] = state[1] + 0.05 * acceleration
    return state


def first_crossing(radius, sizes) -> float:
    """The first factor at which the spectral radius exceeds 1, by bisection between neighbours."""
    high = next(n for n, size in enumerate(sizes) if radius(size) > 1.0 + 1e-9)
    low, high = sizes[high - 1], sizes[high]
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if radius(middle) > 1.0 else (middle, high)
    return low


def test_samples_hold_what_blocks_write(case, polhode):
    found = polhode("run", str(case(LAG)), "--json", "--at", "1.0")
    signals = json.loads(found.out)["samples"][0]["signals"]
    assert set(signals) == {"command_of_law", "command_after_lag"}
    assert np.shape(signals["command_of_law"]) == (3,)


@pytest.mark.slow
def test_run_in_file_finds_its_blocks_again(case, polhode, tmp_path):
    polhode("run", str(case(LAG)), "--out", str(tmp_path / "out"))
    run = scenarios.load_run(tmp_path / "out" / "run.nc")
    assert [block.name for block in run.blocks] == ["lag"]
    assert (tmp_path / "out" / "command_after_lag.png").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LAG.replace('"command"', '"comand"'), r"blocks\.0: signal 'comand' is unknown; did you mean 'command'"),
        ('[[blocks]]\nkind = "lagg"\nreads = "command"\n', "lagg"),
        ('[[blocks]]\nkind = "lag"\nreads = "command"\n', r"blocks\.0.*time_constant_s"),
        ('[[blocks]]\nkind = "delay"\nreads = "rate"\nwrites = "gyro"\n', "writes 'gyro', which nothing be"),
        ('[[blocks]]\nkind = "delay"\nreads = "command"\nwrites = "rate"\n', "writes 'rate' behind the law"),
        ('[[blocks]]\nkind = "delay"\nreads = ["rate", "momentum"]\n', "set its output signal in writes"),
        ('[[blocks]]\nkind = "delay"\nreads = []\n', "must be the name of a signal, or a list of names"),
        (LAG + "sample_s = 0.0314159265358979\n", "no tick of 1e-9 s or longer in common"),
        (LAG + LAG, "two of them are called 'lag'; use different names"),
        ('[[blocks]]\nkind = "low-pass"\nreads = "attitude"\nfrequency_rad_s = 1.0\n', "Euler parameters"),
        ('[[blocks]]\nkind = "low-pass"\nreads = "rate"\nfrequency_rad_s = 1.0\ndamping_ratio = 0.5\n', "is for order"),
        ('[[blocks]]\nkind = "dropout"\nreads = "rate"\n', "needs either probability or times; give exactly one"),
        ('[[blocks]]\nkind = "state-space"\nreads = "rate"\nA = [1.0]\nB = [1.0]\nC = [1.0]\n', "list of lists"),
    ],
)  # fmt: skip
def test_bad_input_says_what_to_do(case, text, words):
    with pytest.raises(InputError, match=words):
        scenarios.run_case(case(text))


def test_random_numbers_want_a_seed_and_blocks_a_controller(case):
    text = f'[[blocks]]\nkind = "dropout"\n{KINDS["dropout"]}\n'
    with pytest.raises(InputError, match=r"'dropout' draw random numbers; give run\.seed"):
        scenarios.run_case(case(text, HEAD.replace("seed = 3\n", "")))
    free = HEAD[: HEAD.index("[controller]")] + HEAD[HEAD.index("[run]") :]
    with pytest.raises(InputError, match=r"blocks: need a \[controller\]; add one"):
        scenarios.run_case(case(LAG, free))
