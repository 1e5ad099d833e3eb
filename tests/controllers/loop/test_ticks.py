"""Common tick of all periods and offsets."""

from fractions import Fraction

import pytest

from polhode.controllers.loop.ticks import common_tick
from polhode.plant import InputError


@pytest.mark.parametrize(
    ("times", "tick"),
    [
        ((0.1,), Fraction(1, 10)),
        ((0.1, 0.03), Fraction(1, 100)),
        ((0.1, 0.03, 0.025), Fraction(1, 200)),
        ((0.1, 1 / 3), Fraction(1, 30)),
        ((60.0, 45.0, 0.0), Fraction(15)),
        ((0.1, 0.1 + 2e-17), Fraction(1, 10)),
    ],
)
def test_every_time_is_a_multiple_of_the_longest_tick(times, tick):
    assert common_tick({str(n): time for n, time in enumerate(times)}) == tick


def test_times_without_common_tick_are_rejected_by_name():
    with pytest.raises(InputError, match=r"filter 0\.0314\d+ s has no tick of 1e-9 s or longer .*\(law 0\.1"):
        common_tick({"law": 0.1, "filter": 0.031415926535897934})
