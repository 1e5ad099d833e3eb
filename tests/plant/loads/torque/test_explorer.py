"""The analysis of the torque bases against closed forms, rotation matrices and the kernels of the plant."""

import dataclasses
import json

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import from_euler_angles, rotation_matrix, singular_middle_angles
from polhode.plant.errors import InputError
from polhode.plant.loads.torque import explore_bases


def sine(sequence, middle):
    """c: |sin a2| or |cos a2|."""
    return abs(np.sin(middle)) if sequence[0] == sequence[-1] else abs(np.cos(middle))


def test_basis_vectors_match_rotation_axes(sequence, angles):
    i, j, k = (int(word) - 1 for word in sequence.split("-"))
    for a in angles:
        computed = explore_bases(sequence, angles=a)
        first, second = (
            rotation_matrix(from_euler_angles(np.where(np.arange(3) < turns, a, 0.0), sequence)) for turns in (1, 2)
        )
        expected = [np.eye(3)[i], first[:, j], second[:, k]]
        np.testing.assert_allclose(computed.euler_inertial, expected, atol=1e-14)
        R = rotation_matrix(computed.attitude)
        np.testing.assert_allclose(computed.euler_inertial, computed.euler_body @ R.T, atol=1e-14)
        np.testing.assert_allclose(computed.dual_inertial, computed.dual_body @ R.T, atol=1e-13)
        for euler, dual in (
            (computed.euler_body, computed.dual_body),
            (computed.euler_inertial, computed.dual_inertial),
        ):
            np.testing.assert_allclose(dual @ euler.T, np.eye(3), atol=1e-14 / sine(sequence, a[1]))


def test_basis_vectors_are_torques_of_unit_components(sequence, angles):
    for a in angles[:5]:
        computed = explore_bases(sequence, angles=a)
        for name, rows in (("euler", computed.euler_body), ("dual-euler", computed.dual_body)):
            basis = plant.TorqueBasis(name, sequence)
            for row, unit in zip(rows, np.eye(3), strict=True):
                np.testing.assert_allclose(basis.to_body(unit, computed.attitude), row, rtol=1e-12, atol=1e-12)


def test_basis_lengths_condition_and_pose_distance(sequence, angles):
    low, high = singular_middle_angles(sequence)
    for a in angles:
        computed = explore_bases(sequence, angles=a)
        c = sine(sequence, a[1])
        np.testing.assert_allclose(computed.dual_lengths, (1.0 / c, 1.0, 1.0 / c), rtol=1e-14)
        np.testing.assert_allclose(np.linalg.norm(computed.dual_body, axis=1), computed.dual_lengths, rtol=1e-13)
        np.testing.assert_array_equal(computed.euler_lengths, 1.0)
        assert computed.condition == pytest.approx(np.linalg.cond(computed.euler_body), rel=1e-12)
        assert computed.distance == pytest.approx(min(a[1] - low, high - a[1]), rel=1e-13)
        assert not computed.singular


@pytest.mark.parametrize("offset", [1e-3, 1e-7, 1e-12])
def test_basis_condition_is_accurate_near_the_pose(sequence, offset):
    middle = singular_middle_angles(sequence)[0] + offset
    computed = explore_bases(sequence, angles=(0.3, middle, -0.8))
    loss = 3e-16 / offset  # near -90 deg the middle angle has a rounding error of one unit in the last place
    assert computed.dual_lengths[0] == pytest.approx(1.0 / offset, rel=loss + 1e-6 * offset + offset**2)
    np.testing.assert_allclose(np.linalg.norm(computed.dual_body, axis=1), computed.dual_lengths, rtol=1e-13 + loss)
    assert not computed.singular


@pytest.mark.parametrize("which", [0, 1])
def test_basis_analysis_at_the_pose_is_infinite(sequence, which):
    computed = explore_bases(sequence, angles=(0.3, singular_middle_angles(sequence)[which], -0.8))
    assert computed.singular
    assert computed.condition == np.inf
    assert computed.dual_lengths.tolist() == [np.inf, 1.0, np.inf]
    assert np.isnan(computed.dual_body[[0, 2]]).all()
    np.testing.assert_array_equal(computed.dual_body[1], computed.euler_body[1])
    assert computed.verdicts["g^1, g^3"].amplification == np.inf
    assert computed.verdicts["g^2"].amplification == 1.0
    np.testing.assert_allclose(np.cross(computed.euler_body[0], computed.euler_body[2]), 0.0, atol=1e-15)


