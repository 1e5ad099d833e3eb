"""Names of the twelve Euler sequences."""

import numpy as np
import pytest

from polhode.plant.attitude import SEQUENCES, parse_sequence, singular_middle_angles
from polhode.plant.attitude.sequences import permutation_sign
from polhode.plant.errors import InputError


def test_sequences_are_the_twelve_valid_ones():
    assert len(set(SEQUENCES)) == 12
    assert list(SEQUENCES) == sorted(SEQUENCES)
    for word in SEQUENCES:
        i, j, k = parse_sequence(word)
        assert j not in {i, k}
        assert f"{i + 1}-{j + 1}-{k + 1}" == word


@pytest.mark.parametrize("word", ["3-1-2-1", "3-1-1", "313", "ZXZ", "3-1-4", "", (3, 1, 3), None])
def test_parse_sequence_rejects_unknown_sequences(word):
    with pytest.raises(InputError, match=r"sequence .* is unknown.*3-1-3"):
        parse_sequence(word)


def test_parse_sequence_suggests_the_nearest_sequence():
    with pytest.raises(InputError, match=r"sequence '3-1-2-1' is unknown; did you mean '3-[12]-[12]'\?"):
        parse_sequence("3-1-2-1")
    with pytest.raises(InputError, match=r"sequence '3-2-1 ' is unknown; did you mean '3-2-1'\?"):
        parse_sequence("3-2-1 ")


def test_singular_middle_angles_of_both_kinds_of_sequence():
    assert singular_middle_angles("3-1-3") == (0.0, np.pi)
    assert singular_middle_angles("3-2-1") == (-np.pi / 2, np.pi / 2)
    with pytest.raises(InputError, match="sequence '3-2-2'"):
        singular_middle_angles("3-2-2")


def test_permutation_sign_matches_cross_product():
    axes = np.eye(3)
    for i in range(3):
        for j in {0, 1, 2} - {i}:
            np.testing.assert_array_equal(np.cross(axes[i], axes[j]), permutation_sign(i, j) * axes[3 - i - j])
