"""Times of the rows of a run."""

import numpy as np
import pytest

from polhode.sim.runs.output_grid import output_grid


@pytest.mark.parametrize("count", [5, 40], ids=["few", "many"])
def test_output_times_in_any_order_are_sorted_and_unique(count):
    times = np.linspace(0.25, 9.75, count)
    mixed = np.concatenate([times[:1], times[1:][::-1], times[2:4]])  # all after the first, but not ascending
    np.testing.assert_array_equal(output_grid(10.0, None, mixed), times)
    np.testing.assert_array_equal(output_grid(10.0, None, times), times)
