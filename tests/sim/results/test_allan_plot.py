"""Figure of an Allan deviation: the record, the data-sheet curve and its lines."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.controllers.sensing.sensors import RateGyro, allan_deviation
from polhode.plant.errors import InputError


def test_points_are_the_record_and_lines_the_sheet():
    gyro = RateGyro.from_data_sheet(angle_random_walk_deg_sqrt_h=0.01, rate_random_walk_deg_h_sqrt_h=5.0)
    t = np.arange(5001) * 1.0
    rate = gyro.record(t, np.tile((1.0, 0.0, 0.0, 0.0), (5001, 1)), seed=1).measured.rate
    (axes,) = gyro.plot_allan(rate, sample=1.0).axes
    names = axes.get_legend_handles_labels()[1]
    assert "N = 0.01 deg/sqrt(h), read at 1 h" in names
    assert "K = 5 deg/h/sqrt(h), read at 3 h" in names
    assert not any("count" in name for name in names)
    tau, deviation, _ = allan_deviation(rate, 1.0)
    drawn = axes.containers[0].lines[0]
    np.testing.assert_allclose(drawn.get_ydata(), deviation[:, 0] * 180.0 / np.pi * 3600.0, rtol=1e-12)
    np.testing.assert_allclose(drawn.get_xdata(), tau)
    with pytest.raises(InputError, match="n x 3"):
        gyro.plot_allan(rate[:, 0], sample=1.0)
