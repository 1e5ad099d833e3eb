"""Figures of free motion: they show the stated curves, every regime is drawn, text stays on the page."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from polhode.plant.attitude.free_motion import FreeMotion, axisymmetric_motion, roll_coupling, separatrix
from polhode.plant.errors import InputError
from polhode.scenarios.pictures.craft.cones import draw_cones
from polhode.scenarios.pictures.craft.herpolhode import draw_herpolhode
from polhode.scenarios.pictures.craft.polhode_sphere import draw_polhode_sphere

TABLE_2 = (400.0, 307.808385, 200.0)
START = (346.4101616, 0.0, -200.0)
TENSOR = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])


def words_of(figure: Any) -> str:
    texts = list(figure.texts) + [text for axes in figure.axes for text in axes.texts]
    texts += [text for legend in figure.legends for text in legend.get_texts()]
    return "\n".join(text.get_text() for text in [*texts, figure._suptitle])


def on_the_page(figure: Any) -> None:
    """No text is cut off at an edge, and no two texts within or next to the axes overlap."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    page = figure.bbox
    inside = [text for axes in figure.axes for text in axes.texts if text.get_text()]
    outside = list(figure.texts) + [text for legend in figure.legends for text in legend.get_texts()]
    boxes = {text: text.get_window_extent(renderer) for text in inside + outside}
    for text, box in boxes.items():
        assert page.x0 <= box.x0 < box.x1 <= page.x1, text.get_text()
        assert page.y0 <= box.y0 < box.y1 <= page.y1, text.get_text()
    for first, second in [*combinations(inside, 2), *combinations(outside, 2)]:
        assert not boxes[first].overlaps(boxes[second]), (first.get_text(), second.get_text())


@pytest.mark.parametrize(
    ("inertia", "momentum"),
    [
        (TABLE_2, START),
        (TENSOR, (0.2, 1.0, 0.2)),
        ((2.0, 2.0, 3.2), (0.5, 0.2, 0.4)),
        ((2.0, 3.1, 3.1), (0.5, 0.2, 0.4)),
        ((1.0, 2.0, 2.9), (0.0, -1.0, 0.0)),
    ],
)
def test_sphere(inertia: Any, momentum: Any) -> None:
    figure = draw_polhode_sphere(inertia, momentum=momentum)
    on_the_page(figure)
    words = words_of(figure)
    assert "stable" in words
    assert ("separatrix" in words) == ("neutral" not in words)


def test_sphere_shows_a_run_and_the_separatrix() -> None:
    motion = FreeMotion(TABLE_2, momentum=START)
    figure = draw_polhode_sphere(TABLE_2, momentum=motion.momentum(np.linspace(0.0, 5.0, 300)), title="a run")
    (axes,) = figure.axes
    own = [line for line in axes.lines if line.get_linewidth() == 3.0]
    assert len(own) == 1
    x, y = np.asarray(own[0].get_data())
    seen = np.isfinite(x)
    assert 100 < seen.sum() <= 300
    assert np.hypot(x[seen], y[seen]).max() <= 1.0 + 1e-12  # on the disc
    black = [line for line in axes.lines if line.get_linewidth() == 1.8]
    assert len(black) == 2 == len(separatrix(TABLE_2, momentum=400.0).momentum_curves)
    assert "a run" in words_of(figure)


@pytest.mark.parametrize(
    ("transverse", "axial", "beta", "kind"),
    [
        (2.0, 0.5, 10.0, "Direct"),
        (2.0, 0.5, 45.0, "Direct"),
        (1.0, 1.8, 20.0, "Retrograde"),
        (1.0, 1.5, 60.0, "Retrograde"),
        (2.0, 1.2, 140.0, "Direct"),
    ],
)
def test_cones(transverse: float, axial: float, beta: float, kind: str) -> None:
    figure = draw_cones(axisymmetric_motion(transverse, axial, speed=3.0, angle=np.radians(beta)))
    on_the_page(figure)
    words = words_of(figure)
    assert f"{kind} precession" in words
    assert ("inside it" in words) == (kind == "Retrograde")
    for name in ("H", "ω", "−z" if beta > 90.0 else "z"):
        assert name in words.split("\n")


def test_small_angles_are_enlarged_and_it_says_so() -> None:
    motion = roll_coupling(85000.0, 12800.0, misalignment=np.radians(2.0), impulse=51200.0).motion
    words = words_of(draw_cones(motion, title="roll coupling"))
    assert "all angles drawn 10 times as large" in words
    assert "half angle 1.699°" in words  # the true one


def test_no_cones_of_a_sphere() -> None:
    with pytest.raises(InputError, match="does not precess"):
        draw_cones(axisymmetric_motion(1.0, 1.0, speed=1.0, angle=0.3))


@pytest.mark.parametrize(
    ("inertia", "momentum", "words"),
    [
        (TABLE_2, START, "798.78° in a period"),
        ((1.0, 2.0, 3.0), (0.4, 0.0, 0.4 * np.sqrt(3.0)), "approaches the foot point"),
        ((2.0, 2.0, 3.0), (0.8, 0.0, 1.2), "both circles"),
        ((2.0, 2.5, 3.0), (0.0, 0.0, 1.2), "stays at the foot"),
    ],
)
def test_herpolhode(inertia: Any, momentum: Any, words: str) -> None:
    figure = draw_herpolhode(FreeMotion(inertia, momentum=momentum), periods=3)
    on_the_page(figure)
    assert words in words_of(figure)


def test_herpolhode_fills_its_ring() -> None:
    figure = draw_herpolhode(FreeMotion(TABLE_2, momentum=START), periods=5)
    curve = next(line for line in figure.axes[0].lines if str(line.get_label()).startswith("herpolhode"))
    radius = np.hypot(*curve.get_data())
    # the radii of the motion; samples at most 1/400 of a revolution apart
    assert radius.max() == pytest.approx(0.433013, abs=1e-5)
    assert radius.min() == pytest.approx(0.111254, abs=1e-4)


def test_free_motion_pictures_reject_bad_input() -> None:
    with pytest.raises(InputError, match="n x 3"):
        draw_polhode_sphere(TABLE_2, momentum=(1.0, 2.0))
    with pytest.raises(InputError, match="greater than 0"):
        draw_polhode_sphere(TABLE_2, momentum=(0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="every spin is steady"):
        draw_polhode_sphere((1.0, 1.0, 1.0), momentum=(0.0, 0.0, 1.0))
    with pytest.raises(InputError, match="greater than 0"):
        draw_herpolhode(FreeMotion(TABLE_2, momentum=START), periods=0.0)
    with pytest.raises(InputError, match="at rest"):
        draw_herpolhode(FreeMotion(TABLE_2, rate=(0, 0, 0)))
