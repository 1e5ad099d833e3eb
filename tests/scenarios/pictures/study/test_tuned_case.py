"""Figure of a tuned case."""

import numpy as np
import pytest

from polhode.scenarios.case.tuning.tuned_case import Requirement
from polhode.scenarios.pictures.study import tuned_case


@pytest.mark.parametrize(("value", "expected"), [(-6.0, 1.0), (-12.0, 0.501187), (0.0, 1.995262)])
def test_gain_in_dB_is_drawn_relative_to_a_negative_bound(value, expected):
    """20 dB are a factor of ten."""
    name = "gain_in_band_dB of loop from 62.8 to 100.5 rad/s"
    row = Requirement(name=name, bound=-6.0, at_most=True, before=value, after=value)
    assert tuned_case._ratio(row, row.after) == pytest.approx(expected, rel=1e-6)


def test_metrics_without_a_value_are_not_drawn():
    row = Requirement(name="disk_margin_inputs", bound=1.0, at_most=False, before=np.nan, after=0.0)
    assert np.isnan([tuned_case._ratio(row, each) for each in (row.before, row.after, None)]).all()
