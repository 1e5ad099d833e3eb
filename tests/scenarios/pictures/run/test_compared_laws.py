"""Figure of a comparison shows the values of its table."""

import numpy as np

from polhode.scenarios.case.loader import load_case
from polhode.scenarios.commands.comparison import compare
from polhode.scenarios.pictures.run.compared_laws import draw_comparison


def test_command_is_as_high_as_peak_it_states():
    case = load_case("slew-lqr").case
    entries = compare(case, ("lqr", "quaternion-feedback"), name="slew-lqr")
    runs = {entry.method: entry.run for entry in entries if entry.run is not None}
    figure = draw_comparison(runs, title="two laws", settling_band_deg=0.1)
    error, rate, command = figure.axes
    for line, entry in zip(command.lines, entries, strict=True):
        assert np.max(line.get_ydata()) == entry.metrics["peak_torque_N_m"]
        assert line.get_drawstyle() == "steps-post"
    for line, entry in zip(rate.lines, entries, strict=True):
        assert entry.run is not None
        speed = np.degrees(np.linalg.norm(entry.run.values("rate"), axis=1))
        np.testing.assert_allclose(line.get_ydata(), speed)
    legend = error.get_legend()
    assert legend is not None
    words = [text.get_text() for text in legend.get_texts()]
    assert words == ["lqr", "quaternion-feedback", "settling band, 0.1 deg"]
    assert "largest component" in command.get_ylabel()
