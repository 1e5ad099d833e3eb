"""R_F against the values that Carlson (1995) prints, and against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import elliprf

from polhode.plant.attitude.free_motion.first_kind import r_f

# Carlson 1995, section 3: fourteen digits.
PRINTED = (
    ((1.0, 2.0, 0.0), 1.3110287771461),
    ((0.5, 1.0, 0.0), 1.8540746773014),
    ((2.0, 3.0, 4.0), 0.58408284167715),
)


@pytest.mark.parametrize(("arguments", "value"), PRINTED)
def test_r_f_matches_printed_values(arguments: tuple[float, float, float], value: float) -> None:
    assert r_f(*arguments) == pytest.approx(value, rel=5e-14)  # the printed digits


def test_r_f_matches_scipy_over_many_decades() -> None:
    random = np.random.default_rng(3)
    for x, y, z in 10.0 ** random.uniform(-100.0, 3.0, (500, 3)):
        assert r_f(x, y, z) == pytest.approx(float(elliprf(x, y, z)), rel=2e-15)  # some roundings of each
        assert r_f(0.0, y, z) == pytest.approx(float(elliprf(0.0, y, z)), rel=2e-15)
