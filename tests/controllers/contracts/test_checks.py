"""Checks of timing, parameters and read-only copies of numbers."""

import numpy as np
import pytest

from polhode import plant
from polhode.controllers.contracts.checks import check_timing, packed, read_only


@pytest.mark.parametrize(
    ("sample", "delay", "message"),
    [
        (0.0, 0.0, r"sample must be greater than 0 \(s\); got 0"),
        (-0.1, 0.0, r"sample must be greater than 0"),
        (0.1, -0.01, r"delay must not be negative \(s\)"),
        (float("nan"), 0.0, "sample must be finite"),
        (0.1, float("inf"), "delay must be finite"),
        (0.01, 20.0, "more than 1000 periods"),
        ("fast", 0.0, "sample must be numbers"),
    ],
)
def test_timing_out_of_range_is_rejected(sample, delay, message):
    with pytest.raises(plant.InputError, match=message):
        check_timing(sample, delay)


def test_packed_rejects_other_than_numbers():
    with pytest.raises(plant.InputError, match="law parameters must be numbers"):
        packed("law parameters", ["a"])
    with pytest.raises(plant.InputError, match="law parameters must be finite"):
        packed("law parameters", [1.0, np.nan])
    np.testing.assert_array_equal(packed("p", [[1, 2], [3, 4]]), [1, 2, 3, 4])


def test_read_only_returns_a_copy():
    mine = np.ones(3)
    kept = read_only(mine)
    mine[0] = 7.0
    assert kept[0] == 1.0
