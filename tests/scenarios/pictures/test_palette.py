"""Lines of one figure differ in lightness or dashes: also in grey."""

from itertools import combinations

import numpy as np

from polhode.scenarios.pictures.palette import AXIS_COLOURS, rgb, stroke


def lightness(colour):
    """CIE 1976 L*, 0 for black and 100 for white."""
    value = np.array(rgb(colour))
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    Y = float(linear @ (0.2126, 0.7152, 0.0722))
    return 116.0 * Y ** (1.0 / 3.0) - 16.0 if Y > 0.008856 else 903.3 * Y


def test_axes_in_grey():
    found = [lightness(colour) for colour in AXIS_COLOURS]
    assert np.diff(found).min() > 15.0
    assert max(found) < 75.0  # and all are visible on white


def test_lines_in_grey():
    lines = [stroke(number) for number in range(16)]
    for one, other in combinations(lines, 2):
        apart = abs(lightness(one["color"]) - lightness(other["color"]))
        assert apart > 15.0 or one["linestyle"] != other["linestyle"]
    assert stroke(16) == stroke(0)
