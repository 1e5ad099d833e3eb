"""The case `geo-momentum-bias` against the textbook equations of roll and yaw, and sunlight by hand."""

import numpy as np
import pytest
from scipy.linalg import expm

from polhode import scenarios, sim
from polhode.plant.attitude import attitude_error, quaternion_product, to_rotation_vector
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case

JX, JY, JZ, H = 1800.0, 400.0, 1700.0, 50.0  # kg m^2, N m s
RADIUS = 42164170.0  # m
N = float(np.sqrt(3.986004418e14 / RADIUS**3))  # rad/s
# Wie, Space Vehicle Dynamics and Control, equations of roll and yaw in the orbit frame, x forward and z to the Earth:
# Jx roll'' + kx roll + g yaw' = Mx and Jz yaw'' + kz yaw - g roll' = Mz
KX, KZ = 4.0 * N * N * (JY - JZ) + N * H, N * N * (JY - JX) + N * H
G = H - N * (JX - JY + JZ)
DARK = ["environment.solar_pressure=false", "require=[]"]
TORQUE = np.array((5e-6, 3e-6))  # N m, of the antenna beams about roll and yaw


def test_frequencies_are_those_of_the_textbook():
    problem = build(load_case("geo-momentum-bias", overrides=DARK).case, with_law=False)
    assert problem.reference is not None
    pose = problem.reference.at(0.0)
    steady = problem.craft.state(attitude=pose[:4], rate=pose[4:7])
    # the beams are a torque of the run, so the nadir attitude is an equilibrium to the error of the spline
    poles = np.linalg.eigvals(problem.craft.linearize(steady, allow_nonequilibrium=True).A)
    square = np.roots((JX * JZ, -(JX * KZ + JZ * KX + G * G), KX * KZ))
    frequencies = np.sort((*np.sqrt(square), np.sqrt(3.0 * N * N * (JX - JZ) / JY)))
    np.testing.assert_allclose(np.sort(poles.imag)[-3:], frequencies, rtol=1e-6)
    assert np.abs(poles.real).max() < 1e-12
    assert frequencies[-1] == pytest.approx(H / np.sqrt(JX * JZ), rel=5e-3)


def test_uncontrolled_motion_is_that_of_the_linear_equations():
    """Half a day under the torque of the beams, from 0.1 deg of roll: the orbit exchanges roll and yaw."""
    problem = build(load_case("geo-momentum-bias", overrides=DARK).case, with_law=False)
    assert problem.reference is not None
    pose = problem.reference.at(0.0)
    angle = np.radians(0.1)
    tilted = quaternion_product(pose[:4], np.array((np.cos(angle / 2), np.sin(angle / 2), 0.0, 0.0)))
    state = problem.craft.state(attitude=tilted, rate=pose[4:7])
    run = sim.simulate(
        problem.craft, state=state, reference=problem.reference, torques=problem.pulses, duration=43200.0,
        integrator="rk4", step=2.0, output_step=3600.0,
    )  # fmt: skip
    a = np.zeros((4, 4))
    a[:2, 2:] = np.eye(2)
    a[2] = -KX / JX, 0.0, 0.0, -G / JX
    a[3] = 0.0, -KZ / JZ, G / JZ, 0.0
    steady = TORQUE / (KX, KZ)
    start = np.array((angle - steady[0], -steady[1], 0.0, -N * angle))  # yaw' = wz - n roll
    expected = [expm(a * t)[:2] @ start + steady for t in run.t]
    errors = [to_rotation_vector(attitude_error(e, problem.reference.at(t)[:4]))[[0, 2]]
              for e, t in zip(run.values("attitude"), run.t, strict=True)]  # fmt: skip
    assert np.ptp(np.asarray(errors), axis=0).min() > 1e-3
    np.testing.assert_allclose(errors, expected, atol=2e-6)  # rad; squares of the angles are 3e-6


def test_case_spends_little_on_roll_and_yaw_and_sunlight_is_by_hand():
    result = scenarios.run_case("geo-momentum-bias")
    late = result.run.values("thruster_on_time")[-1] - result.run.values("thruster_on_time")[60]
    none = scenarios.run_case(
        "geo-momentum-bias", overrides=["plant.elements.0.relative_rate_rad_s=0.0", "require=[]"]
    ).run.values("thruster_on_time")
    assert late[:8].sum() <= 4.0  # s, in all
    assert (none[-1] - none[60])[:8].sum() > 50.0
    # a box that turns about its pitch axis in the sunlight: means of c, c^2 and c^3 over the lit half of a turn;
    # in the shadow of the Earth the face of 4 m^2 would be lit; the Sun is 0.9961 au away
    rs, rd = 0.2, 0.3
    mean = 2.0 * (5.0 + 4.0) * ((1.0 - rs) / np.pi + 2.0 * rs * 2.0 / (3.0 * np.pi) + 2.0 * rd / 3.0 / 4.0)
    shadow = np.arcsin(6378137.0 / RADIUS) / np.pi * 4.0 * (1.0 - rs + 2.0 * rs + 2.0 * rd / 3.0)
    force = 1361.0 / 299792458.0 / 0.9961**2 * (mean - shadow)
    momentum = result.metrics["secular_momentum_N_m_s"].value
    assert momentum == pytest.approx(0.1 * force * 2.0 * np.pi / N, rel=1e-2)
