"""Dispersed wheels, gyros and thrusters are driven by an allocation for the nominal ones: mismatch in closed form."""

import math
import tomllib

import numpy as np
import pytest

from polhode import sim
from polhode.controllers import BlockForm, CustomLaw
from polhode.plant import InputError
from polhode.scenarios.case.campaigns.dispersions import dispersions_of
from polhode.scenarios.case.campaigns.flyer import CaseFlyer, dispersed_case
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case_run import run_problem
from polhode.sim.runs.campaigns import Draw

HEAD = """
[plant]
inertia_kg_m2 = [3.0, 2.0, 1.5]
"""
TAIL = """
[initial]
attitude_deg = { sequence = "3-2-1", angles = [3.0, -2.0, 4.0] }

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.5
damping_ratio = 0.8
sample_s = 0.1

[run]
duration_s = 0.1
output_s = 0.1
seed = 1
"""
WHEELS = """
[[plant.elements]]
kind = "wheel-array"
axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
inertia_kg_m2 = 0.02
"""
GYROS = """
[[plant.elements]]
kind = "cmg-array"
skew_deg = 54.73
momentum_N_m_s = 10.0
rotor_inertia_kg_m2 = 0.02
gimbal_inertia_kg_m2 = 0.03
time_constant_s = 0.02
steering = "pseudo-inverse"
compensate = false
"""
THRUSTERS = """
[plant.thrusters]
positions_m = [[0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0]]
directions = [[0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]]
limit_N = 1.0
valve_step_s = 0.001
"""
GYRO = """
[[sensors]]
kind = "gyro"
name = "gyro"
sample_s = 0.1
angle_random_walk_deg_sqrt_h = 0.0
"""


def problem_of(actuators, key, value, more="", spread="sigma = 0.01"):
    text = f'{HEAD}{actuators}{TAIL}{more}\n[dispersions]\n"{key}" = {{ {spread} }}\n'
    loaded = checked_case("case", "case", tomllib.loads(text))
    flyer = CaseFlyer(loaded, dispersions_of(loaded.case))
    flyer.require_reach()
    draw = Draw(run=0, seed=1, values={key: value})
    _, problem = flyer.problem(draw, "run 0")
    again = build(dispersed_case(loaded, draw, where="run 0").case)  # as `polhode run` repeats one run
    for one, two in zip(problem.blocks, again.blocks, strict=True):
        np.testing.assert_array_equal(one.parameters, two.parameters)
    return problem


def block_of(problem, name):
    return next(block for block in problem.blocks if block.name == name)


def form_of(block) -> BlockForm:
    form = block.linear(np.zeros(10)) if callable(block.linear) else block.linear
    assert isinstance(form, BlockForm)
    return form


def dc_gain(form):
    A, B, C, D = (np.asarray(each) for each in (form.A, form.B, form.C, form.D))
    return (D + C @ np.linalg.solve(np.eye(len(A)) - A, B))[:3, :3]


@pytest.mark.parametrize("allocation", ["pseudo-inverse", "min-max"])
def test_misaligned_wheel_exerts_the_torque_of_its_true_axis(allocation):
    """The body accelerates by J^-1 sum a_k c_k u: true axes a_k, commands c_k for the nominal axes."""
    wheels = WHEELS + f'allocation = "{allocation}"\n'
    problem = problem_of(wheels, "plant.elements.0.axes.0.1", 0.2)
    run = run_problem(problem)
    u = run.values("command")[0]
    assert np.abs(u).min() > 0.0
    nominal = np.array([(1.0, 0, 0), (0, 1, 0), (0, 0, 1), np.ones(3) / math.sqrt(3)]).T
    true = nominal.copy()
    true[:, 0] = np.array((1.0, 0.2, 0.0)) / math.hypot(1.0, 0.2)
    if allocation == "pseudo-inverse":
        wanted = nominal.T @ np.linalg.solve(nominal @ nominal.T, u)
    else:  # the null vector of the nominal axes is (1, 1, 1, -sqrt 3): the min-max solution along it
        some, null = np.array((*u, 0.0)), np.array((1.0, 1.0, 1.0, -math.sqrt(3)))
        wanted = min((some - s * null for s in np.linspace(-0.1, 0.1, 200001)), key=lambda each: np.abs(each).max())
    rate = run.values("rate")[-1] / 0.1 * np.array((3.0, 2.0, 1.5))
    np.testing.assert_allclose(rate, true @ wanted, rtol=2e-3, atol=2e-5 * np.abs(u).max())


