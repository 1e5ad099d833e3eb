# pyright: reportOptionalOperand=false, reportOptionalMemberAccess=false, reportAttributeAccessIssue=false
# (results that are None fail the test by themselves)
"""Case `keep-out-slew`, its plan, and slews in least time on wheels in the engine."""

import json
import sys

import numpy as np
import pytest

from polhode import controllers
from polhode.plant.attitude import rotation_matrix
from polhode.plant.errors import InputError
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import case_path, load_case
from polhode.scenarios.case_run import run_case
from polhode.scenarios.pictures import draw_cone_path

from .conftest import Command

SUN = np.array((0.8, 0.1, 0.6)) / np.linalg.norm((0.8, 0.1, 0.6))

ON_WHEELS = """
title = "Slew on wheels with momentum"
[plant]
inertia_kg_m2 = [60.0, 50.0, 40.0]
[[plant.elements]]
kind = "wheel-array"
axes = [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]
inertia_kg_m2 = 0.02
torque_limit_N_m = 0.1
relative_rates_rad_s = [150.0, 50.0, 20.0, -30.0]
[initial]
attitude_deg = { sequence = "3-2-1", angles = [40.0, 10.0, -20.0] }
[reference]
kind = "time-optimal-slew"
attitude = [1.0, 0.0, 0.0, 0.0]
starts = 2
intervals = 30
[reference.wheels]
torque_limit_N_m = 0.09
momentum_capacity_N_m_s = 3.3
[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.3
damping_ratio = 1.0
sample_s = 0.05
[run]
duration_s = 60.0
step_s = 0.05
output_s = 0.05
"""


@pytest.fixture
def without_casadi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "casadi", None)


def sun_angles(attitude):
    """Angles from the star tracker to the Sun, deg."""
    return np.degrees(np.arccos(rotation_matrix(attitude)[:, :, 2] @ SUN))


def table_of(text):
    """Return the lines of a plan without its report, whose integration rounds differently on different machines."""
    return [line for line in text.splitlines() if not line.startswith("# ") or " = " in line]


@pytest.mark.usefixtures("without_casadi")
def test_keep_out_slew_case_passes_the_sun_without_casadi() -> None:
    outcome = run_case("keep-out-slew")
    run = outcome.run
    assert 30.0 - 0.006 < sun_angles(run.values("attitude")).min() < 30.1
    slew = build(load_case("keep-out-slew").case).reference
    assert isinstance(slew, controllers.KeepOutSlew)
    eigenaxis = controllers.EigenaxisSlew(slew.plan.attitude[0], slew.plan.attitude[-1], acceleration_limit=1.0)
    turn = [eigenaxis.at(t)[:4] for t in np.linspace(0.0, eigenaxis.duration, 200)]
    assert sun_angles(turn).min() < 20.0  # the eigenaxis slew passes through the Sun
    assert np.isnan(slew.plan.eigenaxis)
    assert outcome.metrics["keep_out_violation_s"].value == 0.0
    assert outcome.metrics["keep_in_violation_s"].value == 0.0
    assert outcome.metrics["peak_rate_deg_s"].value < 4.02


@pytest.mark.usefixtures("without_casadi")
def test_changed_case_does_not_use_the_plan_of_another() -> None:
    loaded = load_case("keep-out-slew", ["reference.torque_limit_N_m=0.7"])
    with pytest.raises(InputError, match=r"reference: .*keep-out-slew.csv is the plan of other inputs; plan again"):
        build(loaded.case)
    kept = "reference.inertia_kg_m2=[[400.0,12.0,-8.0],[12.0,307.8,15.0],[-8.0,15.0,200.0]]"
    dispersed = load_case("keep-out-slew", [kept, "plant.inertia_kg_m2=[410.0,300.0,210.0]"])
    assert build(dispersed.case).reference.duration == pytest.approx(52.2954, abs=1e-3)


@pytest.mark.usefixtures("without_casadi")
def test_plan_command_reports_and_writes(polhode: Command, tmp_path) -> None:
    path = tmp_path / "plan.csv"
    told = polhode("plan", "keep-out-slew", "--out", str(path))
    assert told.code == 0
    assert "star tracker to the Sun: least clearance 0.0" in told.out
    shipped = case_path("keep-out-slew").with_suffix(".csv").read_text(encoding="utf-8")
    assert table_of(path.read_text(encoding="utf-8")) == table_of(shipped)
    summary = json.loads(polhode("plan", "keep-out-slew", "--json", "--out", str(path)).out)
    assert summary["duration_s"] == pytest.approx(52.2954, abs=1e-3)
    assert summary["torque_use"] <= 1.001
    assert summary["kkt_residual"] < 1e-6
    refused = polhode("plan", "guided-slew")
    assert refused.code == 2
    assert 'polhode plan needs a [reference] of kind "time-optimal-slew" or "keep-out-slew"' in refused.err


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("reference.cones.0.half_angle_deg=190", "half-angle of a cone must be between 0 and 180 deg; got 190 deg"),
        (
            "reference.cones.0.half_angle_deg=60",
            "slew start is .* deg inside the keep-out cone of star tracker to the Sun",
        ),
        ("reference.cones=[]", "needs at least one cone"),
        ("reference.torque_limit_N_m=0", "torque_limit_N_m must be greater than 0 N m; got 0"),
        ("reference.pointing_axis=[0,0,1]", "give pointing_axis and pointing_direction together"),
        ("reference.wheels={torque_limit_N_m=0.1}", "needs torque_limit_N_m, or else wheels"),
    ],
)
def test_keep_out_slew_case_rejects_bad_keys(override: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        build(load_case("keep-out-slew", [override]).case)


@pytest.mark.slow
def test_wheels_of_the_engine_keep_the_momentum_capacity_of_the_plan(tmp_path) -> None:
    """The engine drives each wheel by its own motor: momentum, including opposite wheel momenta, and torque."""
    pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
    path = tmp_path / "on-wheels.toml"
    path.write_text(ON_WHEELS, encoding="utf-8")
    outcome = run_case(str(path))
    slew, run = build(load_case(str(path)).case).reference, outcome.run
    assert isinstance(slew, controllers.TimeOptimalSlew)
    assert slew.plan.check.momentum == pytest.approx(1.0, abs=1e-3)
    momentum = np.abs(run.values("internal_momentum")).max()
    assert momentum == pytest.approx(3.3, abs=0.005)  # reached, and left only by the effect of the feedback
    assert np.abs(run.values("motor_torque")).max() < 0.09 * 1.1
    assert outcome.metrics["peak_attitude_error_deg"].value < 0.05
    assert outcome.metrics["final_attitude_error_deg"].value < 1e-2


def test_cone_path_picture_draws_every_cone_and_axis() -> None:
    cones = [
        controllers.PointingCone((0, 0, 1), (1, 0, 0.5), half_angle=0.4, name="Sun"),
        controllers.PointingCone((0, 1, 0), (0, 1, 0), half_angle=0.4, keep="in", name="station"),
        controllers.PointingCone((0, 0, 1), (-1, -1, 0), half_angle=0.4, name="Moon"),
    ]
    half = np.linspace(0.0, 0.8, 50)
    figure = draw_cone_path(cones, np.column_stack((np.cos(half), 0 * half, np.sin(half), 0 * half)))
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts[:2] == ["body axis (0, 0, 1)", "body axis (0, 1, 0)"]
    assert [text[3:10] for text in texts[2:]] == ["Sun: ke", "station", "Moon: k"]
    with pytest.raises(InputError, match="needs at least one cone"):
        draw_cone_path([], np.eye(4)[:1])
