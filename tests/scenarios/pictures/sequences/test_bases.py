"""The drawing of the torque bases."""

import warnings

import numpy as np
import pytest

from polhode.plant.attitude import SEQUENCES, from_euler_angles, singular_middle_angles
from polhode.plant.errors import InputError
from polhode.scenarios.pictures import draw_bases


def words(figure):
    return "\n".join(text.get_text() for axes in figure.axes for text in axes.texts)


OFFSETS = (0.0, 0.05, 0.8)
ALL = [  # all are in the slow suite; otherwise each sequence once, each offset with four sequences
    pytest.param(sequence, offset, marks=() if j == i % len(OFFSETS) else pytest.mark.slow)
    for i, sequence in enumerate(SEQUENCES)
    for j, offset in enumerate(OFFSETS)
]


@pytest.mark.thinned(6)
@pytest.mark.parametrize(("sequence", "offset"), ALL)
def test_every_sequence(sequence, offset, tmp_path):
    angles = (0.4, singular_middle_angles(sequence)[1] - offset, -2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = draw_bases(sequence, angles=angles)
        figure.savefig(tmp_path / "bases.png", dpi=40)
    written = words(figure)
    for vector in ("_1", "_2", "_3", "^1", "^2", "^3"):
        assert f"$\\mathbf{{g}}{vector}$" in written
    assert ("without bound" in written) is (offset == 0.0)
    assert ("arrow cut" in written) is (offset == 0.05)
    if offset > 0.0:
        assert f"length {1.0 / np.sin(offset):.4g}" in written


def test_curves_pass_through_the_marks():
    figure = draw_bases("3-1-3", angles=(0.0, 0.7, 0.0))
    upper, lower = figure.axes[1:]
    for axes, expected in ((upper, {1.0 / np.tan(0.35), 1.0 / np.sin(0.7)}), (lower, {np.degrees(0.7)})):
        curves = [line for line in axes.lines if len(line.get_xdata()) > 100]
        marks = [line for line in axes.lines if len(line.get_xdata()) == 1]
        assert {round(float(np.asarray(mark.get_ydata())[0]), 9) for mark in marks} == {
            round(value, 9) for value in expected
        }
        values = sorted(float(np.interp(np.degrees(0.7), curve.get_xdata(), curve.get_ydata())) for curve in curves)
        assert values == pytest.approx(sorted(expected), rel=1e-4)  # a grid of a quarter degree


def test_attitude_will_do():
    angles = (0.3, 0.7, -0.4)
    first = draw_bases("3-2-1", angles=angles)
    second = draw_bases("3-2-1", attitude=from_euler_angles(angles, "3-2-1"))
    assert words(first) == words(second)


def test_errors():
    with pytest.raises(InputError, match="give the attitude once"):
        draw_bases("3-2-1")