@pytest.mark.parametrize("sensors", ["", GYRO])
def test_gyros_of_larger_momentum_exert_more_than_commanded(sensors):
    """A pyramid at zero angles turns at u/(2 h cos b) for a torque about x; h is nominal, the torque grows with it."""
    block = block_of(problem_of(GYROS, "plant.elements.0.momentum_N_m_s", 11.0, sensors), "gyro_steering")
    rates = block.replay([0.0], [(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)])[0, 3:7]
    turn = 1.0 / (2.0 * 10.0 * math.cos(math.radians(54.73)))
    np.testing.assert_allclose(rates, (turn, 0.0, -turn, 0.0), atol=1e-12)
    np.testing.assert_allclose(dc_gain(form_of(block)), 1.1 * np.eye(3), rtol=1e-9, atol=1e-9)


def test_speed_loop_assumes_the_nominal_wheel_inertia():
    """Wheels of 1.1 Iw that follow speed commands for Iw: rate 1.1 u t/(J + Iw), by conservation of momentum."""
    wheels = WHEELS.replace(", [1, 1, 1]", "") + "speed_loop_frequency_rad_s = 4.0\n"
    problem = problem_of(wheels, "plant.elements.0.inertia_kg_m2", 0.022)
    law = CustomLaw(lambda t, y, r: (0.01, 0.0, 0.0), sample=0.1, compiled=False)
    run = sim.simulate(problem.craft, law, blocks=problem.blocks, duration=20.0, output_times=[10.0, 20.0])
    slope = (run.values("rate")[-1, 0] - run.values("rate")[-2, 0]) / 10.0
    assert slope == pytest.approx(1.1 * 0.01 / (3.0 + 0.022), rel=1e-3)


@pytest.mark.parametrize("sensors", ["", GYRO])
def test_stronger_thrusters_exert_more_than_commanded(sensors):
    block = block_of(problem_of(THRUSTERS, "plant.thrusters.limit_N", 1.1, sensors), "thruster_pulses")
    torque = block.replay(1e-3 * np.arange(100), np.tile((0.5, -0.2, 0.1), (100, 1)))[:, :3].mean(axis=0)
    np.testing.assert_allclose(torque, 1.1 * np.array((0.5, -0.2, 0.1)), rtol=1e-12)
    np.testing.assert_allclose(dc_gain(form_of(block)), 1.1 * np.eye(3), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("key", "value"), [("limit_N", 1.1), ("positions_m.0.1", 1.2)])
def test_impulse_of_unlike_thrusters_reaches_the_body(key, value):
    """J omega is the sum of force, arm and on-time of each thruster: pulses stronger than assumed are not cut off."""
    run = run_problem(problem_of(THRUSTERS, f"plant.thrusters.{key}", value))
    on = run.values("thruster_on_time")[-1]
    force, arm = (1.1, 1.0) if key == "limit_N" else (1.0, 1.2)
    impulse = force * np.array((on[0] * arm - on[1], on[2] - on[3], on[4] - on[5]))
    assert (np.abs(impulse) > 0.0).all()
    np.testing.assert_allclose(run.values("rate")[-1] * (3.0, 2.0, 1.5), impulse, atol=2e-5)


