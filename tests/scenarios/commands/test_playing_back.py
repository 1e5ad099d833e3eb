"""The command `polhode playback`: cases, saved runs, messages."""

import json

import pytest

from polhode.controllers.laws.files.provenance import stating
from polhode.scenarios import run_case
from polhode.scenarios.case.stored import state_case
from polhode.scenarios.commands.invoke import invoke


def test_playback_of_case_writes_page_and_says_what_is_shown(tmp_path, capsys):
    out = tmp_path / "page.html"
    assert invoke(["playback", "torque-free", "--out", str(out), "--set", "run.duration_s=20"]) == 0
    assert "101 rows to 20 s" in capsys.readouterr().out
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_playback_of_saved_run_shows_the_same(tmp_path, capsys):
    case, saved = tmp_path / "case.html", tmp_path / "saved.html"
    with stating({}):
        flight = run_case("nutation-damping", overrides=["run.duration_s=2"])
        state_case(flight.loaded)
        flight.run.save(tmp_path / "run.nc")
    assert invoke(["playback", "nutation-damping", "--out", str(case), "--set", "run.duration_s=2"]) == 0
    capsys.readouterr()
    assert invoke(["playback", str(tmp_path / "run.nc"), "--out", str(saved), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["parts"] == ["ring", "arc"]
    assert told["errors"]["attitude"] <= 3.6e-4
    assert saved.read_text(encoding="utf-8") == case.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["torque-free", "--out", "{tmp}/page.txt"], "end the name in .html"),
        (["torque-free", "--out", "{tmp}/none/page.html"], "create it first"),
        (["torque-fre", "--out", "{tmp}/page.html"], "torque-free"),
        (["missing.nc", "--out", "{tmp}/page.html"], "no such file"),
        (["missing.nc", "--out", "{tmp}/page.html", "--set", "run.duration_s=2"], "use --set with a case"),
    ],
)
def test_bad_input_gets_one_message(tmp_path, capsys, arguments, message):
    words = [each.format(tmp=tmp_path) for each in arguments]
    assert invoke(["playback", *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert not list(tmp_path.iterdir())
