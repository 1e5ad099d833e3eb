"""Page of a playback: escaped, without requests, small."""

import base64
import hashlib
import json
from html.parser import HTMLParser

import numpy as np
import pytest

from polhode.plant.errors import SaveError
from polhode.scenarios.pictures.playback import playback_page, playback_parts, write_playback

HOSTILE = "</script><script>alert(1)</script><!-- \"'><img src=x onerror=alert(2)>\x1b\u2028"


class Reader(HTMLParser):
    """Tags and the texts of scripts and styles, as a browser separates them."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.where = [], [], None

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self.where = (tag, dict(attrs))
            self.texts.append([self.where, ""])

    def handle_endtag(self, tag):
        if tag in {"script", "style"}:
            self.where = None

    def handle_data(self, data):
        if self.where:
            self.texts[-1][1] += data


def read(page):
    reader = Reader()
    reader.feed(page)
    return reader


@pytest.fixture(scope="module")
def page(flown):
    return playback_page(flown("torque-free", "run.duration_s=60").run, name=HOSTILE, title=HOSTILE)


def test_hostile_name_adds_no_element(page, flown):
    plain = playback_page(flown("torque-free", "run.duration_s=60").run, name="x", title="y")
    assert [tag for tag, _ in read(page).tags] == [tag for tag, _ in read(plain).tags]
    data = next(text for (_, attrs), text in read(page).texts if attrs.get("id") == "playback-data")
    assert json.loads(data)["name"] == HOSTILE


def test_policy_permits_scripts_and_styles_of_the_page_only(page):
    reader = read(page)
    policy = next(attrs["content"] for _, attrs in reader.tags if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for (tag, attrs), text in reader.texts:
        if attrs.get("type") == "application/json":
            continue
        checksum = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        directive = next(each for each in policy.split("; ") if each.startswith(f"{tag}-src "))
        assert f"'sha256-{checksum}'" in directive
        assert "src" not in attrs
    for tag, attrs in reader.tags:
        assert not {"href", "src", "style", "onload"} & set(attrs), tag


def test_embedding_page_gets_data_scripts_and_styles(flown):
    flight = flown("slew-lqr", "run.duration_s=5")
    parts = playback_parts(flight.run, flight.loaded.case, name="slew-lqr")
    assert set(parts) == {"data", "scripts", "styles"}
    assert parts["data"]["name"] == "slew-lqr"
    assert "polhodePlayback" in parts["scripts"][-1]
    assert all(text and "</script" not in text for text in (*parts["scripts"], *parts["styles"]))


def test_ten_thousand_rows_stay_below_size_limit(flown):
    """A tumbling body whose every row is a keyframe: the largest page of a rigid body."""
    run = flown("torque-free", "run.duration_s=2000", "run.output_s=0.2").run
    assert run.t.size == 10_001
    assert len(playback_page(run).encode()) < 1_500_000


def test_page_is_written_whole_or_not_at_all(flown, tmp_path):
    run = flown("torque-free", "run.duration_s=60").run
    out = write_playback(tmp_path / "playback.html", run)
    text = out.read_text(encoding="utf-8")
    assert text.endswith("</body></html>\n")
    assert [each.name for each in tmp_path.iterdir()] == ["playback.html"]
    with pytest.raises(SaveError):
        write_playback(tmp_path / "none" / "playback.html", run)


def test_playback_page_is_equal_for_same_run(flown):
    run = flown("torque-free", "run.duration_s=60").run
    assert playback_page(run) == playback_page(run)
    assert np.isfinite(run.t).all()
