"""Steady precession: reference values, cones, classification and the motion itself."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.plant.attitude import from_euler_angles, rotation_matrix
from polhode.plant.attitude.free_motion import axisymmetric_motion, roll_coupling
from polhode.plant.errors import InputError


def test_axisymmetric_prolate_motion_matches_reference() -> None:
    motion = axisymmetric_motion(2.0, 0.5, speed=3.0, angle=np.radians(10.0))
    # all digits of the reference
    assert motion.momentum == pytest.approx(1.807674479611248, rel=1e-15)
    assert motion.theta == pytest.approx(0.6142794525393278, rel=1e-15)
    assert motion.precession == pytest.approx(0.903837239805624, rel=1e-15)
    assert motion.spin == pytest.approx(2.215817444277468, rel=1e-15)
    assert motion.space_cone == pytest.approx(0.43974652734, abs=1e-11)
    assert motion.kind == "direct"
    assert motion.body_cone < motion.theta


def test_axisymmetric_oblate_motion_matches_reference() -> None:
    motion = axisymmetric_motion(1.0, 1.8, speed=3.0, angle=np.radians(20.0))
    assert motion.momentum == pytest.approx(5.177038534397759, rel=1e-15)
    assert motion.theta == pytest.approx(0.1995155090910779, rel=1e-15)
    assert motion.precession == pytest.approx(5.177038534397759, rel=1e-15)
    assert motion.spin == pytest.approx(-2.25526228988618, rel=1e-14)  # 15 digits given
    assert motion.kind == "retrograde"
    assert motion.body_cone > motion.theta


@pytest.mark.parametrize(("transverse", "axial", "kind"), [(2.0, 0.5, "direct"), (1.0, 1.8, "retrograde")])
@pytest.mark.parametrize("beta", [0.01, 0.4, 1.5, 1.7, 3.0])
def test_axisymmetric_kind_is_independent_of_the_sense_of_z(
    transverse: float, axial: float, kind: str, beta: float
) -> None:
    motion = axisymmetric_motion(transverse, axial, speed=2.0, angle=beta)
    other = axisymmetric_motion(transverse, axial, speed=2.0, angle=np.pi - beta)
    assert motion.kind == other.kind == kind
    assert motion.spin == pytest.approx(-other.spin, rel=1e-14)
    assert motion.body_cone == pytest.approx(other.body_cone, rel=1e-13)
    assert motion.space_cone == pytest.approx(other.space_cone, rel=1e-12)
    # "same sign for I0 > I" holds for cos theta > 0
    same = motion.precession * motion.spin > 0.0
    assert same == ((transverse > axial) == (np.cos(motion.theta) > 0.0))


@pytest.mark.parametrize(("transverse", "axial"), [(2.0, 0.5), (1.0, 1.8)])
@pytest.mark.parametrize("beta", [0.2, 1.2, 2.5])
def test_axisymmetric_body_cone_rolls_without_slipping(transverse: float, axial: float, beta: float) -> None:
    motion = axisymmetric_motion(transverse, axial, speed=2.0, angle=beta)
    # omega is the contact line, at rest in both cones: it rotates at phidot in space and at -psidot in the body, and
    # covers the same arc on both cones
    assert motion.precession * np.sin(motion.space_cone) == pytest.approx(
        abs(motion.spin) * np.sin(motion.body_cone), rel=1e-13
    )


@pytest.mark.parametrize(("transverse", "axial"), [(2.0, 0.5), (1.0, 1.8)])
def test_axisymmetric_motion_conserves_momentum(transverse: float, axial: float) -> None:
    motion = axisymmetric_motion(transverse, axial, rate=(0.3, -0.5, 0.8))
    t = np.linspace(0.0, 9.0, 7)
    np.testing.assert_allclose(motion.rate(0.0), (0.3, -0.5, 0.8), rtol=1e-15)
    turn = rotation_matrix(from_euler_angles(motion.angles(t), "3-1-3"))
    h = np.einsum("nij,nj->ni", turn, motion.rate(t) * (transverse, transverse, axial))
    np.testing.assert_allclose(h, np.broadcast_to((0.0, 0.0, motion.momentum), (7, 3)), rtol=0.0, atol=1e-14)
    phi, theta, psi = motion.precession, motion.theta, motion.spin
    for angle, rate in zip(motion.angles(t)[:, 2], motion.rate(t), strict=True):  # the lecture's (1)-(3)
        expected = (phi * np.sin(theta) * np.sin(angle), phi * np.sin(theta) * np.cos(angle), phi * np.cos(theta) + psi)
        np.testing.assert_allclose(rate, expected, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize(
    ("inertia", "beta"), [((1.5, 1.5), 0.4), ((2.0, 1.0), 0.0), ((2.0, 1.0), np.pi), ((2.0, 1.0), np.pi / 2)]
)
def test_axisymmetric_motion_without_precession_has_kind_none(inertia: tuple[float, float], beta: float) -> None:
    assert axisymmetric_motion(*inertia, speed=1.0, angle=beta).kind == "none"


def test_axisymmetric_motion_rejects_bad_input() -> None:
    with pytest.raises(InputError, match="triangle inequality"):
        axisymmetric_motion(1.0, 2.5, speed=1.0, angle=0.1)
    with pytest.raises(InputError, match="or the rate"):
        axisymmetric_motion(1.0, 1.5, speed=1.0)
    with pytest.raises(InputError, match="or the rate"):
        axisymmetric_motion(1.0, 1.5, speed=1.0, angle=0.1, rate=(0, 0, 1))
    with pytest.raises(InputError, match="from 0 to pi"):
        axisymmetric_motion(1.0, 1.5, speed=1.0, angle=-0.1)
    with pytest.raises(InputError, match="greater than 0"):
        axisymmetric_motion(1.0, 1.5, rate=(0, 0, 0))


def test_roll_coupling_matches_reference() -> None:
    roll = roll_coupling(85000.0, 12800.0, misalignment=np.radians(2.0), impulse=51200.0)
    assert roll.motion.precession == pytest.approx(0.6023529412, abs=5e-11)  # 51200 / 85000
    assert roll.motion.theta == pytest.approx(np.radians(2.0), rel=1e-14)
    assert np.degrees(roll.largest_swing) == pytest.approx(4.0, rel=1e-15)
    assert roll.motion.kind == "direct"


def test_roll_coupling_swing_matches_the_attitude() -> None:
    roll = roll_coupling(85000.0, 12800.0, misalignment=np.radians(2.0), impulse=51200.0)
    t = np.linspace(0.0, 2.0, 9)
    nose = np.array([np.sin(roll.misalignment), 0.0, np.cos(roll.misalignment)])  # along H at t = 0
    turn = rotation_matrix(from_euler_angles(roll.motion.angles(t), "3-1-3"))
    np.testing.assert_allclose(turn[0] @ nose, (0.0, 0.0, 1.0), rtol=0.0, atol=1e-15)
    across = np.linalg.norm((turn @ nose)[:, :2], axis=1)
    np.testing.assert_allclose(np.sin(roll.swing(t)), across, rtol=0.0, atol=1e-15)
    assert roll.swing(roll.time_of_largest_swing) == pytest.approx(roll.largest_swing, rel=1e-14)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"misalignment": 0.0}, "between 0 and pi/2"),
        ({"impulse": -1.0}, "greater than 0"),
        ({"axial": 85000.0}, "no coupling"),
    ],
)
def test_roll_coupling_rejects_bad_input(change: dict[str, float], words: str) -> None:
    given = {"axial": 12800.0, "misalignment": 0.03, "impulse": 51200.0, **change}
    with pytest.raises(InputError, match=words):
        roll_coupling(85000.0, given.pop("axial"), **given)
