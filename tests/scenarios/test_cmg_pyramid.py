"""The case cmg-pyramid and the keys of its gyros."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import run_case

TEXT = """
[plant]
inertia_kg_m2 = [30.0, 40.0, 50.0]

[[plant.elements]]
kind = "cmg-array"
skew_deg = 54.73
momentum_N_m_s = 10.0
rotor_inertia_kg_m2 = 0.02
gimbal_inertia_kg_m2 = 0.03
time_constant_s = 0.02

[initial]
attitude_deg = { sequence = "3-2-1", angles = [1.0, -2.0, 1.5] }

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.5
damping_ratio = 0.8
sample_s = 0.1

[run]
duration_s = 20.0
output_s = 0.5
"""

WHEELS = """[[plant.elements]]
kind = "wheel-array"
axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
inertia_kg_m2 = 0.1

"""


def run_of(tmp_path, text):
    path = tmp_path / "case.toml"
    path.write_text(text, encoding="utf-8")
    return run_case(path)


def test_shipped_case_meets_its_requirements_through_the_singularity():
    result = run_case("cmg-pyramid")
    assert all(each.met for each in result.requirements)
    least = result.metrics["least_singularity_measure"].value
    assert least is not None
    assert least < 1e-3
    assert result.metrics["external_impulse_N_m_s"].value is None
    run = result.run
    assert result.metrics["peak_torque_N_m"].value == pytest.approx(np.abs(run.values("steered_torque")).max())
    error = np.linalg.norm(run.values("torque_error"), axis=1)
    assert result.metrics["peak_gyro_torque_error_N_m"].value == pytest.approx(error.max())
    near = np.argmin(run.values("singularity_measure"))
    np.testing.assert_allclose(np.degrees(run.values("internal")[near, ::2]), (90.0, 0.0, -90.0, 0.0), atol=1.0)
    stored = run.values("internal_momentum")[:, 1::2]
    np.testing.assert_allclose(stored, 1000.0, rtol=1e-12)  # of the rotors, which have no motor
    assert any("came near a singularity" in each for each in run.warnings)


def test_gyros_at_axes_of_the_pyramid_are_the_pyramid(tmp_path):
    s, c = np.sin(np.radians(54.73)), np.cos(np.radians(54.73))
    axes = [[s, 0, c], [0, s, c], [-s, 0, c], [0, -s, c]]
    spins = [[0, 1, 0], [-1, 0, 0], [0, -1, 0], [1, 0, 0]]
    one = run_of(tmp_path, TEXT)
    given = f"axes = {np.array(axes).tolist()}\nspin_axes = {spins}\nangles_deg = [0.0, 0.0, 0.0, 0.0]"
    other = run_of(tmp_path, TEXT.replace("skew_deg = 54.73", given))
    np.testing.assert_allclose(one.run.x, other.run.x, rtol=1e-9, atol=1e-12)
    final = one.metrics["final_attitude_error_deg"].value
    assert final is not None
    assert final < 0.01


def test_steering_keys_reach_the_block(tmp_path):
    keys = (
        "null_gain_rad_s = 0.3\nrobust = 0.02\ndecay = 5.0\ndither = 0.1\ndither_frequency_rad_s = 2.0\n"
        "compensate = false"
    )
    run = run_of(tmp_path, TEXT.replace("time_constant_s = 0.02", f"time_constant_s = 0.02\n{keys}")).run
    assert run.status == "completed"
    with pytest.raises(InputError, match='robust applies only to steering = "singularity-robust"; remove it'):
        run_of(tmp_path, TEXT.replace("skew_deg", 'steering = "pseudo-inverse"\nrobust = 0.1\nskew_deg'))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("skew_deg = 54.73", "skew_deg = 95.0", r"plant.elements.0: skew angle of a pyramid of gyros must be between"),
        ("skew_deg = 54.73", "", "give skew_deg of a pyramid, or axes and spin_axes"),
        (
            "[[plant.elements]]",
            f"{WHEELS}[[plant.elements]]",
            "only one cmg-array or wheel-array can apply the torque of the controller",
        ),
        ("[plant]", '[plant]\ntorque_basis = "inertial"', 'a cmg-array is for torque_basis = "body"'),
        (
            "[initial]",
            "[plant.thrusters]\npositions_m = [[1,0,0]]\ndirections = [[0,1,0]]\nlimit_N = 1.0\n\n[initial]",
            "thrusters and a cmg-array both apply the torque of the controller",
        ),
    ],
)
def test_inconsistent_gyros_are_refused(tmp_path, old, new, message):
    path = tmp_path / "case.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        run_case(path)


def test_gyros_of_a_case_without_a_controller_rest():
    case = load_case("cmg-pyramid").case
    assert case.plant.has_steered_gyros
    assert not case.plant.has_wheels
