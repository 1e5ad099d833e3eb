# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOperatorIssue=false
# (results that are None fail the test by themselves)
"""`kind = "gain-schedule"`: every point is the single design there; margins of every spin and every fill; faults."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode import controllers
from polhode.plant.errors import DesignError, InputError
from polhode.scenarios.case.campaigns.worst_craft import find_worst
from polhode.scenarios.case.files_read import digests_of
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import run_case, run_problem
from polhode.scenarios.commands.invoke import invoke

LQR = '{ kind = "lqr", attitude_weight = 4.0, rate_weight = 1.0, effort_weight = 1.0 }'
ERRORS = [f"{each}_{axis}" for each in ("attitude_error", "rate") for axis in "xyz"]
SPUN = f"""
title = "a law for every spin"

[plant]
inertia_kg_m2 = [4.0, 5.0, 6.0]

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
rate_rad_s = [0.0, 0.0, 0.2]

[controller]
kind = "gain-schedule"
sample_s = 0.1
delay_s = 0.05
torque_limit_N_m = 1.0
variable = "rate"
law = {LQR}
points = [
  {{ value = 0.1, set = {{ "reference.rate_rad_s" = [0, 0, 0.1] }} }},
  {{ value = 0.3, set = {{ "reference.rate_rad_s" = [0, 0, 0.3] }}, law = {{ attitude_weight = 9.0 }} }},
]

[run]
duration_s = 5.0
"""
FILLED = f"""
title = "a law for every fill"

[plant]
inertia_kg_m2 = [4.0, 5.0, 6.0]

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "gain-schedule"
sample_s = 0.1
variable = "parameter"
parameter = [[0.0, 40.0], [1000.0, 0.0]]
law = {LQR}
points = [
  {{ value = 0.0, set = {{ "plant.inertia_kg_m2" = [3.0, 4.0, 6.0] }} }},
  {{ value = 40.0, set = {{ "plant.inertia_kg_m2" = [5.0, 6.0, 6.0] }} }},
]

[initial]
rate_rad_s = [0.01, 0.0, 0.0]

