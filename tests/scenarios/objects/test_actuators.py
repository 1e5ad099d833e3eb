"""Wheels and thrusters of a case: shared and shortened as their allocation says, refused where they cannot."""

from typing import Any

import numpy as np
import pytest

from polhode.controllers import ThrusterAllocation, WheelAllocation

HEAD = """\
title = "a slew"
[plant]
inertia_kg_m2 = [60.0, 50.0, 40.0]
{plant}
[initial]
attitude_deg = {{ sequence = "3-2-1", angles = [60, -20, 40] }}
[reference]
attitude = [1, 0, 0, 0]
[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.12
damping_ratio = 0.9
sample_s = 0.1
[run]
duration_s = 200.0
"""
AXES = [[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]
WHEELS = f"""
[[plant.elements]]
kind = "wheel-array"
axes = {AXES}
inertia_kg_m2 = 0.02
torque_limit_N_m = 0.1
"""
CORNERS = [(side, push) for side in (1, -1) for push in (1, -1)]
POSITIONS = [(side * np.eye(3)[k] + 0.0).tolist() for k in range(3) for side, _ in CORNERS]
DIRECTIONS = [(push * np.eye(3)[(k + 1) % 3] + 0.0).tolist() for k in range(3) for _, push in CORNERS]
THRUSTERS = f"""
[plant.thrusters]
positions_m = {POSITIONS}
directions = {DIRECTIONS}
limit_N = 0.1
"""


@pytest.fixture
def run(polhode, tmp_path):
    def function(plant, *more):
        path = tmp_path / "slew.toml"
        path.write_text(HEAD.format(plant=plant), encoding="utf-8")
        return polhode("run", str(path), "--json", *more)

    return function


def flown(plant, tmp_path):
    """The recorded commands."""
    from polhode import sim
    from polhode.scenarios.case.loader import load_case
    from polhode.scenarios.objects.problem import build

    path = tmp_path / "flown.toml"
    path.write_text(HEAD.format(plant=plant), encoding="utf-8")
    problem = build(load_case(path).case)
    run = sim.simulate(problem.craft, problem.law, reference=problem.reference, state=problem.state, **problem.settings)
    return run.values("command")


@pytest.mark.parametrize("method", ["pseudo-inverse", "min-max"])
def test_a_wheel_array_reaches_what_its_allocation_says(run, tmp_path, method):
    table = f'{WHEELS}allocation = "{method}"\nkeep_direction = true\n'
    done = run(table)
    assert done.code == 0, done.err
    assert done.json["metrics"]["final_attitude_error_deg"] < 0.1
    assert 10.0 < done.json["metrics"]["peak_wheel_rate_rad_s"] < 100.0
    allocation = WheelAllocation(AXES, limit=0.1, method=method)
    load = np.abs(allocation.torques(flown(table, tmp_path))).max()
    assert load == pytest.approx(0.1, rel=1e-9)  # saturated at first, and no wheel beyond its limit


@pytest.mark.parametrize("free", [False, True])
def test_thrusters_reach_what_their_allocation_says(run, tmp_path, free):
    table = f"{THRUSTERS}force_free = {str(free).lower()}\n"
    done = run(table)
    assert done.code == 0, done.err
    assert done.json["metrics"]["final_attitude_error_deg"] < 0.1
    forces = ThrusterAllocation(POSITIONS, DIRECTIONS, limit=0.1, force_free=free).forces(flown(table, tmp_path))
    assert forces.max() == pytest.approx(0.1, rel=1e-9)
    if free:
        np.testing.assert_allclose(forces @ np.array(DIRECTIONS), 0.0, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("plant", "says"),
    [
        (WHEELS.replace("torque_limit_N_m = 0.1", "keep_direction = true"), "keep_direction = true needs torque_limit"),
        (WHEELS + THRUSTERS, "either a wheel-array or thrusters"),
        (WHEELS + WHEELS, "one wheel-array takes the torque"),
        (
            'torque_basis = "inertial"' + WHEELS + "keep_direction = true",
            "keep_direction of a wheel-array is for",
        ),
        ('torque_basis = "inertial"' + THRUSTERS, 'thrusters are for torque_basis = "body"'),
        (WHEELS + 'allocation = "minmax"', "allocation"),
        (THRUSTERS.replace("limit_N = 0.1", "limit_N = [0.1, 0.1]"), "one number for each of the 12 thrusters; got 2"),
        (THRUSTERS.replace("limit_N = 0.1", "limit_N = -0.1"), "limit_N"),
        (
            THRUSTERS.replace("directions = [", "directions = [[1, 0, 0], "),
            "12 positions_m need as many directions",
        ),
        (
            THRUSTERS.replace(str(DIRECTIONS), str(DIRECTIONS[:4] * 3)),
            "plant.thrusters: these 12 thrusters give no torque",
        ),
    ],
)
def test_says_what_is_wrong(run, plant, says):
    done = run(plant)
    assert done.code == 2
    assert says in done.err


@pytest.mark.parametrize("kind", ["quaternion-feedback", "lqi"])
def test_a_law_on_wheels_is_judged_as_on_the_hub_alone(polhode, tmp_path, kind):
    """Free wheels that spin at no rate leave the hub's own inertia between torque and rate."""
    from polhode.plant import RigidBody, Spacecraft
    from polhode.scenarios.case.loader import load_case
    from polhode.scenarios.objects.problem import build

    tuning = {
        "quaternion-feedback": "frequency_rad_s = 0.12\ndamping_ratio = 0.9",
        "lqi": "attitude_weight = 4.0\nrate_weight = 1.0\neffort_weight = 1.0\nintegral_weight = 0.001",
    }
    text = HEAD.format(plant=WHEELS).replace(tuning["quaternion-feedback"], tuning[kind])
    path = tmp_path / "slew.toml"
    path.write_text(text.replace('kind = "quaternion-feedback"', f'kind = "{kind}"'), encoding="utf-8")
    done = polhode("design", str(path), "--json")
    assert done.code == 0, done.err
    hub = Spacecraft(RigidBody((60.0, 50.0, 40.0)))
    model = hub.linearize(hub.at_rest())
    law: Any = build(load_case(path).case).law
    if kind == "lqi":
        from polhode.controllers import LinearFeedback

        law = LinearFeedback(law.compensator, model, sample=law.sample)
        poles = law.closed_loop_poles()
    else:
        poles = law.closed_loop_poles(model)
    found = np.array([complex(*pair) for pair in done.json["closed_loop_poles"]])
    np.testing.assert_allclose(np.sort(np.abs(found)), np.sort(np.abs(poles)), rtol=1e-9)
    assert polhode("run", str(path)).code == 0
