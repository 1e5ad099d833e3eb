"""Torques that another process exerts, in a case: flown as those inside, told among the margins, refused in a unit."""

import json
import sys

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError

CASE = """\
title = "a torque in another process"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
attitude = [0.8, 0.4, -0.4, 0.2]
rate_rad_s = [0.01, -0.02, 0.015]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.1
damping_ratio = 0.9
sample_s = 0.1
[run]
duration_s = 5.0
integrator = "rk4"
step_s = 0.1
"""
WIND = f"""
[[torques]]
kind = "process"
name = "wind"
command = ["{sys.executable}", "-S", "wind.py"]
reads = ["rate"]
sample_s = 1.0
trust = true
"""
PULSE = """
[[torques]]
from_s = 0.0
to_s = 100.0
components_N_m = [0.5, -0.25, 0.125]
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "polhode" in told:
        print(json.dumps({k: told[k] for k in ("polhode", "reads", "writes", "sample_s")}), flush=True)
    elif "n" in told:
        print(json.dumps({"n": told["n"], "v": [0.5, -0.25, 0.125]}), flush=True)
"""


@pytest.fixture
def case(tmp_path):
    (tmp_path / "wind.py").write_text(PROGRAM)

    def make(text):
        path = tmp_path / "case.toml"
        path.write_text(text)
        return path

    return make


def test_it_acts_as_a_pulse_does(case):
    one, other = (scenarios.run_case(case(CASE + text)).run for text in (WIND, PULSE))
    assert one.status == "completed", one.reason
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-14)
    both, twice = (scenarios.run_case(case(CASE + text)).run for text in (WIND + PULSE, PULSE + PULSE))
    np.testing.assert_allclose(both.states, twice.states, rtol=0, atol=1e-14)


def test_margins_tell_what_is_not_in_them(case, polhode):
    found = polhode("design", case(CASE + WIND), "--json")
    assert found.code == 0, found.err
    assert found.json["margins"]["blocks"] == ["wind: the torque that it exerts is not counted"]
    assert "wind: the torque that it exerts is not counted" in polhode("design", case(CASE + WIND)).out


def test_a_linear_model_tells_what_it_is_without(case, polhode):
    found = polhode("linearize", case(CASE + PULSE + WIND), "--json")
    assert found.code == 0, found.err
    told = "the model is without the torque of torques.1, which something outside answers at each sample"
    assert found.json["warnings"] == [told]


@pytest.mark.parametrize("part", ["--plant", "--law"])
def test_a_unit_of_one_part_alone_does_not_lose_it(case, polhode, tmp_path, part):
    found = polhode("fmu", case(CASE + WIND), part, "-o", tmp_path / "craft.fmu")
    assert found.code == 2
    assert f"a unit of the {'plant' if part == '--plant' else 'law'} alone has" in found.err
    assert "the block 'wind' exerts a torque" in found.err


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("trust = true", "", "the block 'wind': command runs"),
        ("sample_s = 1.0", "", "sample_s"),
        ('reads = ["rate"]', 'reads = ["rats"]', "torques.0: signal 'rats' is unknown; did you mean 'rate'"),
        ('name = "wind"', 'name = "rate"', "torques.0: there is a 'rate' already"),
        ('name = "wind"', 'name = "energy"', "energy"),
        ('kind = "process"', 'kind = "proces"', "did you mean"),
    ],
)
def test_bad_input_says_what_to_do(case, old, new, words):
    with pytest.raises(InputError, match=words):
        scenarios.run_case(case(CASE + WIND.replace(old, new, 1)))


def test_the_schema_has_all_kinds():
    from polhode.scenarios.case.schema import Case

    text = json.dumps(Case.model_json_schema())
    assert all(f"{name}Table" in text for name in ("PulseTable"[:-5], "FMUTorque", "ProcessTorque"))
