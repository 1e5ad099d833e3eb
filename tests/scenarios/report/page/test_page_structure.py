"""The page has its parts in order, agrees with the run, stays small, and makes no request."""

from __future__ import annotations

import base64
import hashlib
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case_run import run_case
from polhode.scenarios.commands.invoke import invoke
from polhode.scenarios.report.page.case_file import document_toml
from polhode.scenarios.report.page.plugin import Plugin

from ...conftest import without_pictures
from .pages import HOSTILE, case_file, data_of, decoded, markup_of, page_of, policy_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return page_of(case_file(folder, law=True))


@pytest.fixture(scope="module")
def drifting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return case_file(tmp_path_factory.mktemp("drifting"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(case_file(tmp_path_factory.mktemp("hostile"), title=HOSTILE, id_=HOSTILE[:40], duration=5.0))


def test_page_sections_stand_in_order_of_use(page: str) -> None:
    ids = re.findall(r'<section id="([a-z-]+)"', markup_of(page))
    parts = ["design", "budgets", "metrics", "warnings", "accuracy", "case", "provenance"]
    assert ids == ["verdicts", "playback", "reader-run", "histories", *parts]


def test_page_links_lead_to_an_element(page: str) -> None:
    ids = re.findall(r' id="([^"]+)"', markup_of(page))
    targets = re.findall(r'<a href="#([^"]+)"', markup_of(page))
    assert targets
    assert set(targets) <= set(ids)
    assert sorted(set(ids)) == sorted(ids), "an identifier occurs twice"


def test_page_verdict_row_has_identifier_text_bound_and_margin(page: str, folder: Path) -> None:
    value = run_case(folder / "case.toml").metrics["settling_time_s"].value
    assert value is not None
    row = re.search(r'<tr id="requirement-0">.*?</tr>', page, re.DOTALL)
    assert row is not None
    for words in (
        "AOCS-012",
        "A slew",
        "settling_<wbr>time_<wbr>s",
        "200 s",
        f"{value:.5g} s",
        f"{200.0 - value:.4g} s",
    ):
        assert words in row[0]
    assert 'href="#chart-error-angle"' in row[0]


def test_page_series_equal_the_rows_of_the_run(page: str, folder: Path) -> None:
    run, data = run_case(folder / "case.toml").run, data_of(page)
    assert not data["envelope"]
    np.testing.assert_array_equal(decoded(data["times"]), run.t)
    np.testing.assert_array_equal(decoded(data["series"]["rate.y"]), run.values("rate")[:, 1].astype(np.float32))


def test_page_of_long_run_keeps_every_extreme(tmp_path: Path) -> None:
    path = case_file(tmp_path, duration=6000.0)
    run, data = run_case(path).run, data_of(page_of(path, plugins=[]))
    assert run.t.size > 4000
    assert data["envelope"]
    rate = decoded(data["series"]["rate.x"])
    assert rate.size <= 4000
    exact = run.values("rate")[:, 0].astype(np.float32)
    assert (rate.min(), rate.max()) == (exact.min(), exact.max())
    assert set(rate.tolist()) <= set(exact.tolist())


def test_page_is_below_three_megabytes(page: str, hostile: str) -> None:
    assert max(len(page.encode()), len(hostile.encode())) < 3_000_000


def test_page_policy_permits_only_its_own_scripts(page: str) -> None:
    rules = policy_of(page)
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == rules["script-src"].count("'sha256-") >= 3
    for script in scripts:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in rules["script-src"]
    assert "unsafe-inline" not in rules["script-src"]


def test_page_refers_to_nothing_outside(page: str) -> None:
    markup = markup_of(page)
    assert not re.findall(r'\b(?:src|srcset|poster|data|action)="', markup)
    assert not [link for link in re.findall(r'href="([^"]+)"', markup) if not link.startswith("#")]


def test_page_escapes_hostile_words_everywhere(hostile: str) -> None:
    assert hostile.count("<script>") == policy_of(hostile)["script-src"].count("'sha256-")
    assert "<img src=x" not in hostile
    assert "<!-- " not in markup_of(hostile)
    assert data_of(hostile)["case"]["title"] == HOSTILE


def test_page_plugin_has_section_data_script_and_permission(drifting: Path) -> None:
    plugin = Plugin(
        id="scene", title="Scene", data={"words": HOSTILE}, scripts=("/* drawn */",), wasm=True, note="without script"
    )
    still, made = page_of(drifting, plugins=[]), page_of(drifting, plugins=[plugin])
    assert re.search(r'<section id="scene".*?data-plugin="scene"', made, re.DOTALL)
    assert data_of(made)["plugins"] == {"scene": {"words": HOSTILE}}
    assert made.index("/* drawn */") < made.index("page.complete();")
    assert "wasm-unsafe-eval" in policy_of(made)["script-src"]
    assert "wasm-unsafe-eval" not in policy_of(still)["script-src"]


@pytest.mark.parametrize("name", ["", "Scene", "a b", "a" * 40, '"><script>'])
def test_plugin_rejects_name_that_is_no_identifier(name: str) -> None:
    with pytest.raises(InputError, match="name of a page section"):
        Plugin(id=name, title="x")


def test_document_toml_reads_back_as_the_same_case() -> None:
    document = {
        "title": 'a "b" \\ \u2028',
        "plant": {"inertia": [[1.0, 0.0], [0.0, 2.0]], "elements": [{"kind": "wheel", "on": True}, {"kind": "ring"}]},
        "dispersions": {"plant.mass_kg": {"sigma": 0.1}, "a key": {"values": [{"x": 1}, 2]}},
        "empty": [],
    }
    assert tomllib.loads(document_toml(document)) == document


def test_noisy_run_is_one_draw_and_stays_open() -> None:
    from polhode.scenarios.report.page.source import page_source
    from polhode.scenarios.report.page.verdicts import verdict_rows

    source = page_source("star-tracker-pointing", overrides=["run.duration_s=160"])
    rows = {row.requirement.metric: row for row in verdict_rows(source, frozenset())}
    assert rows["final_attitude_error_deg"].status == "met"
    assert not rows["final_attitude_error_deg"].closed
    assert "chance" in rows["final_attitude_error_deg"].close_out
    assert rows["phase_margin_deg"].closed


@pytest.mark.parametrize("name", ["page.txt", "page", "missing/page.html"])
def test_report_rejects_name_of_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert invoke(["report", "tumbling-brick", "--out", name]) == 2
    assert f"--out {name}" in capsys.readouterr().err


def test_report_of_saved_run_equals_that_of_its_case(drifting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = drifting.parent
    with without_pictures():
        assert invoke(["run", str(drifting), "--out", str(folder / "run")]) in {0, 1}
    assert invoke(["report", str(folder / "run" / "run.nc"), "--out", str(folder / "again.html")]) in {0, 1}
    capsys.readouterr()
    again = (folder / "again.html").read_text(encoding="utf-8")
    assert data_of(again)["series"] == data_of(page_of(drifting, plugins=[]))["series"]


def test_report_rejects_overrides_of_results(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", str(folder), "--set", "run.duration_s=1", "--out", str(folder / "x.html")]
    assert invoke(words) == 2
    assert "--set with a case" in capsys.readouterr().err


def test_report_names_folder_without_campaign(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["report", str(folder), "--out", str(folder / "x.html")]) == 2
    assert "campaign.journal" in capsys.readouterr().err
