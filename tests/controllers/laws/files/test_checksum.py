"""Checksums of law files: a flipped bit is rejected or harmless, and a deliberate edit is possible."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.contracts.law_system import linear_law_content
from polhode.controllers.laws.files.checksum import CHECKSUM, system_checksum
from polhode.plant.errors import InputError
from polhode.scenarios.report.model_mat import write_mat

FLIPS = 500
MEANT = "content does not match its checksum; if the change is intended, remove the key checksum"


@pytest.fixture(scope="module")
def model():
    craft = plant.Spacecraft(plant.RigidBody((8.0, 7.0, 6.0)))
    return craft.linearize(craft.at_rest())


@pytest.fixture(scope="module")
def law(model):
    return controllers.lqg(model, attitude=25.0, rate=9.0, effort=0.5, sample=0.1, torque_noise=1e-3,
                           attitude_noise=1e-4)  # fmt: skip


def numbers_of_law(law):
    parts = [getattr(law.compensator, each) for each in "ABCD"]
    return [np.array(each).tolist() for each in parts] + [law.sample, law.delay, law.saturation]


def numbers_of_system(system):
    parts = [getattr(system, each).tolist() for each in "ABCD"]
    return [*parts, system.dt, list(system.input_labels), list(system.output_labels)]


def flips(data: bytes):
    rng = np.random.default_rng(5)
    for bit in rng.choice(8 * len(data), FLIPS, replace=False).tolist():
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        yield bit, bytes(flipped)


def read_flipped(path, data, read):
    """Return how many flips of a file were rejected, and how many were harmless; any other outcome fails."""
    path.write_bytes(data)
    before = read(path)
    refused = 0
    for bit, flipped in flips(data):
        path.write_bytes(flipped)
        try:
            after = read(path)
        except InputError:
            refused += 1
        else:
            assert after == before, f"bit {bit} changed the law without a word"
    return refused


def test_toml_law_with_flipped_bits_is_rejected_or_unchanged(tmp_path, law, model):
    path = tmp_path / "law.toml"
    controllers.save_law(law, path)
    refused = read_flipped(path, path.read_bytes(), lambda path: numbers_of_law(controllers.load_law(path, model)))
    assert refused > 0.8 * FLIPS


@pytest.mark.parametrize("kind", ["json", "mat"])
def test_linear_law_with_flipped_bits_is_rejected_or_unchanged(tmp_path, law, model, kind):
    content = linear_law_content(law, model, with_delay=False)
    content[CHECKSUM] = system_checksum(content)
    path = tmp_path / f"law.{kind}"
    if kind == "mat":
        write_mat(content, path)
    else:
        path.write_text(json.dumps({"system": {key: np.asarray(each).tolist() for key, each in content.items()}}))
    refused = read_flipped(path, path.read_bytes(), lambda path: numbers_of_system(controllers.load_system(path)))
    assert refused > 0.2 * FLIPS  # much of .mat is padding, and names of states are not read


def test_edited_gain_is_rejected_unless_checksum_is_removed(tmp_path, law, model):
    path = tmp_path / "law.toml"
    controllers.save_law(law, path)
    text = path.read_text()
    digit = re.search(r"\d\.\d\d\d(\d)\d{8}", text[text.index("C = ") :])
    assert digit is not None
    at = text.index("C = ") + digit.start(1)
    edited = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
    path.write_text(edited)
    with pytest.raises(InputError, match=f"law.toml: is damaged or was edited: its {MEANT} from the file"):
        controllers.load_law(path, model)
    path.write_text(re.sub(r"(?m)^checksum = .*\n", "", edited))
    assert numbers_of_law(controllers.load_law(path, model)) != numbers_of_law(law)


def test_checksum_ignores_comments_order_and_spaces(tmp_path, law, model):
    path = tmp_path / "law.toml"
    controllers.save_law(law, path)
    first, second, third, rest = path.read_text().split("\n", 3)
    path.write_text("\n".join((f"{first} more", third, f"{second}  # a remark", rest)))
    assert numbers_of_law(controllers.load_law(path, model)) == numbers_of_law(law)
