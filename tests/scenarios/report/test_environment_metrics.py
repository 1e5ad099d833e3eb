"""Metrics of the environment against closed forms at the attitudes of the run."""

import numpy as np
import pytest
from scipy.special import erf

from polhode import scenarios
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment import DipoleField, Epoch, sun_position
from polhode.scenarios.report.torque_budget import budget_entries, budget_of, unresolved

MU = 3.986004418e14
CASE = """
title = "one of everything"
description = "all torques of the environment on a spacecraft that turns"
[plant]
inertia_kg_m2 = [4.0, 3.0, 2.0]
magnetorquers = { gain_A_m2_s_T = 3.0e6, dipole_limit_A_m2 = 5.0 }
[[plant.faces]]
area_m2 = 0.5
normal = [0.0, 0.0, 1.0]
centre_m = [0.3, -0.2, 0.1]
[orbit]
epoch = "2026-03-20T12:00:00Z"
semi_major_axis_km = 7000.0
inclination_deg = 40.0
model = "two-body"
[environment]
magnetic_field = "dipole"
density = "constant"
density_kg_m3 = 1e-12
gas_temperature_K = 1000.0
gas_molar_mass_kg_mol = 0.016
wall_temperature_K = 300.0
gravity_gradient = true
solar_pressure = true
residual_dipole_A_m2 = [0.3, -0.1, 0.2]
eddy_coefficient_A_m2_s_T = 2.0e5
open_faces = true
[initial]
attitude = [0.8, 0.4, -0.4, 0.2]
rate_rad_s = [0.02, -0.03, 0.01]
[run]
duration_s = 60.0
integrator = "dop853"
rtol = 1e-10
output_s = 1.0
"""


def orbit(t):
    """Position and velocity (n, 3) on the circle of the case."""
    n, tilt = np.sqrt(MU / 7e6**3), np.radians(40.0)
    axes = np.array(((1.0, 0.0, 0.0), (0.0, np.cos(tilt), np.sin(tilt))))
    c, s = np.cos(n * t), np.sin(n * t)
    return 7e6 * np.stack([c, s], 1) @ axes, 7e6 * n * np.stack([-s, c], 1) @ axes


def magnetic_field(t):
    return DipoleField().along(Epoch("2026-03-20T12:00:00Z"), t, position=orbit(t)[0])


def in_body(turns, vectors):
    return np.einsum("nij,ni->nj", turns, vectors)


def dipoles(t, turns, rate):
    """Torques of residual dipole, eddy currents and torquers, (n, 3) each, in body axes."""
    b = in_body(turns, magnetic_field(t))
    slope = in_body(turns, (magnetic_field(t + 0.5) - magnetic_field(t - 0.5)) / 1.0) - np.cross(rate, b)
    dipoles = np.tile((0.3, -0.1, 0.2), (len(t), 1)), -2e5 * slope, np.clip(-3e6 * slope, -5.0, 5.0)
    return tuple(np.cross(dipole, b) for dipole in dipoles)


def on_face(t, turns):
    """Torques of sunlight and gas on the black face of the case, (n, 3) each, in body axes."""
    place, speed = orbit(t)
    arm, n = np.array((0.3, -0.2, 0.1)), np.array((0.0, 0.0, 1.0))
    to_sun = sun_position(Epoch("2026-03-20T12:00:00Z"), t) - place
    distance = np.linalg.norm(to_sun, axis=1)
    s = in_body(turns, to_sun / distance[:, None])
    pressure = 1361.0 / 299792458.0 * (149597870700.0 / distance) ** 2
    lit = np.cross(arm, -(pressure * 0.5 * np.maximum(s @ n, 0.0))[:, None] * s)
    v = in_body(turns, speed - np.cross((0.0, 0.0, 7.292115e-5), place))
    size = np.linalg.norm(v, axis=1)
    v = v / size[:, None]
    ratio, wall, g = size / np.sqrt(2 * 8.314462618 * 1000.0 / 0.016), 0.3, v @ n
    x, both = np.exp(-((g * ratio) ** 2)), 1.0 + erf(g * ratio)
    normal = (g * ratio / np.sqrt(np.pi) + 0.5 * np.sqrt(wall)) * x
    normal += (0.5 + (g * ratio) ** 2 + 0.5 * np.sqrt(np.pi * wall) * g * ratio) * both
    along = ratio / np.sqrt(np.pi) * (x + np.sqrt(np.pi) * g * ratio * both)
    push = -0.5e-12 * size**2 * 0.5 / ratio**2
    force = push[:, None] * (normal[:, None] * n + along[:, None] * (v - g[:, None] * n))
    return lit, np.cross(arm, force)


def peak(torque):
    return np.linalg.norm(torque, axis=1).max()


def test_peak_torques_of_each_source_match_closed_forms(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE, encoding="utf-8")
    found = scenarios.run_case(path)
    t, rate = np.asarray(found.run.t), found.run.values("rate")
    turns = np.stack([rotation_matrix(e) for e in found.run.values("attitude")])
    down = in_body(turns, orbit(t)[0]) / 7e6
    gradient = 3 * MU / 7e6**3 * np.cross(down, down * (4.0, 3.0, 2.0))
    residual, eddy, damping = dipoles(t, turns, rate)
    light, gas = on_face(t, turns)
    expected = {
        "peak_gravity_gradient_torque_N_m": gradient,
        "peak_residual_dipole_torque_N_m": residual,
        "peak_eddy_currents_torque_N_m": eddy,
        "peak_magnetic_damping_torque_N_m": damping,
        "peak_solar_pressure_torque_N_m": light,
        "peak_drag_torque_N_m": gas,
        "peak_environment_torque_N_m": gradient + residual + eddy + light + gas,
    }
    for name, torque in expected.items():
        assert found.metrics[name].value == pytest.approx(peak(torque), rel=2e-4), name
    assert found.metrics["secular_momentum_N_m_s"].reason == "the run is shorter than one orbit"


def test_secular_momentum_is_what_the_spacecraft_gains(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE.replace("magnetorquers =", "#"), encoding="utf-8")
    period = 2 * np.pi * np.sqrt(7e6**3 / MU)
    found = scenarios.run_case(path, overrides=[f"run.duration_s={float(period)!r}", "run.output_s=4"])
    assert not [name for name in found.metrics if "damping" in name and found.metrics[name].value is not None]
    momentum = found.run.values("inertial_momentum")
    gained = np.linalg.norm(momentum[-1] - momentum[0])
    assert found.metrics["secular_momentum_N_m_s"].value == pytest.approx(gained, rel=1e-3)


@pytest.mark.parametrize(("output", "noted"), [(1.0, False), (30.0, True)])
def test_budget_of_rows_that_miss_the_rotation_is_called_approximate(tmp_path, output, noted):
    path = tmp_path / "case.toml"
    path.write_text(CASE)
    run = scenarios.run_case(path, overrides=[f"run.output_s={output}"]).run
    turn = budget_entries(budget_of(run))["torque_budget_turn_between_rows_deg"]
    fastest = float(np.linalg.norm(run.values("rate"), axis=1).max())
    assert turn == pytest.approx(np.degrees(fastest * output), rel=0.02)
    assert bool(unresolved(turn)) == noted
