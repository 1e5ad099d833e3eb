"""Quantities of conditions compared with the rotations of the library."""

import numpy as np
import pytest

from polhode.controllers.laws.modes.modes_kernel import ATTITUDE_ERROR, RATE_ERROR, _value
from polhode.plant.attitude import attitude_error, rotation_angle, rotation_matrix


def test_conditions_use_attitude_and_rate_of_the_reference():
    rng = np.random.default_rng(5)
    for _ in range(5):
        e, f = (each / np.linalg.norm(each) for each in rng.standard_normal((2, 4)))
        rate, rate_there = rng.standard_normal((2, 3))
        y = np.concatenate((rng.standard_normal(2), e, rate, [9.0]))
        r = np.concatenate(([7.0], f, rate_there, np.zeros(3)))
        given = {"t": 1.0, "since": 0.0, "y": y, "at": (2, 6), "place": 0, "width": 0, "r": r, "ref": 1}
        error = attitude_error(e, f)
        assert _value(ATTITUDE_ERROR, **given) == pytest.approx(rotation_angle(error), rel=1e-12)
        apart = rate - rotation_matrix(error).T @ rate_there
        assert _value(RATE_ERROR, **given) == pytest.approx(np.linalg.norm(apart), rel=1e-12)
