"""Torque budget on the reference against the closed form of a torque that is fixed in the orbital frame."""

from pathlib import Path

import numpy as np
import pytest

from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.report.torque_budget import budget_on_reference

from ..conftest import Command

MU = 3.986004418e14
CASE = """
title = "a constant torque on a nadir-pointing spacecraft"
[plant]
inertia_kg_m2 = [4.0, 3.0, 2.0]
[orbit]
epoch = "2026-03-20T12:00:00Z"
semi_major_axis_km = 7000.0
inclination_deg = 40.0
model = "two-body"
[environment]
gravity_gradient = true
[[torques]]
table = "torque.csv"
[reference]
kind = "nadir"
boresight = [0.0, 0.0, 1.0]
clock = [0.0, -1.0, 0.0]
[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.02
damping_ratio = 1.0
sample_s = 1.0
[run]
duration_s = 5900.0
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    (tmp_path / "torque.csv").write_text("0,2e-6,3e-6,-1e-6\n6000,2e-6,3e-6,-1e-6\n", encoding="utf-8")
    path = tmp_path / "case.toml"
    path.write_text(CASE, encoding="utf-8")
    return path


def test_only_pitch_torque_adds_momentum_in_an_orbit(case: Path) -> None:
    problem = build(load_case(case).case, with_law=False)
    budget = budget_on_reference(problem.craft, problem.reference, 5900.0)
    assert budget is not None
    assert budget.orbits == 1
    assert budget.sources == ("gravity gradient", "torque of a table")
    assert budget.peak[0] < 1e-12  # principal axes along the orbital frame
    np.testing.assert_allclose(budget.mean[1], (2e-6, 3e-6, -1e-6), rtol=1e-12)
    # pitch is minus the orbit normal; roll and yaw turn with the orbit and cancel
    period, tilt = 2 * np.pi * np.sqrt(7e6**3 / MU), np.radians(40.0)
    normal = np.array((0.0, -np.sin(tilt), np.cos(tilt)))
    np.testing.assert_allclose(budget.secular[1], -3e-6 * period * normal, rtol=0, atol=2e-5 * 3e-6 * period)


def test_budget_on_reference_needs_an_environment_and_a_reference(case: Path) -> None:
    problem = build(load_case(case).case, with_law=False)
    assert budget_on_reference(problem.craft, None, 10.0) is None
    bare = build(load_case("slew-lqr").case, with_law=False)
    assert budget_on_reference(bare.craft, bare.reference, 10.0) is None


@pytest.mark.slow
def test_design_prints_and_returns_the_budget(polhode: Command, case: Path) -> None:
    assert "torque budget on the reference" in polhode("design", str(case)).out
    assert len(polhode("design", str(case), "--json").json["torque_budget"]) == 2
    assert "torque_budget" not in polhode("design", "slew-lqr", "--json").json
