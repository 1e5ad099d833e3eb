"""Fast oscillations are drawn by their first periods, if the rest looks the same."""

import numpy as np
import pytest

from polhode.scenarios.pictures.run.swings import MANY, SHOWN, first_swings, swings
from polhode.sim.results.page import new_page

T = np.linspace(0.0, 30.0, 6001)


def axes_of(*lines):
    axes = new_page((8.0, 4.5), dpi=80).subplots()
    for line in lines:
        axes.plot(T, line)
    return axes


def test_fast_steady_line_is_shown_for_its_first_swings():
    fast = np.sin(2.0 * np.pi * 5.0 * T)  # 150 revolutions
    end = first_swings(axes_of(fast, 0.0 * T))
    assert swings(fast) > MANY
    assert end == pytest.approx(SHOWN / 10.0, rel=0.01)  # two crossings per revolution, five revolutions per second


@pytest.mark.parametrize(
    "line",
    [
        np.sin(T),  # slow
        np.exp(-0.05 * T) * np.sin(31.4 * T),  # decaying signals are drawn to their end
        0.1 * T + np.sin(31.4 * T),  # and drifting ones
        np.where(T > 20.0, np.nan, np.sin(31.4 * T)),
    ],
)
def test_swings_slow_or_changing_keep_the_whole_time(line):
    assert first_swings(axes_of(line)) is None


def test_slow_line_beside_fast_one_keeps_whole_time():
    assert first_swings(axes_of(np.sin(31.4 * T), np.cos(0.3 * T))) is None


def test_ripple_too_small_to_be_patch_changes_nothing():
    axes = axes_of(0.01 * np.sin(31.4 * T))
    axes.set_ylim(-1.0, 50.0)
    assert first_swings(axes) is None
