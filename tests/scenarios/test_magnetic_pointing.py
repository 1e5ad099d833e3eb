"""The case `magnetic-pointing`, its analysis over an orbit, and the keys of its magnetorquers."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.plant.attitude import from_rotation_matrix, quaternion_product, rotation_matrix


def torque_of_law(t, attitude, rate):
    """-(I - b b')(kp theta + kd omega_rel) on a circular orbit at 97.4 degrees, in the field of an axial dipole."""
    n, tilt = np.sqrt(3.986004418e14 / 6878137.0**3), np.radians(97.4)
    u = n * t
    up = np.array((np.cos(u), np.sin(u) * np.cos(tilt), np.sin(u) * np.sin(tilt)))
    normal = np.array((0.0, -np.sin(tilt), np.cos(tilt)))
    frame, body = np.column_stack([np.cross(normal, up), -normal, -up]), rotation_matrix(attitude)
    error = frame.T @ body
    axis = np.array((error[2, 1] - error[1, 2], error[0, 2] - error[2, 0], error[1, 0] - error[0, 1]))
    theta = axis / np.sqrt(1.0 + np.trace(error))
    b = body.T @ (np.array((0.0, 0.0, 1.0)) - 3.0 * up[2] * up)
    b = b / np.linalg.norm(b)
    desired = -8.574787179e-8 * theta - 3.873742062e-5 * (rate - body.T @ (n * normal))
    return desired - b * (b @ desired)


def test_error_decreases_as_the_multipliers_state():
    """The largest multiplier is 0.166: errors decrease about sixfold per orbit."""
    found = scenarios.run_case("magnetic-pointing")
    error = np.degrees(found.run.values("attitude_error"))
    period = 5676.978
    sizes = [error[(found.run.t >= n * period) & (found.run.t < (n + 1) * period)].max() for n in range(3)]
    assert sizes[1] < 0.3 * sizes[0]
    assert sizes[2] < 0.3 * sizes[1]
    rows = zip(found.run.t, found.run.values("attitude"), found.run.values("rate"), strict=True)
    torque = max(float(np.linalg.norm(torque_of_law(*row))) for row in rows)
    assert found.metrics["peak_magnetic_pointing_torque_N_m"].value == pytest.approx(torque, rel=1e-6)


def test_analyse_prints_multipliers_of_the_computed_case(polhode):
    summary = polhode("analyse", "magnetic-pointing", "--json").json
    found = np.array(summary["floquet"]["multipliers"])
    expected = (0.165945960009, 0.053706548351, 0.053706548351, 0.048874468376, 0.048874468376, 0.000870639767)
    np.testing.assert_allclose(found[:, 0], expected, rtol=0, atol=3e-8)
    assert summary["holds"]
    assert summary["floquet"]["map_difference"] < 1e-6  # the reference is interpolated to 1e-7 rad
    text = polhode("analyse", "magnetic-pointing").out
    assert "largest multiplier 0.1659: stable" in text


def test_analyse_reports_an_unstable_orbit(polhode):
    """A case of the literature, whose gravity gradient the projected law cannot stabilise."""
    told = [
        "plant.inertia_kg_m2=[250.0,150.0,100.0]",
        "plant.magnetorquers.stiffness_N_m_rad=2e-4",
        "plant.magnetorquers.damping_N_m_s_rad=0.3",
        "orbit.inclination_deg=57.0",
        "orbit.altitude_km=657.0",
    ]
    outcome = polhode("analyse", "magnetic-pointing", *(each for key in told for each in ("--set", key)))
    assert outcome.code == 1
    assert "largest multiplier 5.5" in outcome.out
    assert "unstable" in outcome.out


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (['plant.magnetorquers={law="pointing",stiffness_N_m_rad=1.0,dipole_limit_A_m2=0.2}'], "damping_N_m_s_rad"),
        (["plant.magnetorquers.gain_1_s=1.0"], 'gain_1_s: belongs to law = "unloading", but the law is "pointing"'),
        (["environment.magnetic_field="], "magnetic_field"),
    ],
)
def test_wrong_keys_are_refused(told, message):
    with pytest.raises(InputError, match=message):
        scenarios.run_case("magnetic-pointing", overrides=[*told, "require=[]"])


def test_runs_start_at_the_opposite_attitude():
    """At 180 deg 1 + trace(error) is a rounding error of either sign; the torque is at most 2 kp + kd |omega_rel|."""
    tilt = np.radians(97.4)
    up, normal = np.array((1.0, 0.0, 0.0)), np.array((0.0, -np.sin(tilt), np.cos(tilt)))
    aligned = from_rotation_matrix(np.column_stack([np.cross(normal, up), -normal, -up]))
    for axis in np.random.default_rng(0).normal(size=(4, 3)):
        opposite = quaternion_product(aligned, np.append(0.0, axis / np.linalg.norm(axis)))
        start = f"initial.attitude={(opposite / np.linalg.norm(opposite)).tolist()}"
        told = [
            start,
            "initial.rate_rad_s=[0,0,0]",
            "run.duration_s=10",
            "require=[]",
            "environment.gravity_gradient=false",
        ]
        run = scenarios.run_case("magnetic-pointing", overrides=told).run
        assert run.status == "completed"
        assert run.counters["steps"] < 100
        assert np.linalg.norm(run.values("momentum")[-1]) < 10.0 * (2.0 * 8.574787179e-8 + 3.873742062e-5 * 0.0012)
