"""Verdicts of the theorems of Choi (2014), section 2.1, and the errors based on them."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import from_euler_angles, singular_middle_angles

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)


def test_body_and_inertial_torque_bases_are_always_bounded():
    for name, theorem in (("inertial", "Theorem 1"), ("body", "Theorem 2")):
        verdict = plant.singularity(plant.TorqueBasis(name), E)
        assert verdict == plant.Singularity(theorem=theorem, behaviour="bounded", distance=np.inf, amplification=1.0)


@pytest.mark.parametrize(
    ("name", "components", "theorem", "behaviour"),
    [
        ("euler", (1, 1, 1), "Theorem 3", "bounded, direction undefined at the pose"),
        ("euler", (0, 1, 0), "Theorem 3", "bounded, direction undefined at the pose"),
        ("euler", (1, 0, 1), "Theorem 3", "bounded"),
        ("dual-euler", (0, 1, 0), "Theorem 4 (C1)", "bounded, direction undefined at the pose"),
        ("dual-euler", (0, 0, 0), "Theorem 4 (C1)", "bounded"),
        ("dual-euler", (1, 0, 0), "Theorem 4 (C2)", "unbounded at the pose"),
        ("dual-euler", (0, 0, 1), "Theorem 4 (C2)", "unbounded at the pose"),
        ("dual-euler", (1, 1, 1), "Theorem 4 (C2)", "unbounded at the pose"),
    ],
)
def test_torque_singularity_verdicts(sequence, angles, name, components, theorem, behaviour):
    basis = plant.TorqueBasis(name, sequence)
    for a in angles:
        verdict = plant.singularity(basis, from_euler_angles(a, sequence), components=components)
        assert (verdict.theorem, verdict.behaviour) == (theorem, behaviour)
        poses = np.array(singular_middle_angles(sequence))
        # arcsin loses half its digits at a distance near 90 deg: sqrt(eps) = 1.5e-8
        assert verdict.distance == pytest.approx(np.abs(poses - a[1]).min(), rel=0, abs=5e-8)
        grows = theorem == "Theorem 4 (C2)"
        expected = 1.0 / np.sin(verdict.distance) if grows else 1.0
        assert verdict.amplification == pytest.approx(expected, rel=1e-12)


def test_amplification_is_torque_per_unit_component(sequence, angles):
    basis = plant.TorqueBasis("dual-euler", sequence)
    for a in angles:
        e = from_euler_angles(a, sequence)
        for u in ((1, 0, 0), (0, 0, 1)):
            length = np.linalg.norm(basis.to_body(u, e))
            assert plant.singularity(basis, e, components=u).amplification == pytest.approx(length, rel=1e-12)


def test_torque_singularity_at_the_exact_pose():
    verdict = plant.singularity(plant.TorqueBasis("dual-euler", "3-1-3"), (1, 0, 0, 0))
    assert verdict.distance == 0.0
    assert verdict.amplification == np.inf


def test_torque_singularity_rejects_bad_input():
    basis = plant.TorqueBasis("euler", "3-1-3")
    with pytest.raises(plant.InputError, match="attitude must be unit Euler parameters"):
        plant.singularity(basis, (1, 1, 0, 0))
    with pytest.raises(plant.InputError, match="torque components must be finite"):
        plant.singularity(basis, E, components=(1, np.nan, 0))


@pytest.mark.parametrize("name", ["euler", "dual-euler"])
def test_linear_model_at_the_singular_pose_is_rejected(sequence, name):
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), torques=plant.TorqueBasis(name, sequence))
    for middle in singular_middle_angles(sequence):
        for off in (0.0, 1e-7, -1e-7):
            e = from_euler_angles((0.3, middle + off, 0.4), sequence)
            with pytest.raises(plant.SingularBasisError, match=f"the {name} torque basis {sequence} is singular"):
                craft.linearize(craft.at_rest(e))
        clear = from_euler_angles((0.3, middle + 1e-3, 0.4), sequence)
        assert np.isfinite(craft.linearize(craft.at_rest(clear)).B).all()


def test_singular_pose_error_gives_the_theorem():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), torques=plant.TorqueBasis("dual-euler", "3-1-3"))
    with pytest.raises(
        plant.SingularBasisError, match=r"Theorem 4 \(C2\): unbounded at the pose.*use a different sequence"
    ):
        craft.linearize(craft.at_rest())
