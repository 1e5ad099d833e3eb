"""File names that are not UTF-8, and ASCII terminals: results are kept, or the name is refused first."""

import json
import os
import subprocess
import sys

import pytest

from ..conftest import SMALL

NAME = os.fsdecode(b"m\xfcller")
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

if sys.platform == "darwin":
    pytest.skip("file systems there hold UTF-8 only", allow_module_level=True)


@pytest.fixture
def named(tmp_path):
    folder = tmp_path / NAME
    folder.mkdir()
    path = folder / f"{NAME}.toml"
    path.write_text(SMALL)
    return path


@pytest.mark.slow
def test_results_are_kept_under_names_that_are_not_utf_8(named, polhode, tmp_path):
    out = tmp_path / f"out-{NAME}"
    found = polhode("run", named, "--out", out, "--json")
    assert found.code == 0, found.err
    assert found.json["case"] == "m\\udcfcller"
    assert json.loads((out / "summary.json").read_text(encoding="utf-8")) == found.json
    again = polhode("run", out / "run.nc", "--json")
    assert again.code == 0, again.err
    assert again.json["compared"]["same"]
    message = tmp_path / f"{NAME}.aem"
    assert polhode("convert", out / "run.nc", "--out", message, "--epoch", "2026-03-20T12:00:00").code == 0
    assert message.is_file()


def test_campaigns_and_designs_are_kept_under_such_names(named, polhode, tmp_path):
    with named.open("a") as file:
        file.write('[dispersions]\n"initial.rate_rad_s" = { sigma = 0.01 }\n[campaign]\nruns = 1\n')
    out = tmp_path / f"campaign-{NAME}"
    found = polhode("campaign", named, "--out", out, "--workers", "1", "--json")
    assert found.code == 0, found.err
    assert polhode("run", "--from-campaign", out, "--run", "0").code == 0
    assert polhode("linearize", named, "--allow-nonequilibrium", "--out", tmp_path / f"linear-{NAME}").code == 0


def test_overrides_that_are_not_utf_8_are_refused_before_the_run(small, polhode):
    for value in (f'"{NAME}"', NAME):
        found = polhode("run", small, "--set", f"title={value}")
        assert (found.code, found.out) == (2, "")
        assert "is not UTF-8 text" in found.err


@pytest.mark.thinned(2)
@pytest.mark.parametrize("words", [["--json"], []])
def test_ascii_terminals_are_printed_to(small, words):
    small.write_text(SMALL.replace("a body at rest", "corps au repos, à 漢"), encoding="utf-8")
    command = [sys.executable, "-m", "polhode", "run", str(small), *words]
    found = subprocess.run(command, capture_output=True, env={**os.environ, **ASCII}, check=False)
    assert found.returncode == 0, found.stderr
    assert found.stdout.isascii()
    if words:
        assert json.loads(found.stdout)["case"] == "small"
    else:
        assert b"corps au repos, \\xe0 \\u6f22" in found.stdout
