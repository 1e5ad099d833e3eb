"""Every source of a page is recognised: a case name, a file, the folder of a run."""

import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.commands.invoke import invoke
from polhode.scenarios.report.page.document import page_html
from polhode.scenarios.report.page.source import page_source

from ...conftest import without_pictures
from ..test_environment_metrics import CASE
from .pages import case_file, markup_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    with without_pictures():
        assert invoke(["run", str(case_file(folder, duration=5.0)), "--out", str(folder / "out")]) < 2
    return folder


def test_folder_of_a_run_is_that_run(folder):
    from_folder, from_file = page_source(str(folder / "out")), page_source(str(folder / "out" / "run.nc"))
    assert from_folder.kind == from_file.kind == "run"
    assert from_folder.case_run.run.t.tobytes() == from_file.case_run.run.t.tobytes()
    with pytest.raises(InputError, match="is a recorded run, which --set cannot change"):
        page_source(str(folder / "out"), overrides=["run.duration_s=1"])


def test_folder_without_results_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"has neither run\.nc nor campaign\.journal"):
        page_source(str(tmp_path))


def test_shipped_name_is_the_case_beside_a_folder_of_that_name(tmp_path, monkeypatch):
    (tmp_path / "torque-free").mkdir()
    monkeypatch.chdir(tmp_path)
    assert page_source("torque-free", overrides=["run.duration_s=1"]).kind == "case"


def test_page_lists_torques_of_the_environment_and_warns_of_no_law(tmp_path):
    (tmp_path / "case.toml").write_text(CASE)
    markup = markup_of(page_html(page_source(str(tmp_path / "case.toml")), out="page.html", plugins=[]))
    assert "Torques of the environment" in markup
    assert all(word in markup for word in ("residual dipole", "drag", "solar pressure", "momentum x"))
    assert "the law is designed" not in markup


def test_page_has_a_propellant_budget_where_thrusters_pulse():
    source = page_source("pulsed-thrusters", overrides=["run.duration_s=200"])
    run = source.case_run.run
    markup = markup_of(page_html(source, out="page.html", plugins=[]))
    part = markup[markup.index("Propellant budget") :]
    assert f"<td>{run.values('thruster_pulses')[-1].sum():.0f}</td>" in part
    assert f"{run.values('propellant').ravel()[-1]:.4g} kg in the run" in part