def test_basis_analysis_verdicts(sequence):
    computed = explore_bases(sequence, angles=(0.1, 0.6, 0.2))
    table = {name: (case.theorem, case.behaviour) for name, case in computed.verdicts.items()}
    undefined = "bounded, direction undefined at the pose"
    assert table == {
        "inertial frame": ("Theorem 1", "bounded"),
        "body frame": ("Theorem 2", "bounded"),
        "g1, g3": ("Theorem 3", "bounded"),
        "g2": ("Theorem 3", undefined),
        "g^2": ("Theorem 4 (C1)", undefined),
        "g^1, g^3": ("Theorem 4 (C2)", "unbounded at the pose"),
    }
    assert computed.verdicts["g^1, g^3"].amplification == computed.dual_lengths[0]
    assert computed.verdicts["g2"].distance == computed.distance


def test_basis_analysis_of_attitude_and_of_angles_agree(sequence, angles):
    for a in angles[:3]:
        first = explore_bases(sequence, angles=a).to_dict()
        second = explore_bases(sequence, attitude=from_euler_angles(a, sequence)).to_dict()
        for basis in ("euler_basis", "dual_basis"):
            for frame in ("body", "inertial"):
                np.testing.assert_allclose(first[basis][frame], second[basis][frame], atol=1e-12)


def test_basis_analysis_to_dict_has_plain_values():
    computed = explore_bases("3-1-3", angles=(0.1, 0.6, 0.2))
    again = json.loads(json.dumps(computed.to_dict(), allow_nan=False))
    assert again["angles_rad"] == [0.1, 0.6, 0.2]
    assert again["distance_deg"] == pytest.approx(np.degrees(0.6))
    assert again["dual_basis"]["body"] == computed.dual_body.tolist()
    assert [row["components"] for row in again["theorems"]] == list(computed.verdicts)


def test_basis_analysis_is_frozen():
    computed = explore_bases("3-1-3", angles=(0.1, 0.6, 0.2))
    with pytest.raises(dataclasses.FrozenInstanceError):
        computed.condition = 1.0


def test_singular_pose_persists_without_middle_angle_motion():
    """The middle angle stays at 90 deg for a torque along g^1 from rest, as the docstring of the class states."""
    from polhode import sim

    craft = plant.Spacecraft(plant.RigidBody((2.0, 3.0, 1.0)))  # about y, the stable axis of most inertia
    start = from_euler_angles((0.0, np.pi / 2, 0.0), "3-1-3")
    pulse = plant.TorquePulse((1.0, 0.0, 0.0), start=0.0, stop=20.0, basis=plant.TorqueBasis("dual-euler", "3-1-3"))
    run = sim.simulate(craft, duration=20.0, attitude=start, torques=(pulse,), output_step=0.5)
    assert run.status == "completed"
    assert np.linalg.norm(run.values("rate")[-1]) == pytest.approx(20.0 / 3.0, rel=1e-9)  # the rotation is fast
    for e in run.values("attitude"):
        assert explore_bases("3-1-3", attitude=e).dual_lengths[0] == pytest.approx(1.0, abs=1e-9)


def test_momentum_keeps_the_body_away_from_the_pose(sequence):
    """|p1 -+ p3| <= |h| delta for any momentum h: the momentum keeps the body off the pose."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        low, high = singular_middle_angles(sequence)
        computed = explore_bases(sequence, angles=(rng.uniform(-3, 3), rng.uniform(low, high), rng.uniform(-3, 3)))
        h = rng.normal(size=3)
        p1, _, p3 = computed.euler_inertial @ h
        side = np.sign(computed.euler_inertial[0] @ computed.euler_inertial[2])
        assert abs(p1 - side * p3) <= np.linalg.norm(h) * computed.distance


def test_basis_analysis_rejects_bad_input():
    with pytest.raises(InputError, match="give the attitude once"):
        explore_bases("3-1-3")
    with pytest.raises(InputError, match="give the attitude once"):
        explore_bases("3-1-3", angles=(0, 1, 0), attitude=(1, 0, 0, 0))
    with pytest.raises(InputError, match="sequence '3-1-1' is unknown"):
        explore_bases("3-1-1", angles=(0, 1, 0))
    with pytest.raises(InputError, match="angles must be finite"):
        explore_bases("3-1-3", angles=(0, np.nan, 0))
