"""A campaign resumes only with the files that its first runs read."""

import json

import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.scenarios.case.campaigns.case_campaign import case_of_run

HEAD = """\
title = "laws in files"
[plant]
inertia_kg_m2 = [4.0, 3.0, 2.0]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[run]
duration_s = 0.2
integrator = "rk4"
step_s = 0.1
[campaign]
runs = 2
[controller]
torque_limit_N_m = 1.0
sample_s = 0.1
"""
PLAIN = 'kind = "rate-damping"\ngain_N_m_s = 1.0\n'
INSIDE = HEAD + PLAIN
FILE = 'kind = "control-system"\nfile = "law.json"\nsample_s = 0.1\n'
OUTSIDE = HEAD + FILE.replace("sample_s = 0.1\n", "")
SCATTERED = '[dispersions]\n"initial.rate_rad_s" = { mean = [0.0, 0.0, 0.1], sigma = 0.01 }\n'
SWEPT = '[dispersions]\n"controller.file" = { distribution = "list", values = ["law.json", "other.json"] }\n'
CASES = {
    "controller": OUTSIDE + SCATTERED,
    "modes": INSIDE + SCATTERED + '[[modes]]\nname = "a"\nfinal = true\n[modes.controller]\n' + FILE,
    "compare": INSIDE + SCATTERED + '[[compare]]\nlabel = "a"\n[compare.controller]\n' + FILE,
    "dispersions": OUTSIDE.replace("law.json", "first.json") + SWEPT,
}


def law(path, gain):
    K = [[0.0, 0.0, 0.0, gain, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, gain, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, gain]]
    path.write_text(json.dumps({"K": K}))


@pytest.mark.parametrize(
    "where", [pytest.param(key, marks=pytest.mark.slow if key == "modes" else ()) for key in CASES]
)
def test_changed_law_file_stops_a_resumed_campaign(tmp_path, where):
    for name in ("law.json", "first.json", "other.json"):
        law(tmp_path / name, 3.0 if name == "other.json" else 1.0)
    (tmp_path / "case.toml").write_text(CASES[where])

    def run(runs):
        return scenarios.run_campaign(tmp_path / "case.toml", runs=runs, workers=1, out=tmp_path / "out")

    assert run(1).campaign.run.size == 1
    law(tmp_path / "law.json", 1.0)  # written again with equal content
    assert run(2).campaign.run.size == 2
    law(tmp_path / "law.json", 2.0)
    with pytest.raises(InputError, match=r"law_files\..*law.json was"):
        run(2)
    (tmp_path / "law.json").unlink()
    with pytest.raises(InputError):
        run(2)


TABLE = INSIDE + SCATTERED + '[[torques]]\nkind = "table"\ntable = "law.csv"\n'


@pytest.mark.parametrize(("case", "name"), [(OUTSIDE + SCATTERED, "law.json"), (TABLE, "law.csv")])
def test_replayed_run_rejects_a_changed_file(tmp_path, case, name):
    law(tmp_path / "law.json", 1.0)
    (tmp_path / "law.csv").write_text("0,0,0,1\n1,0,0,1\n")
    (tmp_path / "case.toml").write_text(case)
    scenarios.run_campaign(tmp_path / "case.toml", runs=1, workers=1, out=tmp_path / "out")
    loaded, draw = case_of_run(tmp_path / "out", 0)
    assert draw.run == 0
    assert loaded.case.initial is not None
    (tmp_path / name).write_text((tmp_path / name).read_text().replace("1", "2"))
    with pytest.raises(
        InputError, match=rf"{name} has changed since the campaign ran, so that run 0 cannot be reproduced"
    ):
        case_of_run(tmp_path / "out", 0)


def test_resumed_campaign_names_programs_it_cannot_compare(tmp_path, polhode, monkeypatch):
    from polhode.scenarios.case.schema.fields import Table

    monkeypatch.setattr(Table, "outside", property(lambda self: "'a program'" if hasattr(self, "gain_N_m_s") else ""))
    (tmp_path / "case.toml").write_text(INSIDE + SCATTERED)
    words = ("campaign", tmp_path / "case.toml", "--out", tmp_path / "out", "--workers", "1", "--json")
    first = polhode(*words)
    assert first.json["unchecked"] == ["'a program'"]
    assert "were not compared" not in first.err
    assert "files read by these programs were not compared: 'a program'" in polhode(*words).err
