"""Wheels and thrusters of a case: allocated and scaled by their rule, refused if they cannot act."""

import re
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
PULSED = """valve_step_s = 0.01
specific_impulse_s = 200.0
"""
TANK = """
[plant.thrusters.tank]
propellant_kg = 0.5
position_m = [0.2, 0.0, -0.1]
inertia_kg_m2 = [0.01, 0.01, 0.01]
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
    from polhode.scenarios.case.kinds.problem import build
    from polhode.scenarios.case.loader import load_case

    path = tmp_path / "flown.toml"
    path.write_text(HEAD.format(plant=plant), encoding="utf-8")
    problem = build(load_case(path).case)
    run = sim.simulate(problem.craft, problem.law, reference=problem.reference, state=problem.state, **problem.settings)
    return run.values("command")


@pytest.mark.parametrize("method", ["pseudo-inverse", "min-max"])
def test_wheel_array_reaches_what_its_allocation_says(run, tmp_path, method):
    table = f'{WHEELS}allocation = "{method}"\nkeep_direction = true\n'
    done = run(table)
    assert done.code == 0, done.err
    assert done.json["metrics"]["final_attitude_error_deg"] < 0.1
    assert 10.0 < done.json["metrics"]["peak_wheel_rate_rad_s"] < 100.0
    allocation = WheelAllocation(AXES, limit=0.1, method=method)
    load = np.abs(allocation.torques(flown(table, tmp_path))).max()
    assert load == pytest.approx(0.1, rel=1e-9)  # saturated at first, and no wheel above its limit


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
        (WHEELS + THRUSTERS, "so no law uses the thrusters; set actuators"),
        (WHEELS + WHEELS, "only one wheel-array can apply the torque"),
        (
            'torque_basis = "inertial"' + WHEELS + "keep_direction = true",
            "keep_direction of a wheel-array is only valid for",
        ),
        ('torque_basis = "inertial"' + THRUSTERS, 'thrusters are only valid for torque_basis = "body"'),
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
        (THRUSTERS + TANK, "tank belongs to on-off thrusters; add valve_step_s"),
        (THRUSTERS + "valve_step_s = 0.01" + TANK, "a tank needs specific_impulse_s"),
        (THRUSTERS + PULSED + TANK, "a tank needs mass_kg of the hub, without its propellant"),
    ],
)
def test_says_what_is_wrong(run, plant, says):
    done = run(plant)
    assert done.code == 2
    assert says in done.err


def test_thrusters_turn_a_craft_whose_wheels_are_idle(tmp_path):
    """The same commands as for the spacecraft without wheels, whose hub it is: idle wheels keep their momentum."""
    from polhode.scenarios import run_case

    found = []
    for plant in (THRUSTERS, WHEELS + THRUSTERS):
        text = HEAD.format(plant=plant).replace("sample_s", 'actuators = "external"\nsample_s')
        path = tmp_path / "slew.toml"
        path.write_text(text, encoding="utf-8")
        found.append(run_case(path, overrides=["run.rtol=1e-12"]).run)
    without, idle = found
    assert list(idle.craft.ports) == ["external"]
    np.testing.assert_allclose(idle.values("command"), without.values("command"), atol=1e-9)
    np.testing.assert_allclose(idle.values("internal_momentum"), 0.0, atol=1e-15)
    assert np.abs(idle.values("internal_rate")).max() > 0.01


def test_tank_of_a_case_empties_as_propellant_is_used(tmp_path):
    from polhode.scenarios import run_case

    path = tmp_path / "slew.toml"
    plant = "mass_kg = 80.0\ntranslation = true\n" + THRUSTERS + PULSED + TANK
    path.write_text(HEAD.format(plant=plant), encoding="utf-8")
    run = run_case(path, overrides=["run.duration_s=30", 'run.integrator="rk4"', "run.step_s=0.05"]).run
    used = run.values("propellant")[-1]
    assert used > 1e-4
    np.testing.assert_allclose(run.values("propellant_left")[-1], 0.5 - used, rtol=1e-12)
    assert run.craft.mass_at(run.x[-1]) == pytest.approx(80.5 - used, rel=1e-12)
    (element,) = run.craft.elements
    np.testing.assert_array_equal(element.tank, (0.2, 0.0, -0.1))
    np.testing.assert_array_equal(element.inertia, np.diag([0.01] * 3))
    # the pulses of several thrusters push the mass centre; in exact pairs they would not
    assert np.linalg.norm(run.x[-1][run.craft.layout.linear_momentum]) > 1e-3


MODES = """
[[modes]]
name = "first"
controller = { kind = "rate-damping", gain_N_m_s = 9.0, sample_s = 0.1, actuators = "external"LIMIT }
transitions = [{ to = "second", when = { quantity = "elapsed", above_s = 20 } }]
[[modes]]
name = "second"
final = true
"""


def modes_on(tmp_path, limit="", more="", plant=WHEELS, head="") -> Any:
    from polhode.scenarios.case.kinds.problem import build
    from polhode.scenarios.case.loader import load_case

    path = tmp_path / "modes.toml"
    text = HEAD.format(plant=plant).replace("sample_s", f"{head}\nsample_s") + MODES.replace("LIMIT", limit) + more
    path.write_text(text, encoding="utf-8")
    return build(load_case(path).case)


def test_each_control_torque_has_the_limit_of_those_who_command_it(tmp_path):
    limit = ", torque_limit_N_m = 0.7"
    problem = modes_on(tmp_path, limit, head="torque_limit_N_m = 0.2")
    assert [mode.actuators for mode in problem.law.modes] == ["external", "wheels"]
    assert {port: basis.limits()[0] for port, basis in problem.craft.ports.items()} == {"wheels": 0.2, "external": 0.7}
    assert problem.law.modes[0].limit.tolist() == [0.7] * 3
    unlimited = modes_on(tmp_path, head="torque_limit_N_m = 0.2").craft
    assert np.isinf(unlimited.external.limits()).all()  # the limit of [controller] is that of the wheels
    # if all command one, there is one
    alone = modes_on(tmp_path, limit, head='torque_limit_N_m = 0.9\nactuators = "external"')
    assert list(alone.craft.ports) == ["external"]
    assert [mode.actuators for mode in alone.law.modes] == [None, None]


def test_actuators_without_wheels_act_from_outside(tmp_path):
    assert list(modes_on(tmp_path, plant="").craft.ports) == ["external"]


def test_blocks_of_a_case_stand_before_one_control_torque(tmp_path):
    lag = '[[blocks]]\nkind = "lag"\nreads = "command_external"\ntime_constant_s = 0.5\n'
    problem = modes_on(tmp_path, more=lag)
    assert [block.name for block in problem.blocks] == ["modes", "lag"]
    from polhode.plant import InputError

    with pytest.raises(InputError, match="'command' is unknown; did you mean 'command_"):
        modes_on(tmp_path, more=lag.replace("command_external", "command"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"plant": "", "head": 'actuators = "wheels"'}, 'controller.actuators: "wheels", but the spacecraft has none'),
        ({"head": 'actuators = "thrusters"'}, "controller.actuators"),
        ({"plant": "", "more": "unload_s = 20"}, "modes.1.unload_s: the spacecraft has no wheels to unload"),
        ({"plant": 'torque_basis = "inertial"' + WHEELS, "more": "unload_s = 20"}, "along the body axes"),
        (
            {"head": 'actuators = "external"\ntorque_limit_N_m = 0.1', "limit": ", torque_limit_N_m = 0.2"},
            "0.2 N m is more than the 0.1 N m of",
        ),
    ],
)
def test_actuators_that_are_not_there(tmp_path, change, says):
    from polhode.plant import InputError

    with pytest.raises(InputError, match=re.escape(says)):
        modes_on(tmp_path, **change)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("kind", ["quaternion-feedback", "lqi"])
def test_law_on_wheels_is_judged_as_on_hub_alone(polhode, tmp_path, kind):
    """Free wheels at rest leave the inertia of the hub only between torque and rate."""
    from polhode.plant import RigidBody, Spacecraft
    from polhode.scenarios.case.kinds.problem import build
    from polhode.scenarios.case.loader import load_case

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


def test_wheels_of_a_case_have_a_minimum_torque(run):
    """The last commands of a slew are too small for the motors, so that the error stops short of zero."""
    plain, coarse = (run(WHEELS + more).json for more in ("", "minimum_torque_N_m = 0.01\n"))
    assert plain["metrics"]["final_attitude_error_deg"] < 1e-3 < coarse["metrics"]["final_attitude_error_deg"]
    words = "below the minimum torque of the motor, 0.01 N m"
    assert [sum(words in each for each in found["warnings"]) for found in (plain, coarse)] == [0, 1]
