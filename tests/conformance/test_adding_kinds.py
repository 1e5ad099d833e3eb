"""CONTRIBUTING's steps for a metric and a stepper, one file and one line each, carried out on a copy.

Without changes in other files they, and the kinds of `added_kinds`, run from a case, are in its schema, are measured
and drawn.
"""

import pytest

from .added_kinds import FILES, LINES
from .copied import copied, tried

METRIC = '''"""Where the disc ends."""

from .kind import DoesNotApplyError, metric


@metric("angle of the disc at the end")
def final_disc_angle_rad(run, settings):
    if "internal" not in run.names or "disc_angle" not in run.components("internal")[0]:
        raise DoesNotApplyError("the case has no disc")
    return float(run.values("internal")[-1, run.components("internal")[0].index("disc_angle")])
'''

PULL = """
import numpy as np
from polhode import plant, sim
from polhode.plant.attitude import rotation_matrix
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.kinds.problem import build

assert sim.__file__.startswith(ROOM), sim.__file__
m, B = np.array((30.0, -10.0, 20.0)), np.array((2e-3, 1e-3, -3e-3))
case = Case.model_validate({
    "title": "x",
    "plant": {"inertia_kg_m2": [4.0, 3.1, 2.0],
              "potentials": [{"kind": "dipole", "dipole_A_m2": list(m), "field_uT": list(1e6 * B)}]},
    "initial": {"rate_rad_s": [0.1, -0.2, 0.3]},
    "run": {"duration_s": 5.0},
})
assert "Permanent magnetic dipole in a uniform field" in str(Case.model_json_schema())
problem = build(case)
run = sim.simulate(problem.craft, state=problem.state, duration=5.0, integrator="rk8", step=0.1, output_times=[0.0,
2.5, 5.0],
                   compiled=False)
assert abs(run.values("energy_balance")).max() < 1e-12
assert abs(run.values("energy")[-1] - run.values("energy")[0]) < 1e-12
assert np.ptp(0.5 * np.sum(run.values("momentum") * run.values("rate"), axis=1)) > 1e-3  # and it moved it
for e, torque in zip(run.values("attitude"), run.values("torque")):
    assert np.allclose(torque, np.cross(m, rotation_matrix(e).T @ B), rtol=0, atol=1e-14)
model = problem.craft.linearize(problem.craft.at_rest(), allow_nonequilibrium=True)
assert np.isfinite(model.A).all()
print("done")
"""

STEPPER = '''"""Ralston's method of order 3 (1962): of three stages, the one with the least bound of its error."""

from .stepper import Stepper

STEPPER = Stepper(
    name="ralston3",
    words="Ralston's Runge-Kutta method of order 3 at fixed steps",
    order=3,
    a=((0, 0, 0), (1 / 2, 0, 0), (0, 3 / 4, 0)),
    b=(2 / 9, 1 / 3, 4 / 9),
    c=(0, 1 / 2, 3 / 4),
)
'''

STEPS = """
import numpy as np
from polhode import plant, sim
from polhode.plant.attitude.free_motion import FreeMotion
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.kinds.problem import build
from polhode.sim.engine.steppers.longest_step import stability_limit
from polhode.sim.engine.steppers.phase_error import step_error

assert sim.__file__.startswith(ROOM), sim.__file__
def case(step):
    return Case.model_validate({
        "title": "x",
        "plant": {"inertia_kg_m2": [4.0, 3.1, 2.0]},
        "initial": {"rate_rad_s": [0.8, -0.5, 1.1]},
        "run": {"duration_s": 3.2, "integrator": "ralston3", "step_s": step},
    })
assert "ralston3: Ralston's Runge-Kutta method of order 3 at fixed steps" in str(Case.model_json_schema())
def flown(step):
    problem = build(case(step))
    run = sim.simulate(problem.craft, state=problem.state, **{**problem.settings, "output_step": None},
                       output_times=[1.57, 3.2], compiled=False)
    return run.values("momentum"), run.t, run.status
exact = FreeMotion((4.0, 3.1, 2.0), momentum=np.array((4.0, 3.1, 2.0)) * (0.8, -0.5, 1.1))
off = []
for step in (0.1, 0.05, 0.025):
    found, t, status = flown(step)
    assert status == "completed"
    off.append(np.abs(found - exact.momentum(t)).max(axis=1))
order = np.log2(np.divide(off[:-1], off[1:]))
assert (abs(order - 3.0) < 0.3).all(), (order, off)
# where |1 - z^2/2 + i (z - z^3/6)| = 1: of every method of order 3 in three stages
assert abs(stability_limit("ralston3") - 3.0 ** 0.5) < 1e-3
assert abs(step_error(sim.INTEGRATORS["ralston3"], 0.01j) / (0.01**4 / 24) - 1.0) < 1e-2
try:
    case(None)
    raise SystemExit("a fixed step was not asked for")
except ValueError as error:
    assert "needs step_s" in str(error)
try:
    sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0, integrator="ralston4")
    raise SystemExit("taken")
except plant.InputError as error:
    assert "ralston3" in str(error)
"""

IMPLICIT_STEPPER = '''"""Radau IIA in two stages, of order 3 (Ehle 1969): its last stage is the end of the step."""

from .stepper import Stepper

STEPPER = Stepper(
    name="radau3",
    words="Radau IIA of order 3 at fixed steps, implicit",
    order=3,
    a=((5 / 12, -1 / 12), (3 / 4, 1 / 4)),
    b=(3 / 4, 1 / 4),
    c=(1 / 3, 1),
)
'''

