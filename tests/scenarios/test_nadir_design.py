"""Design of a linear law about the nadir-pointing steady state of a circular orbit, with wheels."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant.attitude import from_rotation_matrix, rotation_matrix
from polhode.scenarios.case.kinds.design import design_model
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case

CASE = """
title = "nadir"

[plant]
inertia_kg_m2 = [42.0, 38.0, 25.0]

[[plant.elements]]
kind = "wheel-array"
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
inertia_kg_m2 = 1.0e-3
torque_limit_N_m = 0.02
relative_rates_rad_s = [20.0, -400.0, 30.0]

[orbit]
epoch = "2026-03-20T12:00:00Z"
altitude_km = 500.0
inclination_deg = 60.0
model = "two-body"

[environment]
gravity_gradient = true

[reference]
kind = "nadir"
boresight = [0.0, 0.0, 1.0]
clock = [0.0, -1.0, 0.0]
clock_target = "orbit-normal"

[controller]
kind = "KIND"
attitude_weight = 1e-2
rate_weight = 1.0
effort_weight = 1.0
sample_s = 0.5

[run]
duration_s = 1500.0
integrator = "dop853"
rtol = 1e-10
"""
MU, RADIUS = 3.986004418e14, 6878137.0
N = np.sqrt(MU / RADIUS**3)
J = np.diag((42.0, 38.0, 25.0))
ROTORS = 1e-3 * np.array((20.0, -400.0, 30.0))


def turned(angles):
    """Rotation matrix of a small rotation vector."""
    half = 0.5 * np.asarray(angles)
    return rotation_matrix(np.concatenate([[np.sqrt(1.0 - half @ half)], half]))


def rates(z, wheels):
    """Euler's equations relative to the orbit frame: angles and momentum, with constant momentum of the wheels."""
    error, h = turned(z[:3]), z[3:]
    omega = np.linalg.solve(J, h - wheels)  # J is without the spin of the rotors
    relative = omega - error.T @ (0.0, -N, 0.0)
    down = error.T @ (0.0, 0.0, 1.0)
    torque = 3.0 * N**2 * np.cross(down, J @ down)
    angles = relative + 0.5 * np.cross(z[:3], relative)
    return np.concatenate([angles, torque - np.cross(omega, h)])


@pytest.fixture
def case(tmp_path):
    def path(kind="lqr", more=""):
        place = tmp_path / f"{kind}.toml"
        text = CASE.replace('"KIND"', f'"{kind}"').replace("sample_s = 0.5", f"sample_s = 0.5\n{more}")
        place.write_text(text, encoding="utf-8")
        return place

    return path


def test_model_about_nadir_is_that_of_eulers_equations(case):
    """Orbital rate, gravity gradient and stored momentum, by central differences of Euler's equations."""
    loaded = load_case(str(case()), [])
    model = design_model(loaded.case, build(loaded.case).craft)
    assert not model.torques.internal
    assert any("momentum stored in the wheels is held" in words for words in model.left_out)
    spin = 1e-3 * np.array((0.0, -N, 0.0))
    wheels = ROTORS + spin
    base = np.concatenate([np.zeros(3), J @ (0.0, -N, 0.0) + wheels])
    steps = np.array([1e-5] * 3 + [1e-6] * 3)
    columns = [(rates(base + d, wheels) - rates(base - d, wheels)) / (2.0 * d.max()) for d in np.diag(steps)]
    six = [model.states.index(f"{q}_{axis}") for q in ("attitude_error", "momentum") for axis in "xyz"]
    found, expected = model.A[np.ix_(six, six)], np.column_stack(columns)
    for rows in (slice(0, 3), slice(3, 6)):
        for part in (slice(0, 3), slice(3, 6)):
            size = np.abs(expected[rows, part]).max()
            np.testing.assert_allclose(found[rows, part], expected[rows, part], rtol=0, atol=1e-6 * size)


@pytest.mark.parametrize(("kind", "more"), [("lqr", ""), ("lqi", "integral_weight = 1e-5")])
def test_linear_law_holds_nadir_without_warnings(case, kind, more):
    c, s = np.cos(np.radians(60.0)), np.sin(np.radians(60.0))
    frame = np.column_stack([(0.0, c, s), (0.0, s, -c), (-1.0, 0.0, 0.0)])  # at the ascending node
    attitude = from_rotation_matrix(frame @ turned((0.02, -0.03, 0.01))).tolist()
    found = scenarios.run_case(case(kind, more), overrides=[f"initial.attitude={attitude}"])
    assert not [words for words in found.run.warnings if "design conditions" in words or "stabilise" in words]
    error = found.metrics["final_attitude_error_deg"].value
    assert error is not None
    assert error < 0.3