[run]
duration_s = 5.0
"""


@pytest.fixture
def spun(tmp_path):
    path = tmp_path / "spun.toml"
    path.write_text(SPUN, encoding="utf-8")
    return path


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "filled.toml"
    path.write_text(FILLED, encoding="utf-8")
    return path


def law(path, *overrides) -> Any:
    return build(load_case(path, overrides).case).law


@pytest.mark.parametrize(("point", "weight"), [(0, 4.0), (1, 9.0)])
def test_law_at_point_is_the_single_design_there(spun, point, weight):
    schedule = law(spun)
    spin = (0.1, 0.3)[point]
    single = law(
        spun,
        "controller={kind='lqr', sample_s=0.1, delay_s=0.05, torque_limit_N_m=1.0, attitude_weight="
        f"{weight}, rate_weight=1.0, effort_weight=1.0}}",
        f"reference.rate_rad_s=[0, 0, {spin}]",
    )
    assert schedule.values[point] == spin
    np.testing.assert_array_equal(schedule.laws[point].parameters, single.parameters)


def test_points_of_a_parameter_are_designed_for_its_plant(filled):
    schedule = law(filled)
    single = law(
        filled,
        "controller={kind='lqr', sample_s=0.1, attitude_weight=4.0, rate_weight=1.0, effort_weight=1.0}",
        "plant.inertia_kg_m2=[5.0, 6.0, 6.0]",
    )
    np.testing.assert_array_equal(schedule.laws[1].parameters, single.parameters)
    np.testing.assert_array_equal(schedule.parameter, [[0.0, 40.0], [1000.0, 0.0]])


@pytest.mark.slow
def test_margin_of_every_spin_between_points_has_a_bound(spun):
    over = "dispersions={'reference.rate_rad_s.2' = {distribution = 'uniform', half_width = 0.1}}"
    found = find_worst(spun, "disk_margin_inputs", starts=2, overrides=[over])
    dense = [find_margin(spun, spin) for spin in np.linspace(0.1, 0.3, 5)]
    assert 0.95 * min(dense) < found.proven <= min(dense)


def find_margin(path, spin):
    from polhode.controllers import loop_margin
    from polhode.scenarios.case.kinds.design import design_model

    case = load_case(path, [f"reference.rate_rad_s=[0, 0, {spin}]"]).case
    problem = build(case)
    return loop_margin(problem.law.loop(design_model(case, problem.craft)), "disk_margin_inputs")


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("controller.points=[]", "2 points or more; got 0"),
        ("controller.points.1.value=0.1", "must ascend; got 0.1 after 0.1"),
        ("controller.law={attitude_weight=1}", "points.0.law: needs the kind of a law"),
        ("controller.law.kind=lqrr", "points.0.law: .*did you mean 'lqr'"),
        ("controller.law.kind=gain-schedule", "needs the kind of a law"),
        (
            "controller.law.attitude_wieght=1.0",
            r"points.0.law: attitude_wieght: unknown key; did you mean attitude_weight",
        ),
        ("controller.law.attitude_weight=-1.0", r"points.0.*attitude weight must not be negative"),
        ("controller.law.sample_s=0.2", "points.0.law.sample_s: belongs to the schedule"),
        ("controller.variable=parameter", "parameter: is missing"),
        ("controller.parameter=2.0", "parameter: a schedule over rate computes its variable"),
        ("controller.points.0.set={'reference.rate_rad' = 1.0}", r"points.0: set: there is no key reference.rate_rad"),
        (
            "controller.points.0.set={'plant.inertia_kg_m2' = 1.0}",
            r"points.0: set: plant.inertia_kg_m2: must be 3 numbers",
        ),
        ("controller.points.0.set={'run.duration_s' = 1.0}", r"points.0: .*first word of a key in set"),
        ("controller.points.0.set={'plant.elements.0.inertia_kg_m2' = 1.0}", r"points.0: set: .* there are 0 entries"),
        (
            "controller.points.0.law={kind='pid', frequency_rad_s=0.5, damping_ratio=0.7}",
            "points.0.law: attitude_weight: unknown key",
        ),
        (
            "controller.points.0.law={filters=[{kind='roll-off', frequency_rad_s=5.0}]}",
            "differs from the first law in kind, number of states",
        ),
    ],
)
def test_faulty_schedule_is_refused_by_one_sentence(spun, override, message):
    with pytest.raises(InputError, match=message) as caught:
        law(spun, override)
    assert len([line for line in str(caught.value).splitlines() if line.strip()]) <= 2


def test_files_of_points_are_relative_to_the_case(tmp_path, monkeypatch):
    """A system from a file: found in the folder of the case and named in its digests, wherever the command runs."""
    for name, gain in (("slow", 0.5), ("fast", 2.0)):
        matrix = np.hstack((gain * np.eye(3), gain * np.eye(3))).tolist()
        content = json.dumps({"D": matrix, "dt": 0.1, "feedback": "negative", "inputs": ERRORS})
        (tmp_path / f"{name}.json").write_text(content, encoding="utf-8")
    text = SPUN.replace(LQR, '{ kind = "control-system", file = "slow.json" }')
    text = text.replace("law = { attitude_weight = 9.0 }", 'law = { file = "fast.json" }')
    path = tmp_path / "files.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.chdir("/")
    loaded = load_case(path)
    slow, fast = build(loaded.case).law.laws
    np.testing.assert_array_equal(fast.compensator.D, 4.0 * slow.compensator.D)
    assert {Path(each).name for each in digests_of(loaded.case)} == {"slow.json", "fast.json"}


def test_points_read_law_files_that_are_for_their_plants(spun, tmp_path):
    """Laws saved at each point give the parameters of the schedule that designs them, and carry their own timing."""
    designed = law(spun)
    for n, point in enumerate(designed.laws):
        controllers.save_law(point, tmp_path / f"{n}.toml")
    text = SPUN.replace(LQR, '{ kind = "file", file = "0.toml" }')
    path = tmp_path / "read.toml"
    path.write_text(text.replace("law = { attitude_weight = 9.0 }", 'law = { file = "1.toml" }'), encoding="utf-8")
    np.testing.assert_array_equal(law(path).parameters[1:], designed.parameters[1:])
    with pytest.raises(InputError, match=r"point 0.1 of the schedule has a delay of 0.05 s, but delay_s .* is 0.04"):
        law(path, "controller.delay_s=0.04")
    with pytest.raises(InputError, match=r"points.0.* is 1.8 there and 0.6 here"):  # 6 kg m^2 at 0.3 and 0.1 rad/s
        law(path, "controller.law.file='1.toml'", "controller.points.1.law.file='0.toml'")
    with pytest.raises(InputError, match=r"cannot be saved as one law, .* save each of schedule.laws"):
        controllers.save_law(designed, tmp_path / "schedule.toml", model=designed.laws[0].model)


def test_points_share_the_files_of_their_tables(spun):
    over = "controller.points.0.set={'orbit.ephemeris' = 'other.oem'}"
    with pytest.raises(InputError, match=r"set: orbit.ephemeris names a file, which is the same at every point"):
        law(spun, over, "orbit={ephemeris='one.oem', epoch='2026-01-01T00:00:00Z'}")


WHEELED = """
[plant]
inertia_kg_m2 = [4.0, 5.0, 6.0]

