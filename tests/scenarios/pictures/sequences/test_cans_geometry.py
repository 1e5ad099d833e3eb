"""Cans in series against rotation matrices: axes, frames, positions of the pairs, and gimbal lock."""

import numpy as np
import pytest

from polhode.plant.attitude import (
    SEQUENCES,
    euler_rate_matrix_inertial,
    from_euler_angles,
    rotation_matrix,
    singular_middle_angles,
)
from polhode.plant.errors import InputError
from polhode.scenarios.pictures import cans_in_series
from polhode.scenarios.pictures.sequences.cans_geometry import GAP, LENGTH, LINK, RADIUS

ANGLES = np.random.default_rng(5).uniform(-7.0, 7.0, (6, 3))


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("angles", ANGLES)
def test_axes_and_frames(sequence, angles):
    cans = cans_in_series(sequence, angles)
    basis = euler_rate_matrix_inertial(angles, sequence)  # columns g1, g2, g3
    for n, pair in enumerate(cans.pairs):
        assert pair.number == n + 1
        assert pair.axis == int(sequence[2 * n]) - 1
        np.testing.assert_allclose(pair.direction, basis[:, n], atol=1e-14)
        # the rotation of the pair, by Rodrigues' formula, maps the previous frame to the next
        x, y, z = pair.direction
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turn = np.eye(3) + np.sin(pair.angle) * cross + (1.0 - np.cos(pair.angle)) * cross @ cross
        np.testing.assert_allclose(turn @ pair.before, pair.after, atol=1e-14)
    np.testing.assert_array_equal(cans.frames[0], np.eye(3))
    np.testing.assert_allclose(cans.frames[3], rotation_matrix(from_euler_angles(angles, sequence)), atol=1e-14)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_neighbouring_axes_meet_and_links_fit(sequence):
    cans = cans_in_series(sequence, ANGLES[0])
    for pair, after, (start, end) in zip(cans.pairs[:2], cans.pairs[1:], cans.links, strict=True):
        offset = after.centre - pair.shoulder
        np.testing.assert_allclose(np.cross(offset, after.direction), 0.0, atol=1e-14)  # on the next axis
        np.testing.assert_allclose(end - start, LINK * after.direction, atol=1e-14)
        np.testing.assert_allclose(start - pair.shoulder, RADIUS * after.direction, atol=1e-14)
        np.testing.assert_allclose(end, after.foot, atol=1e-14)
    for pair in cans.pairs:
        np.testing.assert_allclose(pair.end - pair.foot, (2.0 * LENGTH + GAP) * pair.direction, atol=1e-14)


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("which", [0, 1])
def test_cans_axes_lie_in_one_plane_at_singular_pose(sequence, which):
    middle = singular_middle_angles(sequence)[which]
    cans = cans_in_series(sequence, (0.6, middle, -1.1))
    assert cans.locked
    assert cans.distance < 1e-15
    point, normal = cans.plane
    for pair in cans.pairs:
        for end in (pair.foot, pair.end):
            assert (end - point) @ normal == pytest.approx(0.0, abs=1e-14)
    # what the attitude still determines: the sum of the outer angles, or the difference, as the caption says
    other = cans_in_series(sequence, (0.6 + 0.3, middle, -1.1 + (-0.3 if cans.parallel else 0.3)))
    np.testing.assert_allclose(other.frames[3], cans.frames[3], atol=1e-14)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_away_from_the_pose_they_do_not(sequence):
    low, high = singular_middle_angles(sequence)
    for share in (1e-9, 0.1, 0.5, 0.9):
        cans = cans_in_series(sequence, (0.6, low + share * (high - low), -1.1))
        assert not cans.locked
        assert cans.distance == pytest.approx(min(share, 1.0 - share) * np.pi, rel=1e-6)
        point, normal = cans.plane
        offset = abs(float((cans.pairs[2].end - point) @ normal))
        assert offset > 0.9 * np.sin(cans.distance)


def test_errors():
    with pytest.raises(InputError, match="did you mean '3-1-3'"):
        cans_in_series("3-1-4", (0, 0, 0))
    with pytest.raises(InputError, match="angles must be 3 numbers"):
        cans_in_series("3-1-3", (0, 0))
