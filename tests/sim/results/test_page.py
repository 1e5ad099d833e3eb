"""Figures display themselves, keep their text on the page and plain numbers."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.sim.results.page import new_page

PNG = b"\x89PNG\r\n\x1a\n"


def labels(axes):
    axes.figure.draw_without_rendering()
    return [text.get_text() for text in axes.get_yticklabels()]


def test_notebook_shows_it():
    page = new_page((3.0, 2.0))
    page.subplots().plot([0, 1], [0, 1])
    assert page._repr_png_().startswith(PNG)  # the method that IPython calls


def test_ipython_shows_it():
    formatters = pytest.importorskip("IPython.core.formatters")
    page = new_page((3.0, 2.0))
    data, _ = formatters.DisplayFormatter().format(page)
    assert data["image/png"].startswith(PNG)


@pytest.mark.parametrize("words", ["short", "a long title, " * 12, "first line\n" + "and a long second one, " * 9])
def test_title_stays_on_page(words):
    page = new_page((6.0, 3.0), title=words)
    page.subplots()
    page.draw_without_rendering()
    (title,) = [item for item in page.findobj() if getattr(item, "get_text", str)() == page.get_suptitle()]
    box = title.get_window_extent(page.canvas.get_renderer())
    assert page.bbox.x0 <= box.x0 < box.x1 <= page.bbox.x1
    assert page.get_suptitle().split() == words.split()


def test_no_offset_and_no_factor():
    axes = new_page((5.0, 3.0)).subplots()
    axes.plot([0.0, 1.0], [250.0, 250.1])
    assert labels(axes)[1:-1] == ["250", "250.02", "250.04", "250.06", "250.08", "250.1"]
    assert axes.yaxis.get_offset_text().get_text() == ""
    small = new_page((5.0, 3.0)).subplots()
    small.plot([0.0, 1.0], [-3e-7, 3e-7])
    assert "0" in labels(small)
    assert "2e\N{MINUS SIGN}07" in [label.replace("-", "\N{MINUS SIGN}") for label in labels(small)]
    assert small.yaxis.get_offset_text().get_text() == ""


def test_rounding_is_drawn_level():
    axes = new_page((5.0, 3.0)).subplots()
    axes.plot(np.arange(5), 250.0 + 1e-9 * np.array((0.0, 1.0, 0.0, 1.0, 0.0)))
    axes.figure.draw_without_rendering()
    assert axes.get_ylim() == pytest.approx((249.75, 250.25))
    swings = new_page((5.0, 3.0)).subplots()
    swings.plot(np.arange(5), 250.0 + 1e-3 * np.arange(5))
    swings.figure.draw_without_rendering()
    assert swings.get_ylim() == pytest.approx((249.9998, 250.0042))
    flat = new_page((5.0, 3.0)).subplots()
    flat.plot(np.arange(5), np.zeros(5))
    flat.figure.draw_without_rendering()
    low, high = flat.get_ylim()
    assert low < 0.0 < high


def test_run_with_several_elements():
    wheels = plant.wheel_array(axes=((1, 0, 0), (0, 1, 0), (0, 0, 1)), inertia=0.02, relative_rates=(10, 20, 30))
    craft = plant.Spacecraft(plant.RigidBody((10, 8, 6)), elements=wheels)
    run = sim.simulate(craft, state=craft.state(rate=(0.1, 0.0, 0.0)), duration=2.0, output_step=0.1)
    figure = run.plot("internal_rate", "energy")
    rates, energy = figure.axes
    assert [line.get_label() for line in rates.lines] == list(run.components("internal_rate")[0])
    for number, line in enumerate(rates.lines):
        np.testing.assert_array_equal(line.get_ydata(), run.values("internal_rate")[:, number])
    assert rates.get_ylabel() == "internal rate (rad/s)"
    assert energy.get_ylabel() == "energy (J)"
    assert run.plot()._repr_png_().startswith(PNG)
