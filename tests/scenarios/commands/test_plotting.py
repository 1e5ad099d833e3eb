"""`polhode plot`: saved runs in one figure, with their difference, in every style."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.stored import load_run
from polhode.scenarios.pictures.palette import AXIS_COLOURS
from polhode.scenarios.pictures.run.compared_runs import draw_runs
from polhode.scenarios.pictures.style import LOOKS, in_look, style_sheet
from polhode.scenarios.pictures.style.dark import DARK

from ..conftest import Command

CASE = "slew-quaternion-feedback"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    from polhode.controllers.laws.files.provenance import stating
    from polhode.scenarios.case.loader import load_case
    from polhode.scenarios.case.stored import state_case
    from polhode.scenarios.case_run import run_case

    paths: list[Path] = []
    for n, more in enumerate(([], ["controller.damping_ratio=0.5"])):
        settings = ["run.duration_s=20", *more]
        path = tmp_path_factory.mktemp(f"run{n}") / "run.nc"
        with stating({"command": "test"}):
            state_case(load_case(CASE, settings))
            run_case(CASE, overrides=settings).run.save(path)
        paths.append(path)
    return paths


def test_plot_states_the_largest_difference(polhode: Command, saved: list[Path], tmp_path: Path) -> None:
    outcome = polhode("plot", *saved, "--out", tmp_path / "both.svg", "--json")
    assert outcome.code == 0
    one, other = (load_run(path) for path in saved)
    wanted = np.degrees(np.abs(one.values("rate") - other.values("rate")).max())
    assert outcome.json["largest_differences"]["rate (deg/s)"] == pytest.approx(wanted, rel=1e-12)
    assert (tmp_path / "both.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert len({run["label"] for run in outcome.json["runs"]}) == 2


def test_lines_of_the_picture_are_the_rows_of_the_runs(saved: list[Path]) -> None:
    runs = {path.parent.name: load_run(path) for path in saved}
    figure = draw_runs(runs, signals=["rate.y", "command"])
    rate, *torques = figure.axes
    for line, run in zip(rate.lines, runs.values(), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), np.degrees(run.values("rate")[:, 1]))
    assert [axes.get_title("left") for axes in torques] == ["command x", "command y", "command z"]
    limits = {float(np.asarray(line.get_ydata())[0]) for line in torques[0].lines[2:]}
    assert limits == {-1.0, 1.0}
    assert len({line.get_linestyle() for line in rate.lines}) == 2


@pytest.mark.parametrize("look", [pytest.param(each, marks=[pytest.mark.slow] * (each != "dark")) for each in LOOKS])
def test_every_look_draws_and_leaves_matplotlib_as_it_was(look: str, saved: list[Path], tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    runs = {"run": load_run(saved[0])}
    figure = in_look(lambda: draw_runs(runs, look=look), look)
    figure.savefig(tmp_path / "x.pdf")
    assert dict(mpl.rcParams) == before
    width = float(figure.get_size_inches()[0])
    assert width == style_sheet(look)["figure.figsize"][0]
    colours = {line.get_color() if isinstance(line.get_color(), str) else mpl.colors.to_hex(line.get_color())
               for line in figure.axes[0].lines}  # fmt: skip
    wanted = DARK[AXIS_COLOURS[0].lower()] if look == "dark" else AXIS_COLOURS[0]
    assert wanted in colours


def test_dark_lines_stand_out_from_the_paper_and_each_other() -> None:
    """Relative luminance of WCAG 2: graphics need a contrast of 3 with the page."""

    def luminance(colour: str) -> float:
        value = np.array(mpl.colors.to_rgb(colour))
        linear = np.where(value <= 0.03928, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
        return float(linear @ (0.2126, 0.7152, 0.0722))

    paper = luminance(DARK["#ffffff"])
    for colour in ("#004488", "#bb5566", "#ddaa33", "#000000"):
        assert (luminance(DARK[colour]) + 0.05) / (paper + 0.05) > 3.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--signal", "rates"], "--signal rates: no run has it; use one of "),
        (["--signal", "rate.q"], "--signal rate.q: rate has no such component; use one of x, y, z"),
        (["--look", "paper"], "the look 'paper' is unknown; use one of screen, print, slide, dark"),
        (["--out", "x.gif"], "'.gif' is unknown"),
    ],
)
def test_plot_says_what_it_cannot_draw(
    words: list[str], message: str, polhode: Command, saved: list[Path], tmp_path: Path
) -> None:
    out = [] if "--out" in words else ["--out", tmp_path / "x.png"]
    outcome = polhode("plot", saved[0], *out, *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert not list(tmp_path.iterdir())


def test_plot_takes_saved_runs_only(polhode: Command, tmp_path: Path) -> None:
    outcome = polhode("plot", CASE, "--out", tmp_path / "x.png")
    assert outcome.code == 2
    assert "is not a saved run; polhode run CASE --out DIR writes DIR/run.nc" in outcome.err


def test_style_sheet_names_the_looks() -> None:
    with pytest.raises(InputError, match="use one of screen, print, slide, dark"):
        style_sheet("grey")