[[plant.elements]]
kind = "wheel-array"
axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
inertia_kg_m2 = 0.02
relative_rates_rad_s = [0.0, 0.0, 400.0]

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "gain-schedule"
sample_s = 0.1
variable = "momentum"
law = { kind = "lqr", attitude_weight = 4.0, rate_weight = 1.0, effort_weight = 1.0 }
points = [{ value = 5.0 }, { value = 15.0, law = { attitude_weight = 9.0 } }]

[[sensors]]
kind = "gyro"
sample_s = 0.1
angle_random_walk_deg_sqrt_h = 10.0

[run]
duration_s = 1.0
seed = 1
"""


def test_momentum_of_wheels_is_scheduled_without_the_noise_of_the_gyro(tmp_path):
    """At every sample pi - J omega of what the law reads is the momentum of the wheels, far above zero."""
    path = tmp_path / "wheeled.toml"
    path.write_text(WHEELED, encoding="utf-8")
    problem = build(load_case(path).case)
    assert {"momentum carried", "momentum of rate"} <= {block.name for block in problem.blocks}
    run = run_problem(problem)
    read = run.values("momentum_for_law") - run.values("rate_for_law") @ problem.law.laws[0].design_condition.inertia
    wheels = run.values("momentum") - run.values("rate") @ problem.craft.locked_inertia(problem.state)
    noise = np.abs(run.values("rate_for_law") - run.values("rate")).max()
    assert noise > 1e-4
    at = [int(np.argmin(np.abs(run.t - 0.1 * n))) for n in range(10)]  # the law has no sample at the end
    np.testing.assert_allclose(read[at], wheels[at], atol=1e-9)


@pytest.mark.usefixtures("unrendered")
def test_design_says_that_its_linear_form_is_of_one_operating_point(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(SPUN, encoding="utf-8")
    assert invoke(["design", str(path), "--out", str(tmp_path / "out"), "--json"]) == 0
    summary = json.loads((tmp_path / "out" / "design.json").read_text("utf-8"))
    assert any("law.mat is the linear form of the gain schedule" in words for words in summary["warnings"])


CHANGING = """
[plant]
inertia_kg_m2 = [4.0, 5.0, 6.0]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "gain-schedule"
sample_s = 0.5
variable = "parameter"
parameter = [[0.0, 0.0], [4.0, 1.0], [8.0, 5.0]]
law = { kind = "quaternion-feedback", damping_ratio = 0.7 }
points = [{ value = 0.0, law = { frequency_rad_s = 0.1 } }, { value = 1.0, law = { frequency_rad_s = 0.9 } }]
[run]
duration_s = 4.0
[[require]]
metric = "disk_margin_inputs"
min = 0.75
"""


def test_required_margin_is_the_worst_while_the_parameter_changes(tmp_path):
    """Halfway to the second value held, gains w^2 and 2 z w are those of z = 0.458, below both points."""
    path = tmp_path / "case.toml"
    path.write_text(CHANGING, encoding="utf-8")
    found = run_case(path).metrics["disk_margin_inputs"].value
    margins = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        stiffness = (1.0 - share) * 0.1**2 + share * 0.9**2
        damping = ((1.0 - share) * 0.1 + share * 0.9) * 2.0 * 0.7
        w = float(np.sqrt(stiffness))
        plain = (
            f"{{kind='quaternion-feedback', sample_s=0.5, frequency_rad_s={w}, damping_ratio={damping / (2.0 * w)}}}"
        )
        margins.append(run_case(path, overrides=[f"controller={plain}"]).metrics["disk_margin_inputs"].value)
    assert found == pytest.approx(min(margins), rel=1e-9)
    assert found < 0.75 < min(margins[0], margins[-1])
    problem = build(load_case(path).case)
    model = problem.craft.linearize(problem.craft.at_rest())
    with pytest.raises(DesignError, match="changes from 0 to 5 with time, so it has no one linear loop"):
        problem.law.loop(model)
