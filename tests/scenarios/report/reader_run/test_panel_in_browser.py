"""The section of the page in headless Chromium: a slider changes the run to that of `polhode run --set`."""

import json
import shutil
from html import escape

import numpy as np
import pytest

from polhode.scenarios.case_run import run_case
from polhode.scenarios.report.reader_run.plugin import reader_run_plugin
from polhode.sim.codegen.browser.module_store import built_module

pytestmark = pytest.mark.slow
playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = next(
    (found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None
)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
NAME = "slew-quaternion-feedback"
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'"

STUB = """
window.told = { overlay: null, verdicts: null };
window.polhode = {
  keys: () => ["rate.x", "rate.y", "rate.z", "attitude_error", "attitude.e0", "command.x", "command.y", "command.z"],
  overlay(label, run) { told.overlay = { label, ...run }; },
  removeOverlay() { told.overlay = null; },
  verdicts(label, rows) { told.verdicts = rows; },
  say() {},
  register(plugin) {
    const data = JSON.parse(document.getElementById("data").textContent);
    Promise.resolve(plugin.mount(document.getElementById("section"), data, polhode)).then(() => { told.ready = true; });
  },
};
"""


def document(plugin, policy=POLICY):
    data = json.dumps(plugin.data).replace("<", "\\u003c")
    return (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        f'<style>{"".join(plugin.styles)}</style><div id="section"></div>'
        f'<script type="application/json" id="data">{data}</script><script>{STUB}</script>'
        f"<script>{''.join(plugin.scripts)}</script>"
    )


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip("needs chromium")
    if built_module() is None:
        pytest.skip("the engine for pages is not built")
    plugin = reader_run_plugin(run_case(NAME))
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(document(plugin), encoding="utf-8")
    with playwright.sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1000, "height": 900})
        page.words, page.asked = [], []
        page.on("console", lambda message: page.words.append(message.text))
        page.on("pageerror", lambda error: page.words.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_function("told.ready === true", timeout=60_000)
        yield page
        assert page.words == []
        assert page.asked == [path.as_uri()]
        browser.close()


def move(page, path, script):
    page.evaluate(
        f"""() => {{
            const input = document.querySelector('[data-path="{path}"]');
            {script};
            input.dispatchEvent(new Event("input"));
            input.dispatchEvent(new Event("change"));
        }}"""
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_slider_draws_the_run_of_set_and_its_verdicts(shown):
    page = shown
    page.evaluate("polhode.reader.reset()")
    assert page.evaluate("told.overlay") is None
    move(page, "controller.frequency_rad_s", "input.value = Number(input.value) - 3")
    move(page, "controller.torque_limit_N_m", "input.value = 0.7")
    settings = [each.removeprefix("--set ") for each in page.evaluate(
        "polhode.reader.sliders.filter((each) => each.moved).map((each) => each.setting)"
    )]  # fmt: skip
    assert [each.split("=")[0] for each in settings] == ["controller.frequency_rad_s", "controller.torque_limit_N_m"]
    expected = run_case(NAME, overrides=settings)
    overlay = page.evaluate(
        "({ label: told.overlay.label, t: Array.from(told.overlay.t), "
        "series: Object.fromEntries(Object.entries(told.overlay.series).map(([k, v]) => [k, Array.from(v)])) })"
    )
    assert overlay["label"] == "Your run"
    assert np.array_equal(overlay["t"], expected.run.t)
    wanted = {
        "attitude_error": expected.run.values("attitude_error"),
        "attitude.e0": expected.run.values("attitude")[:, 0],
    }
    wanted |= {f"rate.{axis}": expected.run.values("rate")[:, n] for n, axis in enumerate("xyz")}
    wanted |= {f"command.{axis}": expected.run.values("command")[:, n] for n, axis in enumerate("xyz")}
    assert set(overlay["series"]) == set(wanted)
    for key, values in wanted.items():
        assert np.abs(np.array(overlay["series"][key]) - values).max() <= 1e-12 * max(np.abs(values).max(), 1e-3), key
    verdicts = page.evaluate("told.verdicts")
    assert [each["index"] for each in verdicts] == [0, 1, 2]
    for found, verdict in zip(verdicts, expected.requirements, strict=True):
        assert found["met"] == verdict.met
        assert found["value"] == (None if verdict.value is None else pytest.approx(verdict.value, rel=1e-12))
    command = page.inner_text(".reader-command")
    assert command == f"polhode run {NAME} " + " ".join(f"--set {each}" for each in settings)
    assert "by the toolkit" in page.inner_text(".reader-metrics")


def test_slider_takes_back_those_it_excludes(shown):
    page = shown
    page.evaluate("polhode.reader.reset()")
    move(page, "controller.frequency_rad_s", "input.value = 2")
    move(page, "plant.inertia_kg_m2.0.0", "input.value = 0")
    moved = page.evaluate("polhode.reader.sliders.filter((each) => each.moved).map((each) => each.path)")
    assert moved == ["plant.inertia_kg_m2.0.0"]
    page.click(".reader-reset")
    assert page.evaluate("told.overlay") is None
    assert page.evaluate("told.verdicts") is None
    assert page.inner_text(".reader-command") == f"polhode run {NAME}"


def test_slider_answers_at_once(shown):
    page = shown
    times = page.evaluate(
        """() => {
            const path = "controller.torque_limit_N_m", found = [];
            for (let k = 0; k < 40; k++) {
                const start = performance.now();
                polhode.reader.set(path, 0.5 + 0.01 * k);
                found.push(performance.now() - start);
            }
            return found;
        }"""
    )
    print(f"median of 40 runs of 300 s with drawing: {np.median(times):.1f} ms")
    assert len(times) == 40
