"""Law files: readable, written atomically, and only for the plant they were saved with."""

import tomllib

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.laws.files.toml_text import toml_text

WEIGHTS = {"attitude": 25.0, "rate": 9.0, "effort": 0.5}


def model_of(inertia=(8.0, 7.0, 6.0), *, attitude=(1, 0, 0, 0), basis=("body",), limit=None, rate=None):
    craft = plant.Spacecraft(plant.RigidBody(inertia), torques=plant.TorqueBasis(*basis, limit=limit))
    return craft.linearize(craft.state(attitude=attitude, rate=rate))


@pytest.fixture
def saved(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["design.py"])  # the file contains the command line, of any length
    path = tmp_path / "law.toml"
    controllers.save_law(controllers.lqr(model_of(), **WEIGHTS, sample=0.1, delay=0.05), path)
    return path


def test_law_file_is_readable_toml(saved):
    text = saved.read_text()
    content = tomllib.loads(text)
    assert content["law"] == "linear-feedback"
    assert content["sample_s"] == 0.1
    assert content["plant"]["inertia_kg_m2"] == [[8.0, 0, 0], [0, 7.0, 0], [0, 0, 6.0]]
    assert content["plant"]["fingerprint"] == controllers.plant_fingerprint(model_of())
    assert len(text) < 6000
    assert max(map(len, text.splitlines())) < 250


def test_law_file_keeps_weights_and_limits(saved):
    law = controllers.load_law(saved, model_of(limit=0.3))
    np.testing.assert_array_equal(law.design["attitude_weight"], 25.0 * np.eye(3))
    np.testing.assert_array_equal(law.model.torques.limits(), 0.3)  # limits come from the plant, not from the file


def test_law_file_keeps_quaternion_feedback(tmp_path):
    craft = plant.Spacecraft(plant.RigidBody((8.0, 7.0, 6.0)), torques=plant.TorqueBasis("inertial"))
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    model = craft.linearize(craft.at_rest())
    controllers.save_law(law, tmp_path / "q.toml", model=model)
    np.testing.assert_array_equal(controllers.load_law(tmp_path / "q.toml", model).parameters, law.parameters)
    with pytest.raises(plant.InputError, match=r"has no plant model: save_law\(law, path, model=...\)"):
        controllers.save_law(law, tmp_path / "q.toml")


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (model_of((8.0, 7.1, 6.0)), r"inertia_kg_m2\[1\]\[1\] is 7 there and 7.1 here; use the law with its own plant"),
        (model_of(basis=("inertial",)), "torque_basis is body there and inertial here"),
        (model_of(attitude=(0, 0, 0, 1)), r"operating_attitude\[\d\] is"),
        (model_of(rate=(0, 0, 0.1)), r"operating_momentum_N_m_s\[2\] is 0 there and 0.6 here"),
    ],
)
def test_law_file_of_another_plant_is_rejected_by_fingerprint(saved, model, message):
    with pytest.raises(plant.InputError, match=message) as refusal:
        controllers.load_law(saved, model)
    assert controllers.plant_fingerprint(model_of()) in str(refusal.value)
    assert controllers.plant_fingerprint(model) in str(refusal.value)


def test_law_file_accepts_rounding_but_not_a_millionth(saved):
    controllers.load_law(saved, model_of((8.0 * (1 + 1e-13), 7.0, 6.0)))
    controllers.load_law(saved, model_of(attitude=(-1, 0, 0, 0)))
    with pytest.raises(plant.InputError, match="inertia_kg_m2"):
        controllers.load_law(saved, model_of((8.0 * (1 + 1e-6), 7.0, 6.0)))


def test_law_file_with_changed_plant_is_rejected(saved):
    saved.write_text(saved.read_text().replace("[8.0, 0.0, 0.0]", "[8.5, 0.0, 0.0]"))
    with pytest.raises(plant.InputError, match="the values of the plant do not match its fingerprint"):
        controllers.load_law(saved, model_of((8.5, 7.0, 6.0)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("format = 1", "format = 2"), "is not a law file of format 1; got format = 2"),
        (("format = 1", "format ="), "cannot be read as a law"),
        (('law = "linear-feedback"', 'law = "bang-bang"'), "law 'bang-bang' is unknown"),
        (("[gains]", "[grains]"), r"the law file is incomplete or damaged \('gains'\)"),
        (("sample_s = 0.1", "sample_s = -0.1"), "sample must be greater than 0"),
    ],
)
def test_damaged_law_files_are_rejected(saved, change, message):
    text = saved.read_text()
    assert change[0] in text
    saved.write_text(text.replace(*change))
    with pytest.raises(plant.InputError, match=message):
        controllers.load_law(saved, model_of())


def test_law_file_with_wrong_shapes_is_rejected(tmp_path):
    path = tmp_path / "law.toml"
    controllers.save_law(controllers.lqi(model_of(), **WEIGHTS, integral=1.0, sample=0.1), path)
    path.write_text(path.read_text().replace("order = 3", "order = 2"))
    with pytest.raises(plant.InputError, match="gain matrix A must be 2 x 2; got shape"):
        controllers.load_law(path, model_of())


def test_law_file_is_written_atomically(saved, tmp_path):
    before = saved.read_text()
    with pytest.raises(plant.PolhodeError, match="cannot be written"):
        controllers.save_law(controllers.lqr(model_of(), **WEIGHTS, sample=0.1), tmp_path / "no" / "law.toml")
    with pytest.raises(plant.InputError, match="only laws with gains can be saved; got CustomLaw"):
        controllers.save_law(controllers.CustomLaw(lambda t, y, r: (0, 0, 0), sample=1.0, compiled=False), saved)
    assert saved.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["law.toml"]
    with pytest.raises(plant.InputError, match="cannot be read as a law"):
        controllers.load_law(tmp_path / "nothing.toml", model_of())


def test_toml_text_reads_back():
    table = {
        "words": ['a "quoted"\nline', "ü"],
        "rows": [[1.0, 2.5e-300], [float("inf"), -0.1]],
        "yes": True,
        "no": None,
    }
    table |= {"empty": [], "whole": 3}
    back = tomllib.loads(toml_text({"x": 0.1}, {"t": table, "left out": None}))
    del table["no"]
    assert back == {"x": 0.1, "t": table}
