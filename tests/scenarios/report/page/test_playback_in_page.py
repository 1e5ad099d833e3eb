"""The playback as a section of the page: one time with the charts, the attitude of the run, no request, no error."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.scenarios.case_run import run_case
from polhode.scenarios.pictures.playback.plugin import playback_plugin
from polhode.scenarios.report.page.document import page_html
from polhode.scenarios.report.page.plugins import MAKERS
from polhode.scenarios.report.page.source import page_source

from .pages import case_file

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip
PLAYER = "document.querySelector('[data-plugin=playback]').polhodePlayback"
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))"


def test_playback_is_a_section_of_every_page() -> None:
    assert playback_plugin in MAKERS


def test_run_that_cannot_be_played_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from polhode.scenarios.pictures.playback import data

    monkeypatch.setattr(data, "MOST_ROWS", 10)
    made = playback_plugin(run_case(case_file(tmp_path, duration=20.0)))
    assert made.note.startswith("There is no playback: the run has 41 rows")
    assert not made.scripts
    assert not made.data


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return case_file(tmp_path_factory.mktemp("page"), law=True)


@pytest.fixture(scope="module")
def opened(case: Path) -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("needs chromium")
    source = page_source(str(case))
    file = case.parent / "page.html"
    file.write_text(page_html(source, plugins=[playback_plugin(source.case_run)]), encoding="utf-8")
    with playwright.sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        words: list[str] = []
        requests: list[str] = []
        page.on("console", lambda message: words.append(message.text))
        page.on("pageerror", lambda error: words.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        until(page, f"Boolean({PLAYER}) && {PLAYER}.frames.length > 0")
        yield page
        assert words == []
        assert requests == [file.as_uri()]
        browser.close()


def until(page: Any, script: str) -> None:
    """Wait for a condition; the policy of the page forbids playwright's own wait, which uses eval."""
    end = time.monotonic() + 60.0
    while not page.evaluate(script):
        assert time.monotonic() < end, f"{script} did not become true"
        time.sleep(0.05)


@pytest.mark.slow
def test_time_of_the_page_turns_the_spacecraft(opened: Any, case: Path) -> None:
    run = run_case(case).run
    for row in (0, 31, 117, 200):
        opened.evaluate(f"polhode.setTime({float(run.t[row])!r}, 'test')")
        opened.evaluate(DRAWN)
        state = opened.evaluate(f"{PLAYER}.state()")
        assert state["time"] == run.t[row]
        e = run.values("attitude")[row]
        found = np.array(state["attitude"])
        angle = 2.0 * np.arccos(min(1.0, abs(float(found @ e))))
        error = opened.evaluate(f"{PLAYER}.channels.attitude.error")
        assert angle <= error + 5e-4  # float32 Euler parameters, and the square root of the rounding of a cosine


@pytest.mark.slow
def test_playing_moves_the_time_of_every_chart(opened: Any) -> None:
    opened.evaluate(f"{PLAYER}.seek(0); {PLAYER}.setSpeed(10); {PLAYER}.play()")
    until(opened, "polhode.time > 5")
    opened.evaluate(f"{PLAYER}.pause()")
    opened.evaluate(DRAWN)
    assert opened.evaluate("polhode.time") == opened.evaluate(f"{PLAYER}.time")
    assert float(opened.input_value("#time-slider")) == pytest.approx(opened.evaluate("polhode.time"), abs=0.05)


@pytest.mark.slow
def test_scrolling_through_the_page_keeps_its_time(opened: Any) -> None:
    """Charts are drawn when they come into view; none of them may change the time."""
    opened.evaluate("polhode.setTime(33, 'test')")
    for place in range(0, opened.evaluate("document.documentElement.scrollHeight"), 600):
        opened.evaluate(f"window.scrollTo(0, {place})")
        opened.evaluate(DRAWN)
    assert opened.evaluate("polhode.time") == 33
    assert opened.evaluate("polhode.charts.items.filter((i) => i.u).length") >= 4
    shown = opened.evaluate("document.querySelector('#plot-command .u-value').textContent")
    assert shown == "33 s"


@pytest.mark.slow
def test_printed_playback_is_the_picture_on_the_screen(opened: Any) -> None:
    """A WebGL canvas prints black; the print has the paper as its background and shows the spacecraft."""
    read = """(() => {
        const still = document.querySelector('.pp-still');
        const { data } = still.getContext('2d').getImageData(0, 0, still.width, still.height);
        const colours = {};
        for (let n = 0; n < data.length; n += 4) {
            const colour = [data[n], data[n + 1], data[n + 2], data[n + 3]].join();
            colours[colour] = (colours[colour] || 0) + 1;
        }
        return [Object.entries(colours).sort((a, b) => b[1] - a[1])[0][0], Object.keys(colours).length];
    })()"""
    opened.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    background, colours = opened.evaluate(read)
    opened.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert background == "255,255,255,255"
    assert colours > 20
    shown = "getComputedStyle(document.querySelector('.pp-still')).display"
    opened.emulate_media(media="print")
    assert opened.evaluate(shown) == "block"
    opened.emulate_media(media="screen")
    assert opened.evaluate(shown) == "none"
