"""Clock of a block: its times in range, as floats."""

import pytest

from polhode.controllers import Clock
from polhode.plant import InputError


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ({"period": 0.0}, "period must be greater than 0"),
        ({"period": float("nan")}, "period must be finite"),
        ({"period": 1e-12}, "period 1e-12 s is outside 1e-09 to 1e.09 s"),
        ({"period": "fast"}, "period must be numbers"),
        ({"period": 0.1, "offset": -0.1}, "offset must not be negative"),
        ({"period": 0.1, "delay": -0.1}, "delay must not be negative"),
        ({"period": 0.1, "delay": 200.0}, "more than 1000 periods"),
    ],
)
def test_clock_rejects_times_out_of_range(times, words):
    with pytest.raises(InputError, match=words):
        Clock(**times)


def test_clock_stores_floats():
    clock = Clock(1, offset=2, delay=3)
    assert [type(each) for each in (clock.period, clock.offset, clock.delay)] == [float] * 3
    assert clock == Clock(1.0, offset=2.0, delay=3.0)
