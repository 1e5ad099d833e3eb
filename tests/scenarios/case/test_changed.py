"""A case with some changed tables equals the case that a check of the whole document returns."""

import copy

import pytest

from polhode.plant import InputError
from polhode.scenarios.case.changed import changed_case
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case.overrides import put_value


def changed(loaded, values):
    document = copy.deepcopy(dict(loaded.document))
    for key, value in values.items():
        put_value(document, tuple(key.split(".")), value, where="here")
    return document, {key.partition(".")[0] for key in values}


def with_same_objects(value, old):
    if value == old:
        return old
    if isinstance(value, dict) and isinstance(old, dict):
        return {key: with_same_objects(each, old.get(key)) for key, each in value.items()}
    return value


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("slew-dispersed", {"plant.inertia_kg_m2": [350.0, 300.0, 180.0], "controller.torque_limit_N_m": 0.9}),
        ("slew-dispersed", {"initial.rate_rad_s": [0.1, 0.0, 0.0], "run.duration_s": 3}),
        ("star-tracker-pointing", {"sensors.0.bias_deg_h": 5.0, "estimator.gate": 0.99, "metrics.window_s": 2.0}),
        ("star-tracker-pointing", {"title": "Another", "require.0.max": 0.5}),
        ("four-wheel-pyramid", {"plant.elements.0.inertia_kg_m2": 0.03, "reference.attitude": [0.0, 1.0, 0.0, 0.0]}),
        ("four-wheel-pyramid", {"reference.rate_rad_s": [0.0, 0.0, 0.01], "run.seed": 3, "run.number": 7}),
        ("slew-dispersed", {"controller.sample_s": 0.2, "initial.attitude": [0.0, 1.0, 0.0, 0.0]}),
        ("slew-dispersed", {"nominal": {"plant": {"inertia_kg_m2": [1.0, 1.0, 1.0]}}}),
    ],
)
@pytest.mark.parametrize("shared", [False, True])
def test_changed_case_equals_checked_case(name, values, shared):
    loaded = load_case(name)
    document, tables = changed(loaded, values)
    if shared:  # as in a campaign: values that are equal are the same objects
        document = with_same_objects(document, loaded.document)
    found, whole = (
        changed_case(loaded, document, tables, by_key=shared),
        checked_case(loaded.name, loaded.source, document),
    )
    assert (found.case, found.document, found.name) == (whole.case, whole.document, whole.name)
    assert found.case != loaded.case


@pytest.mark.parametrize(
    "values",
    [
        {"plant.inertia_kg_m2": "heavy"},
        {"plant.inertia_kg_m2": [float("inf"), 1.0, 1.0]},
        {"plant.mass_kg": float("nan")},
        {"plant.mass_kg": -1.0},
        {"plant.masss_kg": 1.0},
        {"plant.translation": True},  # which only the check of the whole table refuses
        {"title": 3},
        {"initial.velocity_m_s": [1.0, 0.0, 0.0]},  # which only the check of the whole case refuses
        {"metrics.residual_from_s": 1e6},
        {"run.integrator": "euler"},
    ],
)
def test_changed_case_is_refused_in_the_same_words(values):
    loaded = load_case("slew-dispersed")
    document, tables = changed(loaded, values)
    document = with_same_objects(document, loaded.document)
    with pytest.raises(InputError) as whole:
        checked_case(loaded.name, loaded.source, document)
    with pytest.raises(InputError) as found:
        changed_case(loaded, document, tables, by_key=True)
    assert str(found.value) == str(whole.value)


def test_files_are_taken_from_the_folder_of_the_case(tmp_path):
    (tmp_path / "case.toml").write_text(
        'title = "x"\n[plant]\ninertia_kg_m2 = [3.0, 2.0, 1.0]\n[reference]\nattitude = [1.0, 0.0, 0.0, 0.0]\n'
        '[controller]\nkind = "file"\nfile = "gains.toml"\n[run]\nduration_s = 1.0\n'
    )
    loaded = load_case(tmp_path / "case.toml")
    document, tables = changed(loaded, {"controller.torque_limit_N_m": 0.5})
    found = changed_case(loaded, document, tables).case.controller
    assert found == checked_case(loaded.name, loaded.source, document).case.controller
    assert getattr(found, "file", None) == str(tmp_path / "gains.toml")
