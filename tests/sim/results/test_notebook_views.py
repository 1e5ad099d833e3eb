"""Notebook output is complete, escaped, and has the numbers of the object."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from polhode import controllers, plant, scenarios, sim
from polhode.plant.notebook_html import details, facts, page, table

HOSTILE = '<script>alert("x")</script>'


class Balanced(HTMLParser):
    """Elements that are open; fails if an element other than the last is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag


def elements(html: str) -> set[str]:
    parser = Balanced()
    parser.feed(html)
    assert not parser.open
    return parser.seen


@pytest.fixture(scope="module")
def craft() -> plant.Spacecraft:
    axes = [(1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)]
    wheels = plant.wheel_array(axes=axes, inertia=1e-3, torque_limit=0.02)
    return plant.Spacecraft(plant.RigidBody((4.0, 3.5, 2.5)), elements=wheels)


@pytest.fixture(scope="module")
def law(craft: plant.Spacecraft) -> controllers.Law:
    model = craft.linearize(craft.at_rest())
    return controllers.lqr(model, attitude=0.01, rate=0.2, effort=1.0, sample=0.25, delay=0.05)


def test_notebook_view_of_spacecraft_and_model(craft) -> None:
    html = craft._repr_html_()
    assert "4 x Wheel" in html
    assert "3.5" in html
    assert elements(html) >= {"table", "details"}
    model = craft.linearize(craft.at_rest())
    assert "attitude_error_x" in model._repr_html_()
    elements(model._repr_html_())


def test_notebook_view_of_law_and_margins(law) -> None:
    assert "lqr" in law._repr_html_()
    margins = law.margins()
    html = margins._repr_html_()
    assert f"{margins.phase_deg:.6g}" in html
    assert "torque_1" in html
    elements(law._repr_html_() + html)


def test_notebook_view_of_runs(craft, law) -> None:
    run = sim.simulate(craft, law, rate=(0.01, 0, 0), duration=5.0)
    assert "completed" in run._repr_html_()
    assert "attitude_error" in run._repr_html_()
    batch = sim.simulate_batch(craft, law, rate=[(0.01, 0, 0), (0, 0.01, 0)], duration=5.0, output_times=[5.0])
    assert ">2<" in batch._repr_html_()
    elements(run._repr_html_() + batch._repr_html_())


def test_notebook_view_of_case_and_campaign(tmp_path) -> None:
    path = tmp_path / "named.toml"
    text = scenarios.load_case("slew-dispersed").text
    path.write_text(text.replace("title = ", f"title = '{HOSTILE}'\n# ", 1), encoding="utf-8")
    result = scenarios.run_case(path)
    assert "met" in result._repr_html_()
    campaign = scenarios.run_campaign(path, runs=4)
    for html in (result._repr_html_(), campaign._repr_html_()):
        assert "&lt;script&gt;" in html
        assert "script" not in elements(html)
    assert "4 of 4" in campaign._repr_html_()


@pytest.mark.parametrize(
    "html", [table([HOSTILE], [[HOSTILE]]), facts([(HOSTILE, HOSTILE)]), details(HOSTILE, ""), page(HOSTILE)]
)
def test_notebook_html_escapes(html: str) -> None:
    assert "script" not in elements(html)
    assert "&lt;script&gt;" in html
