"""The page in headless Chromium: no error, no request, one cursor, zoom, second runs, plug-ins, hostile text."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.scenarios.case_run import run_case
from polhode.scenarios.report.page.plugin import Plugin

from .pages import HOSTILE, case_file, page_of

webdriver = pytest.importorskip("selenium.webdriver")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="needs chromium and chromedriver"),
]

PROBE = """
polhode.register({ id: "probe", title: "Probe", mount(element, data, page) {
  element.textContent = "mounted " + data.number;
  window.heard = [];
  page.onTime((event) => window.heard.push(event));
} });
"""
BROKEN = 'polhode.register({ id: "broken", title: "Broken", mount() { throw new Error("on purpose <b>"); } });'


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for word in (
        "headless=new", "no-sandbox", "use-angle=swiftshader", "enable-unsafe-swiftshader", "disable-quic",
        "no-first-run", "disable-background-networking",
        "disable-component-update", "disable-sync", "window-size=1200,900",
        f"user-data-dir={tmp_path_factory.mktemp('chromium')}",
    ):  # fmt: skip
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return case_file(tmp_path_factory.mktemp("page"), law=True)


@pytest.fixture(scope="module")
def page_file(case: Path) -> Path:
    plugins = [
        Plugin(id="probe", title="Probe", data={"number": 7}, scripts=(PROBE,)),
        Plugin(id="broken", title="Broken", scripts=(BROKEN,)),
    ]
    file = case.parent / "page.html"
    file.write_text(page_of(case, plugins=plugins), encoding="utf-8")
    return file


@pytest.fixture
def opened(browser: Any, page_file: Path) -> Any:
    """The page, loaded for each test, since tests run in any order and one of them loads a different page."""
    browser.get_log("performance")
    browser.get(page_file.as_uri())
    browser.execute_script("document.getElementById('plot-command').scrollIntoView({block: 'center'})")
    drawn = "return document.querySelectorAll('#plot-command .u-series').length > 0"
    for _ in range(100):  # a chart is drawn when it has come into view, later on a busy machine
        settle(browser)
        if browser.execute_script(drawn):
            break
    return browser


def settle(browser: Any) -> None:
    """Wait for frames in which the page draws."""
    browser.execute_async_script(
        "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0], 150)))"
    )


def test_page_draws_without_console_error_or_request(opened: Any) -> None:
    logged = [each for each in opened.get_log("browser") if "on purpose" not in each["message"]]
    assert logged == []
    requests = [each["message"] for each in opened.get_log("performance") if "requestWillBeSent" in each["message"]]
    addresses = [word for each in requests for word in each.split('"') if word.startswith(("http:", "https:"))]
    assert addresses == []
    assert opened.execute_script("return document.querySelectorAll('#histories canvas').length") >= 3


def test_cursor_in_one_chart_shows_the_values_of_the_run_in_all(opened: Any, case: Path) -> None:
    run = run_case(case).run
    opened.execute_script("polhode.setTime(20.3, 'test')")
    settle(opened)
    row = int(np.searchsorted(run.t, 20.3, side="right")) - 1
    shown = opened.execute_script(
        "return [...document.querySelectorAll('#plot-command .u-value')].map((e) => e.textContent)"
    )
    assert float(shown[0].split()[0]) == pytest.approx(run.t[row])
    for text, value in zip(shown[1:4], run.values("command")[row], strict=True):
        assert float(text.split()[0]) == pytest.approx(float(value), rel=2e-6)
    assert opened.execute_script("return polhode.value('command.x', 20.3)") == np.float32(run.values("command")[row, 0])
    assert opened.execute_script("return heard.at(-1)") == {"time": 20.3, "source": "test"}


def test_pointer_moves_the_shown_time_of_the_page(opened: Any) -> None:
    over = opened.find_element("css selector", "#plot-command .u-over")
    webdriver.ActionChains(opened).move_to_element(over).perform()
    settle(opened)
    assert opened.execute_script("return polhode.time") == pytest.approx(50.0, abs=1.0)
    assert opened.execute_script("return heard.at(-1).source") == "command"


def test_drag_zooms_every_chart_and_double_click_undoes_it(opened: Any) -> None:
    over = opened.find_element("css selector", "#plot-command .u-over")
    actions = webdriver.ActionChains(opened)
    actions.move_to_element_with_offset(over, -100, 0).click_and_hold().move_by_offset(200, 0).release().perform()
    settle(opened)
    ranges = opened.execute_script(
        "return polhode.charts.items.filter((i) => i.visible).map((i) => [i.u.scales.x.min, i.u.scales.x.max])"
    )
    width = float(over.size["width"])
    assert len(ranges) >= 2
    for low, high in ranges:
        assert low == pytest.approx(50.0 - 1e4 / width, abs=1.0)
        assert high == pytest.approx(50.0 + 1e4 / width, abs=1.0)
    webdriver.ActionChains(opened).double_click(over).perform()
    settle(opened)
    assert opened.execute_script("return polhode.charts.zoom()") is None


def test_keyboard_moves_the_time_by_one_row(opened: Any) -> None:
    opened.execute_script("polhode.setTime(10, 'test'); document.getElementById('plot-command').focus()")
    webdriver.ActionChains(opened).send_keys("\ue014").perform()
    settle(opened)
    assert opened.execute_script("return polhode.time") == 10.5


def test_second_run_is_drawn_and_removed(opened: Any) -> None:
    count = "return document.querySelectorAll('#plot-command .u-series').length"
    before = opened.execute_script(count)
    opened.execute_script(
        "polhode.overlay('<b>mine', { t: [0, 33.3, 100], series: { 'command.x': [0, 0.25, 0.1], no: [] } })"
    )
    settle(opened)
    assert opened.execute_script(count) == before + 1
    opened.execute_script("polhode.setTime(40, 'test')")
    settle(opened)
    shown = opened.execute_script("return [...document.querySelectorAll('#plot-command .u-series')].at(-1).textContent")
    assert "<b>mine: body x" in shown
    assert "0.25 N m" in shown
    opened.execute_script("polhode.verdicts('mine', [{ index: 0, value: 12.5, met: true }])")
    assert "12.500: met" in opened.execute_script("return document.getElementById('requirement-0').textContent")
    opened.execute_script("polhode.removeOverlay('<b>mine'); polhode.verdicts('mine', null)")
    settle(opened)
    assert opened.execute_script(count) == before
    assert "12.500" not in opened.execute_script("return document.getElementById('verdict-table').textContent")


def test_plugins_are_mounted_and_a_broken_one_harms_no_other(opened: Any) -> None:
    words = "return [...document.querySelectorAll('[data-plugin]')].map((e) => e.textContent)"
    good, broken = opened.execute_script(words)
    assert good == "mounted 7"
    assert "on purpose <b>" in broken


def test_long_run_redraws_at_once(opened: Any) -> None:
    """Not a limit on speed: the page responds, and the time is printed."""
    begin = time.perf_counter()
    opened.execute_script(
        "for (let n = 0; n < 20; n += 1) polhode.charts.setZoom([n, n + 40]); polhode.charts.setZoom(null)"
    )
    settle(opened)
    print(f"21 zooms of all visible charts: {1e3 * (time.perf_counter() - begin):.0f} ms")
    assert opened.execute_script("return polhode.charts.zoom()") is None


def test_print_shows_every_chart(opened: Any) -> None:
    opened.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    settle(opened)
    drawn, charts = opened.execute_script(
        "return [document.querySelectorAll('#histories canvas').length, polhode.data.charts.length]"
    )
    opened.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert drawn == charts


def test_hostile_words_run_no_script(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(page_of(case_file(tmp_path, title=HOSTILE, id_=HOSTILE[:40], duration=5.0)), encoding="utf-8")
    browser.get_log("browser")  # of the page before
    browser.get(file.as_uri())
    settle(browser)
    assert browser.get_log("browser") == []
    assert browser.title.startswith("case: </script><script>")
    assert browser.execute_script("return document.querySelectorAll('img').length") == 0
    assert browser.execute_script("return document.querySelector('h1').textContent") == HOSTILE