def test_moved_thruster_exerts_the_torque_of_its_true_arm():
    """Arm of thruster 1 along y is 1.2 m: 0.5 N for 0.5 N m about x; half the excess counts, for its direction only."""
    block = block_of(problem_of(THRUSTERS, "plant.thrusters.positions_m.0.1", 1.2), "thruster_pulses")
    torque = block.replay(1e-3 * np.arange(100), np.tile((0.5, 0.0, 0.0), (100, 1)))[:, :3].mean(axis=0)
    np.testing.assert_allclose(torque, (0.6, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(dc_gain(form_of(block)), np.diag((1.1, 1.0, 1.0)), atol=1e-9)
    assert "mean of both directions" in form_of(block).words


def test_law_reads_the_momentum_of_the_nominal_inertia():
    problem = problem_of(WHEELS, "plant.inertia_kg_m2.0", 3.3, GYRO)
    carried, read = block_of(problem, "momentum carried"), block_of(problem, "momentum of rate")
    assert carried.parameters[0] - read.parameters[0] == pytest.approx(-3.3 - 3.0 - 2 * 0.02 * (1.0 + 1.0 / 3.0))


def test_stated_design_model_without_wheels_keeps_the_nominal_allocation():
    text = f"{HEAD}{WHEELS}{TAIL}[nominal.plant]\ninertia_kg_m2 = [3.1, 2.1, 1.6]\n[dispersions]\n"
    text += '"plant.elements.0.axes.0.1" = { sigma = 0.01 }\n'
    loaded = checked_case("case", "case", tomllib.loads(text))
    draw = Draw(run=0, seed=1, values={"plant.elements.0.axes.0.1": 0.2})
    craft = build(dispersed_case(loaded, draw, where="run 0").case).craft
    nominal = build(loaded.case).craft
    assert craft.elements[0].axis[1] > 0.19
    for one, two in zip(craft.elements, nominal.elements, strict=True):
        np.testing.assert_array_equal(one.command, two.command)


def test_design_model_with_other_wheels_is_refused_as_actuators():
    text = f"{HEAD}{WHEELS}{TAIL}[nominal.actuators]\ninertia_kg_m2 = [3.1, 2.1, 1.6]\n"
    with pytest.raises(InputError, match=r"0 wheels, 0 gyros, 0 thrusters, but the plant has 4 wheels"):
        checked_case("case", "case", tomllib.loads(text))


def test_moved_throttled_thrusters_are_refused():
    with pytest.raises(InputError, match="throttled thrusters exert the commanded torque wherever they are"):
        problem_of(THRUSTERS.replace("valve_step_s = 0.001\n", ""), "plant.thrusters.positions_m.0.1", 1.2)


def test_estimator_assumes_the_nominal_noise_of_its_sensors():
    """The covariance of a Kalman filter follows from the noise that it assumes: that of the nominal run, in any run."""
    loaded = load_case("star-tracker-pointing", ["run.duration_s=20", "metrics.pointing_from_s=10"])
    values = {
        "sensors.1.noise_arcsec": 3.0,
        "sensors.0.angle_random_walk_deg_sqrt_h": 0.02,
        "sensors.0.bias_deg_h": 5.0,
    }
    drawn = dispersed_case(loaded, Draw(run=0, seed=1, values=values), where="run 0")
    assert drawn.case.nominal is not None
    problem, nominal = build(drawn.case), build(loaded.case)
    parameters = [{block.name: block.parameters for block in each.blocks} for each in (problem, nominal)]
    one, two = (each["mekf"] for each in parameters)
    np.testing.assert_array_equal(one, two)
    changed = [name for name, each in parameters[0].items() if not np.array_equal(each, parameters[1][name])]
    assert len(changed) == 2  # gyro and tracker
    sigma, other = (run_problem(each).values("attitude_sigma")[-1] for each in (problem, nominal))
    np.testing.assert_allclose(sigma, other, rtol=1e-4)  # it also depends on the estimate itself
