"""The unit in a message, on a slider and in the guide equals that in the key."""

import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.key_table import key_tables
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case.sentences import UNITS, name_of, unit_of
from polhode.scenarios.report.reader_run.slider_keys import slider_keys

ROWS = {row.key: row for table in key_tables() for row in table.rows if "number" in row.type}


def test_every_number_of_the_schema_has_the_unit_that_its_key_spells():
    apart = {key: (row.unit, unit_of(key)) for key, row in ROWS.items() if unit_of(key) != row.unit}
    assert all(key.endswith("_weight") for key in apart), apart  # units of weights depend on the weighted quantity
    assert len(ROWS) > 150


def test_longer_suffix_is_found_first():
    for number, (ending, _) in enumerate(UNITS):
        assert not [later for later, _ in UNITS[number + 1 :] if later != ending and later.endswith(ending)]


def test_message_names_the_unit_of_the_key():
    with pytest.raises(InputError, match=r"friction_kg_s: must be at least 0 kg/s; got -1\.0 kg/s"):
        load_case("nutation-damping", ["plant.elements.0.friction_kg_s=-1.0"])


def test_slider_has_name_and_unit_of_its_key():
    keys = {key.path: (key.label, key.unit) for key in slider_keys(load_case("nutation-damping").document)}
    assert keys["plant.elements.0.friction_kg_s"] == ("element 1: friction", "kg/s")
    assert keys["plant.elements.0.angle_rad"] == ("element 1: angle", "rad")
    assert name_of("stiffness_N_m") == "stiffness"
