"""A foreign journal is checked before it is used."""

import json

import pytest

from polhode.plant import InputError
from polhode.scenarios.case.campaigns.case_campaign import JOURNAL, case_of_run

CASE = {
    "title": "x",
    "plant": {"inertia_kg_m2": [4.0, 3.0, 2.0], "mass_kg": 9.0},
    "run": {"duration_s": 1.0},
    "dispersions": {"plant.mass_kg": {"sigma": 1.0}},
}
FACTS = {"seed": 0, "plan": "random", "runs": 3, "name": "x", "source": "x", "case": CASE}


def journal(folder, metadata):
    head = {"polhode": "polhode campaign 1", "columns": ["a"], "metadata": metadata}
    (folder / JOURNAL).write_text(json.dumps(head))
    return folder


def test_run_of_a_journal_is_drawn(tmp_path):
    loaded, draw = case_of_run(journal(tmp_path, FACTS), 2)
    assert loaded.case.plant.mass_kg == draw.values["plant.mass_kg"] != 9.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"case": [1]}, "case: "),
        ({"case": None}, "case: "),
        ({"case": {}}, "plant"),
        ({"case": {**CASE, "dispersions": {}}}, "no .dispersions."),
        (
            {"case": {**CASE, "correlated": [{"keys": ["a", "b"], "correlation": [[1, 0], [0, 1]]}]}},
            "a is not a dispersion",
        ),
        ({"seed": -1}, "seed"),
        ({"seed": "0"}, "seed"),
        ({"seed": 10**30}, "seed"),
        ({"runs": 1.5}, "runs"),
        ({"runs": 0}, "runs"),
        ({"runs": True}, "runs"),
        ({"plan": "other"}, "plan"),
        ({"plan": ["random"]}, "plan"),
        ({"name": 7}, "name"),
        ({"source": None}, "source"),
    ],
)
def test_hostile_journals_are_refused(tmp_path, change, words):
    with pytest.raises(InputError, match=words):
        case_of_run(journal(tmp_path, {**FACTS, **change}), 0)


@pytest.mark.parametrize("value", [3, None, {"a": 1}, "b"])
@pytest.mark.parametrize("key", ["metadata", "polhode"])
def test_hostile_heads_are_refused(tmp_path, key, value):
    path = journal(tmp_path, FACTS)
    head = json.loads((path / JOURNAL).read_text())
    (path / JOURNAL).write_text(json.dumps({**head, key: value}))
    with pytest.raises(InputError):
        case_of_run(path, 0)


def test_facts_of_a_campaign_without_a_case_are_refused(tmp_path):
    with pytest.raises(InputError, match="not the journal of a campaign of a case"):
        case_of_run(journal(tmp_path, {"seed": 0, "plan": "random", "runs": 1}), 0)


@pytest.mark.parametrize("run", [-1, 2**32, 10**30])
def test_run_numbers_out_of_range_are_refused(tmp_path, run):
    with pytest.raises(InputError, match="the runs are numbered 0 to 2"):
        case_of_run(journal(tmp_path, FACTS), run)
