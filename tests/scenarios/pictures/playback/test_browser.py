"""The playback in headless Chromium: the screen against the run, controls, keys, no request, no error."""

import shutil
import time
from io import BytesIO

import numpy as np
import pytest

from polhode.plant.attitude import SEQUENCES, from_euler_angles, rotation_matrix, to_euler_angles
from polhode.scenarios.pictures.playback import playback_data, write_playback

pytestmark = pytest.mark.slow
playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = next(
    (found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None
)
ARGUMENTS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip
PLAYER = "document.getElementById('playback').polhodePlayback"
LINKED = f"""(() => {{
  const host = document.createElement("div");
  document.body.append(host);
  window.told = [];
  const page = {{
    scheme: "light", onScheme: () => () => {{}},
    setTime: (time, source) => told.push([time, source]),
    onTime: (callback) => {{ window.tell = callback; return () => {{}}; }},
  }};
  window.linked = polhodePlayback.mount(host, {PLAYER}.data, page);
}})()"""
TILT = np.array((0.72, -0.55, 0.42))  # the oblique camera
FIELD = np.radians(32.0)


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("needs chromium")
    with playwright.sync_playwright() as tools:
        opened = tools.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)
        yield opened
        opened.close()


class Shown:
    """A page with its player; `close` checks that there was neither an error nor a request."""

    def __init__(self, browser, path, *, before="", **options):
        self.context = browser.new_context(viewport={"width": 1200, "height": 900}, **options)
        self.page = self.context.new_page()
        self.words, self.requests = [], []
        self.page.on("console", lambda message: self.words.append(message.text))
        self.page.on("pageerror", lambda error: self.words.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        if before:
            self.page.add_init_script(before)
        self.page.goto(path.as_uri())
        self.until(f"Boolean({PLAYER}) && {PLAYER}.frames.length > 0")

    def ask(self, script):
        return self.page.evaluate(script)

    def until(self, script, seconds=60.0):
        end = time.monotonic() + seconds
        while not self.ask(script):
            assert time.monotonic() < end, f"{script} did not become true; {self.words}"
            time.sleep(0.05)

    def at(self, when):
        self.ask(f"{PLAYER}.seek({when!r})")
        self.until(f"Math.abs({PLAYER}.state().time - {when!r}) < 1e-12")
        return self.ask(f"{PLAYER}.state()")

    def close(self):
        self.context.close()
        assert self.words == []
        assert len(self.requests) == 1  # the file itself


@pytest.fixture
def show(browser, tmp_path, flown):
    opened = []

    def start(name, *overrides, before="", **options):
        flight = flown(name, *overrides)
        out = tmp_path / "playback.html"
        write_playback(out, flight.run, case=flight.loaded.case, name=name, title=flight.loaded.case.title)
        opened.append(Shown(browser, out, before=before, **options))
        return flight.run, opened[-1]

    yield start
    for each in opened:
        each.close()


def test_attitude_and_rate_on_screen_equal_run(show):
    run, shown = show("torque-free", "run.duration_s=200")
    for row in (0, 7, 400, 1000):
        state = shown.at(float(run.t[row]))
        e = run.values("attitude")[row]
        found = np.array(state["attitude"])
        np.testing.assert_allclose(found * np.sign(found @ e), e, atol=2e-7)  # float32
        np.testing.assert_allclose(state["rate"], run.values("rate")[row], atol=0.0025 * 1.33)  # stated tolerance
        np.testing.assert_allclose(state["point"], run.values("rate")[row], atol=2e-4)  # on the ellipsoid
        told = [float(word.replace("−", "-")) for word in state["text"].split("(")[1].split(")")[0].split(",")]
        np.testing.assert_allclose(told, found, atol=5.1e-6)  # five digits


def test_body_axes_point_where_run_says(show):
    """Directions by R(e), positions in the picture by a pinhole camera, and the colour of the axis drawn there."""
    run, shown = show("torque-free", "run.duration_s=200")
    image = pytest.importorskip("PIL.Image")
    camera = TILT / np.linalg.norm(TILT)
    right = np.cross((0, 0, 1), camera)
    right /= np.linalg.norm(right)
    frame = np.array((right, np.cross(camera, right), camera))
    for row in (0, 150, 444):
        shown.at(float(run.t[row]))
        shown.page.wait_for_timeout(300)
        turn = rotation_matrix(run.values("attitude")[row])
        box = shown.page.locator("canvas").first.bounding_box()
        picture = np.asarray(image.open(BytesIO(shown.page.screenshot())).convert("RGB")).astype(int)
        for axis in range(3):
            share = 0.62  # of the radius of the sphere: near the tip of the drawn axis
            found = shown.ask(f"{PLAYER}.project({(share * np.eye(3)[axis]).tolist()})")
            direction = np.array(found["direction"]) / share
            np.testing.assert_allclose(direction, turn[:, axis], atol=1e-6)
            across, upward, depth = frame @ (share * turn[:, axis])
            scale = 1.0 / (np.tan(0.5 * FIELD) * (4.8 - depth))
            wanted = np.array((across * scale * box["height"] / box["width"], upward * scale))
            np.testing.assert_allclose(found["screen"], wanted, atol=1e-5)
            u = int(box["x"] + 0.5 * (1.0 + wanted[0]) * box["width"])
            v = int(box["y"] + 0.5 * (1.0 - wanted[1]) * box["height"])
            red, green, blue = picture[v - 2 : v + 3, u - 2 : u + 3].reshape(-1, 3).T
            seen = (blue - red, red - np.maximum(green, blue), np.minimum(red, green) - blue)[axis]
            assert seen.max() > 20, (row, axis)  # x is blue, y red, z yellow


def test_button_plays_and_pauses(show):
    _, shown = show("slew-lqr", "run.duration_s=60")
    shown.page.get_by_role("button", name="play").click()
    shown.until(f"{PLAYER}.state().time > 1")
    assert shown.ask(f"{PLAYER}.state().playing")
    shown.page.get_by_role("button", name="pause").click()
    shown.until(f"!{PLAYER}.state().playing")
    shown.page.wait_for_timeout(300)
    stopped = shown.ask(f"{PLAYER}.state().time")
    shown.page.wait_for_timeout(400)
    assert shown.ask(f"{PLAYER}.state().time") == stopped


def test_playback_keeps_its_speed_and_stops_at_end(show):
    run, shown = show("slew-lqr", "run.duration_s=60")
    shown.ask(f"{PLAYER}.setSpeed(10)")
    begun = time.monotonic()
    shown.ask(f"{PLAYER}.play()")
    shown.until(f"!{PLAYER}.state().playing")
    assert 5.5 < time.monotonic() - begun < 30.0  # six seconds; a frame longer than a quarter of a second is cut
    assert shown.ask(f"{PLAYER}.state().time") == run.t[-1]


def test_slider_and_keys_move_time(show):
    run, shown = show("slew-lqr", "run.duration_s=60")
    slider = shown.page.get_by_role("slider", name="time")
    slider.evaluate("box => { box.value = 30; box.dispatchEvent(new Event('input', { bubbles: true })); }")
    shown.until(f"{PLAYER}.state().time === 30")
    shown.page.locator(".pp").focus()
    shown.page.keyboard.press("ArrowRight")
    shown.until(f"Math.abs({PLAYER}.state().time - 30.6) < 1e-9")
    shown.page.keyboard.press("Shift+ArrowLeft")
    shown.until(f"Math.abs({PLAYER}.state().time - 24.6) < 1e-9")
    shown.page.keyboard.press("f")
    assert shown.ask(f"{PLAYER}.state().follow") == "body"
    shown.page.keyboard.press("End")
    shown.until(f"{PLAYER}.state().time === {run.t[-1]}")
    shown.page.keyboard.press("+")
    assert shown.ask(f"{PLAYER}.speed") > shown.ask(f"{PLAYER}.data.speed")


def test_body_fixed_camera_keeps_body_still(show):
    run, shown = show("torque-free", "run.duration_s=200")
    shown.ask(f"{PLAYER}.setFollow('body')")
    places = []
    for row in (0, 60, 300):
        shown.at(float(run.t[row]))
        found = shown.ask(f"{PLAYER}.project([1, 0, 0])")
        np.testing.assert_allclose(found["direction"], rotation_matrix(run.values("attitude")[row])[:, 0], atol=1e-6)
        places.append(found["screen"])
    np.testing.assert_allclose(places, places[0] * np.ones((3, 1)), atol=1e-6)


def test_arm_vertices_pass_through_recorded_nodes(show):
    run, shown = show("flexible-slew")
    data = playback_data(run)
    beams = [part for part in data["parts"] if part["kind"] == "beam"]
    row = int(np.abs(run.values("tip_deflection")[:, 0]).max(axis=1).argmax())
    for enlarged in (True, False):
        shown.ask(f"{PLAYER}.setLayer('enlarged', {str(enlarged).lower()})")
        shown.at(float(run.t[0]))
        shown.at(float(run.t[row]))
        for number, part in enumerate(beams):
            drawn = np.array(shown.ask(f"{PLAYER}.scene.parts.filter(p => p.part.kind === 'beam')[{number}].place"))
            factor = part["enlarged"] if enlarged else 1.0
            arm = run.craft.elements[[type(each).__name__ for each in run.craft.elements].index("Arm") + number]
            wanted = np.asarray(part["rest"])[-1] + factor * arm.frame @ run.values("tip_deflection")[row, number]
            np.testing.assert_allclose(drawn[-1], wanted, atol=factor * (0.011 * part["largest"] + 1e-7))


def test_wheel_turns_by_recorded_angle(show):
    run, shown = show("dual-spin", "run.duration_s=20")
    shown.ask(f"{PLAYER}.setSpeed(0.01)")  # slow enough for true rates
    assert shown.ask(f"{PLAYER}.state().wheelShare") == 1
    shown.at(float(run.t[12]))
    drawn = shown.ask(f"{PLAYER}.scene.parts.map(each => each.rotor.rotation.z)")
    np.testing.assert_allclose(drawn, run.values("internal")[12], atol=0.031)
    axes = shown.ask(
        f"{PLAYER}.scene.parts.map(each => each.object.children[0].localToWorld("
        "each.object.position.clone().set(0, 0, 1)).sub(each.object.children[0].localToWorld("
        "each.object.position.clone().set(0, 0, 0))).toArray())"
    )
    turn = rotation_matrix(run.values("attitude")[12])
    np.testing.assert_allclose(axes, turn[:, :2].T, atol=4e-4)  # x and y, within the tolerance of the attitude


def test_ten_thousand_rows_stay_smooth(show, capsys):
    """Work of a frame, without painting by the processor, which headless Chromium uses instead of a GPU."""
    _, shown = show("torque-free", "run.duration_s=2000", "run.output_s=0.2")
    shown.ask(f"{PLAYER}.frames.length = 0; {PLAYER}.setSpeed(20); {PLAYER}.play()")
    shown.until(f"{PLAYER}.frames.length >= 60", seconds=120.0)
    frames = np.array(shown.ask(f"{PLAYER}.frames"))
    with capsys.disabled():
        print(f"\n10,001 rows: frame {np.median(frames):.1f} ms median, {np.quantile(frames, 0.9):.1f} ms at 90 %")
    assert shown.ask(f"{PLAYER}.state().time") > 0.0


def test_playback_without_webgl_keeps_sentence_and_numbers(show):
    run, shown = show(
        "torque-free", "run.duration_s=200", before="HTMLCanvasElement.prototype.getContext = () => null;"
    )
    assert "needs WebGL" in shown.page.locator(".pp-none").first.inner_text()
    state = shown.at(float(run.t[100]))
    assert not state["webgl"]
    np.testing.assert_allclose(np.abs(state["attitude"]), np.abs(run.values("attitude")[100]), atol=2e-7)


def test_dark_scheme_and_small_screen(show):
    _, shown = show("slew-lqr", "run.duration_s=60", color_scheme="dark")
    shown.page.set_viewport_size({"width": 360, "height": 740})
    assert shown.ask("document.querySelector('.pp').dataset.scheme") == "dark"
    assert shown.ask("document.documentElement.scrollWidth") <= 360
    assert shown.ask("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 28)"


def test_page_links_time_both_ways(show):
    """The protocol of a page that embeds the playback."""
    _, shown = show("slew-lqr", "run.duration_s=60")
    shown.ask(LINKED)
    shown.ask("tell({ time: 12.5, source: 'chart' })")
    shown.until("linked.state().time === 12.5")
    assert shown.ask("told") == []
    shown.ask("linked.seek(20)")
    assert shown.ask("told") == [[20, "playback"]]
    shown.ask("linked.dispose()")


def test_gimbal_angles_are_the_euler_angles_of_the_toolkit(show):
    basis = ["plant.torque_basis=euler", 'plant.euler_sequence="3-1-3"', "run.duration_s=60"]
    run, shown = show("torque-free", *basis)
    row = 300
    state = shown.at(float(run.t[row]))
    np.testing.assert_allclose(state["angles"], to_euler_angles(run.values("attitude")[row], "3-1-3"), atol=2e-6)
    caption = shown.ask("[...document.querySelectorAll('.pp-caption')].at(-1).textContent")
    assert caption.startswith("Euler angles 3-1-3: ")
    random = np.random.default_rng(3)
    for sequence in SEQUENCES:
        axes = [int(each) - 1 for each in sequence.split("-")]
        for e in random.normal(size=(4, 4)):
            turn = rotation_matrix(e / np.linalg.norm(e))
            found = shown.ask(f"polhodePlayback.sequenceAngles({axes}, {turn.tolist()})")
            angles = to_euler_angles(e / np.linalg.norm(e), sequence)
            np.testing.assert_allclose(found["angles"], angles, atol=1e-12)
            third = turn[:, axes[2]]  # the last rotation leaves its axis in the direction that the others gave it
            apart = np.arccos(min(1.0, abs(float(third[axes[0]]))))
            assert abs(found["lock"] - apart) < 1e-9
        locked = from_euler_angles([0.4, 0.0 if axes[0] == axes[2] else np.pi / 2, 0.3], sequence)
        found = shown.ask(f"polhodePlayback.sequenceAngles({axes}, {rotation_matrix(locked).tolist()})")
        assert found["lock"] < 2e-8
        np.testing.assert_allclose(
            rotation_matrix(from_euler_angles(found["angles"], sequence)), rotation_matrix(locked), atol=1e-7
        )
