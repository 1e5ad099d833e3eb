"""Every kind of element, reference or metric has its table or words and a case; no other code depends on the kind."""

import inspect
import re
from pathlib import Path

import pytest

from polhode.scenarios import load_case, shipped_cases
from polhode.scenarios.case.kinds import blocks, elements, potentials, references, torques
from polhode.scenarios.case.schema import Case
from polhode.scenarios.report.metrics import METRICS

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = Case.model_json_schema()


@pytest.mark.parametrize(
    "room",
    [blocks, elements, potentials, references, torques],
    ids=["block", "element", "potential", "reference", "torque"],
)
def test_every_kind_is_in_the_schema_and_in_a_file_that_is_listed(room):
    folder = Path(inspect.getfile(room)).parent
    made = {path.stem for path in folder.glob("*.py") if re.search(r"(?m)^KINDS? = ", path.read_text(encoding="utf-8"))}
    assert made == {entry for entry in room.kinds.FILES if " = " not in entry}
    for kind in room.KINDS:
        table = SCHEMA["$defs"][kind.table.__name__]
        assert kind.name in {table["properties"]["kind"].get("const"), table["properties"]["kind"].get("default")}


def test_every_metric_can_be_required_and_says_what_it_is():
    metric = str(SCHEMA["$defs"]["RequireTable"]["properties"]["metric"])
    assert not [name for name, kind in METRICS.items() if f"{name}: {kind.words}" not in metric.replace("\\'", "'")]
    source = (ROOT / "scenarios" / "report" / "metrics").glob("*.py")
    made = {name for path in source for name in re.findall(r"(?m)^def (\w+)\(run", path.read_text(encoding="utf-8"))}
    assert set(METRICS) <= made


def test_shipped_cases_cover_each_element_kind():
    shown = {each.kind for name in shipped_cases() for each in load_case(name).case.plant.elements}
    assert {kind.name for kind in elements.KINDS} - shown == NOT_SHIPPED


NOT_SHIPPED = {"control-moment-gyro", "imbalanced-wheel", "mass-spring-damper"}
"""Flown by tests/scenarios/test_elements.py only."""


@pytest.mark.parametrize("kind", list(elements.KINDS), ids=lambda kind: kind.name)
def test_only_its_own_file_asks_which_element_it_is(kind):
    """No isinstance on tables or elements in the rest of the room."""
    words = kind.table.__name__ + (f"|{kind.element.__name__}" if kind.element else "")
    found = [
        f"{path.name}: {line}"
        for path in sorted((ROOT / "scenarios").rglob("*.py"))
        if path.parent.name != "elements"
        for line in re.findall(rf"isinstance\([^)]*\b(?:{words})\b[^)]*\)", path.read_text(encoding="utf-8"))
    ]
    assert not found