DIAGONAL_STEPPER = '''"""Alexander's diagonally implicit method of order 2 (1977): of one eigenvector."""

from .stepper import Stepper

G = 1 - 0.5**0.5

STEPPER = Stepper(
    name="sdirk2", words="Alexander's method of order 2", order=2, a=((G, 0), (1 - G, G)), b=(1 - G, G), c=(G, 1)
)
'''

IMPLICIT_STEPS = """
assert "radau3: Radau IIA of order 3 at fixed steps, implicit" in str(Case.model_json_schema())
exact = FreeMotion((4.0, 3.1, 2.0), momentum=np.array((4.0, 3.1, 2.0)) * (0.8, -0.5, 1.1)).momentum([1.57, 3.2])
slider = {"kind": "mass-spring-damper", "point_m": [0.3, 0.1, 0.0], "axis": [0, 1, 1], "mass_kg": 0.2,
          "stiffness_N_m": 4e5, "damping_N_s_m": 50.0}
def held(name, step, elements):
    problem = build(Case.model_validate({
        "title": "x",
        "plant": {"inertia_kg_m2": [4.0, 3.1, 2.0], "mass_kg": 20.0, "elements": elements},
        "initial": {"rate_rad_s": [0.8, -0.5, 1.1]},
        "run": {"duration_s": 3.2, "integrator": name, "step_s": step},
    }))
    run = sim.simulate(problem.craft, state=problem.state, **{**problem.settings, "output_step": None},
                       output_times=[1.57, 3.2], compiled=False)
    assert run.status == "completed", run.reason
    return run
for name, order in (("radau3", 3), ("sdirk2", 2)):
    off = [np.abs(held(name, step, []).values("momentum") - exact).max() for step in (0.2, 0.1)]
    assert abs(np.log2(off[0] / off[1]) - order) < 0.3, off
    stiff = held(name, 0.1, [slider])  # 1,400 rad/s: far from resolved, and no matter
    assert abs(stiff.invariants()["momentum_balance_relative"]) < 1e-13
    assert np.abs(stiff.values("internal")).max() < 1e-5
assert abs(step_error(sim.INTEGRATORS["radau3"], 0.01j) / (0.01**4 / 72) - 1.0) < 1e-2
print("done")
"""

USE = """
from polhode import controllers, sim
from polhode.scenarios import measure
from polhode.scenarios.case.kinds.design import design_model
from polhode.scenarios.pictures.run.panels import panels_of
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.report.requirements import judge
from polhode.scenarios.case.schema import Case

assert controllers.__file__.startswith(ROOM), controllers.__file__
disc = {"kind": "torsion-disc", "axis": [0, 0, 2], "inertia_kg_m2": 0.1, "stiffness_N_m_rad": 0.2, "damping_N_m_s": 0.1}
case = Case.model_validate({
    "title": "x",
    "plant": {"inertia_kg_m2": [10.0, 10.0, 10.0], "elements": [disc]},
    "initial": {"rate_deg_s": [0.0, 0.0, 20.0]},
    "reference": {"kind": "swing", "amplitude_deg": 1.0, "frequency_rad_s": 0.1},
    "controller": {"kind": "quaternion-feedback", "sample_s": 0.1, "frequency_rad_s": 1.0, "damping_ratio": 0.7},
    "run": {"duration_s": 30.0},
    "require": [{"metric": "final_disc_angle_rad", "max": 0.01, "min": -0.01}],
})
schema = str(Case.model_json_schema())
assert all(word in schema for word in ("torsion-disc", "swing", "final_disc_angle_rad: angle of the disc at the end"))
problem = build(case)
assert "disc_angle" in design_model(case, problem.craft).states
run = sim.simulate(problem.craft, problem.law, state=problem.state, reference=problem.reference, duration=30.0,
                   integrator="rk4", step=0.05, compiled=False)
assert abs(run.values("internal")).max() > 0.1 and run.values("attitude_error")[-1] < 1e-3
found = measure(run)
assert found["energy_drift_relative"].value < 1e-6 and abs(found["final_disc_angle_rad"].value) < 0.01
assert judge(case.require, found)[0].met
assert panels_of(run)["disc"].title == "Disc"
print("done")
"""


@pytest.mark.slow
def test_new_element_and_reference_are_measured_and_drawn(tmp_path):
    metric = {"scenarios/report/metrics/kinds.py": ('    "nutation",\n', '    "disc",\n')}
    copied(tmp_path, FILES | {"scenarios/report/metrics/disc.py": METRIC}, LINES | metric)
    tried(tmp_path, USE)


@pytest.mark.slow
def test_steppers_are_a_file_and_a_line_each(tmp_path):
    """Explicit or implicit, with any number of stages, even if the matrix is not diagonalisable."""
    copied(
        tmp_path,
        {
            "sim/engine/steppers/ralston3.py": STEPPER,
            "sim/engine/steppers/radau3.py": IMPLICIT_STEPPER,
            "sim/engine/steppers/sdirk2.py": DIAGONAL_STEPPER,
        },
        {"sim/engine/steppers/kinds.py": ('    "rk4",\n', '    "radau3",\n    "ralston3",\n    "sdirk2",\n')},
    )
    tried(tmp_path, STEPS + IMPLICIT_STEPS)


def test_new_potential_acts_as_its_energy_says(tmp_path):
    copied(tmp_path, FILES, LINES)
    tried(tmp_path, PULL)
