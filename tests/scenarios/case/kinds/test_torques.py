"""Torques of another process in a case: equal to internal ones, named in the margins, refused in an FMU."""

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


def test_process_torque_equals_pulse(case):
    one, other = (scenarios.run_case(case(CASE + text)).run for text in (WIND, PULSE))
    assert one.status == "completed", one.reason
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-14)
    both, twice = (scenarios.run_case(case(CASE + text)).run for text in (WIND + PULSE, PULSE + PULSE))
    np.testing.assert_allclose(both.states, twice.states, rtol=0, atol=1e-14)


WHEEL = """
[[plant.elements]]
kind = "wheel"
axis = [0.0, 0.0, 1.0]
inertia_kg_m2 = 0.1
friction_N_m_s = 0.0
relative_rate_rad_s = 20.0
"""
SLIDER = """
[[plant.elements]]
kind = "mass-spring-damper"
point_m = [0.3, 0.0, 0.1]
axis = [0.0, 0.0, 1.0]
mass_kg = 2.0
stiffness_N_m = 3.0
"""
FRICTION = f"""
[[torques]]
kind = "process"
name = "friction"
command = ["{sys.executable}", "-S", "friction.py"]
reads = "wheel_angle_rate"
coordinates = "wheel_angle"
sample_s = 0.25
trust = true
"""
RUB = PROGRAM.replace("[0.5, -0.25, 0.125]", '[-0.05 * r for r in told["y"]]')
ON_WHEEL = '\n[[torques]]\ncoordinate = "wheel_angle"\ntorque_N_m = 0.02\nfrom_s = 0.0\nto_s = 4.0\n'
ON_SLIDER = '\n[[torques]]\ncoordinate = "slider_displacement"\nforce_N = 0.5\nfrom_s = 0.0\nto_s = 4.0\n'
_SHORT = CASE[: CASE.index("[reference]")] + CASE[CASE.index("[run]") :].replace("step_s = 0.1", "step_s = 0.05")
ALONE = _SHORT.replace("[initial]", "mass_kg = 50.0\n[initial]").replace("[0.01, -0.02, 0.015]", "[0.0, 0.0, 0.1]")


def test_process_is_friction_of_wheel(case, tmp_path):
    """Held over a sample, the relative rate falls by the fraction c h (1/Jw + 1/J) in each."""
    (tmp_path / "friction.py").write_text(RUB)
    run = scenarios.run_case(case(ALONE + WHEEL + FRICTION)).run
    assert run.status == "completed", run.reason
    k = np.floor(run.t / 0.25 + 1e-9)
    now = 20.0 * (1 - 0.05 * 0.25 * (1 / 0.1 + 1 / 200.0)) ** k
    whole = np.abs(run.t / 0.25 - k) < 1e-9
    np.testing.assert_allclose(run.values("internal_rate")[whole, 0], now[whole], rtol=0, atol=1e-12)
    assert run["friction"].attrs["units"] == "N m"
    assert np.abs(run.values("energy_balance")).max() < 1e-12
    assert np.abs(run.values("momentum_balance")).max() < 1e-12


def test_scheduled_on_coordinates(case):
    """On a wheel in closed form; on a mass next to it, both together, in the ledger."""
    wheel = scenarios.run_case(case(ALONE + WHEEL + ON_WHEEL)).run
    t = np.minimum(wheel.t, 4.0)
    np.testing.assert_allclose(
        wheel.values("internal_rate")[:, 0], 20 + 0.02 * (1 / 0.1 + 1 / 200.0) * t, rtol=0, atol=1e-12
    )
    both = scenarios.run_case(case(ALONE + WHEEL + SLIDER + ON_WHEEL + ON_SLIDER)).run
    assert (
        np.abs(both.values("energy_balance")).max() < 1e-7
    )  # rk4, 0.05 s, 1.2 rad/s; its momentum rotates with the body
    assert np.abs(both.values("momentum_balance")).max() < 1e-10
    assert np.abs(both.values("internal")[:, 1]).max() > 0.2  # m: 0.5 N on 3 N/m, and back


def test_model_has_it_as_input(case, polhode):
    path = case(CASE.replace("[initial]", "mass_kg = 50.0\n[initial]") + WHEEL + SLIDER + ON_WHEEL)
    found = polhode("linearize", path, "--coordinate", "wheel_angle", "--coordinate", "slider_displacement", "--json")
    assert found.code == 0, found.err
    told = found.json
    assert told["inputs"] == [
        "torque_1", "torque_2", "torque_3", "torque_on_wheel_angle", "force_on_slider_displacement"
    ]  # fmt: skip
    assert told["input_units"] == ["N m"] * 4 + ["N"]
    column = dict(zip(told["states"], np.array(told["B"])[:, 3], strict=True))
    assert column.pop("wheel_angle_momentum") == 1.0
    assert not any(column.values())
    wrong = polhode("linearize", path, "--coordinate", "wheel")
    assert wrong.code == 2
    assert "'wheel' is unknown; did you mean 'wheel_angle'?" in wrong.err


@pytest.mark.parametrize(
    ("text", "old", "new", "words"),
    [
        (ON_WHEEL, '"wheel_angle"', '"wheel"', "torques.0: .*'wheel' is unknown; did you mean 'wheel_angle'"),
        (ON_WHEEL, "torque_N_m", "force_N", "torques.0: the load on 'wheel_angle' is in N m: use torque_N_m"),
        (
            ON_WHEEL,
            "torque_N_m = 0.02",
            "",
            "torques.0.*coordinate = 'wheel_angle' needs one of torque_N_m, force_N or",
        ),
        (ON_WHEEL, "from_s", "force_N = 1.0\nfrom_s", "needs one of .*; got torque_N_m and force_N"),
        (
            ON_WHEEL,
            "torque_N_m = 0.02",
            "components_N_m = [1, 0, 0]",
            "components_N_m: belongs to a torque on the body",
        ),
        (ON_WHEEL, "from_s", 'basis = "inertial"\nfrom_s', "basis: belongs to a torque on the body"),
        (
            ON_WHEEL,
            'coordinate = "wheel_angle"\n',
            "",
            "torque_N_m: belongs to a torque on a coordinate; add coordinate",
        ),
        (
            PULSE,
            "components_N_m = [0.5, -0.25, 0.125]",
            "",
            "components_N_m: is missing; alternatively, give an element coordinate",
        ),
        (FRICTION, '"wheel_angle"', '"wheel_angel"', "torques.0: .* did you mean 'wheel_angle'"),
        (FRICTION, '"wheel_angle_rate"', '"wheel_rate"', "'wheel_rate' is unknown; did you mean 'wheel_angle_rate'"),
        (
            FRICTION,
            '"wheel_angle"',
            '["wheel_angle", "wheel_angle"]',
            "must act on different coordinates, given by name",
        ),
        (FRICTION, '"wheel_angle"', "[]", "torques.0.*coordinates"),
    ],
)
def test_bad_coordinates_say_what_to_do(case, text, old, new, words):
    assert old in text
    with pytest.raises(InputError, match=words):
        scenarios.run_case(case(ALONE + WHEEL + text.replace(old, new, 1)))


@pytest.mark.slow
def test_margins_tell_what_is_not_in_them(case, polhode):
    found = polhode("design", case(CASE + WIND), "--json")
    assert found.code == 0, found.err
    assert found.json["margins"]["blocks"] == ["wind: the torque that it exerts is not counted"]
    assert "wind: the torque that it exerts is not counted" in polhode("design", case(CASE + WIND)).out


def test_linear_model_tells_what_it_is_without(case, polhode):
    found = polhode("linearize", case(CASE + PULSE + WIND), "--json")
    assert found.code == 0, found.err
    told = "the model omits the torque of torques.1, which an external program computes at each sample"
    assert found.json["warnings"] == [told]


@pytest.mark.parametrize("part", ["--plant", "--law"])
def test_unit_of_one_part_alone_does_not_lose_it(case, polhode, tmp_path, part):
    found = polhode("fmu", case(CASE + WIND), part, "-o", tmp_path / "craft.fmu")
    assert found.code == 2
    assert f"an FMU of the {'plant' if part == '--plant' else 'law'} only has" in found.err
    assert "the block 'wind' exerts a torque" in found.err


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("trust = true", "", "the block 'wind' runs"),
        ("sample_s = 1.0", "", "sample_s"),
        ('reads = ["rate"]', 'reads = ["rats"]', "torques.0: signal 'rats' is unknown; did you mean 'rate'"),
        ('name = "wind"', 'name = "rate"', "torques.0: 'rate' already exists"),
        ('name = "wind"', 'name = "energy"', "energy"),
        ('kind = "process"', 'kind = "proces"', "did you mean"),
    ],
)
def test_bad_input_says_what_to_do(case, old, new, words):
    with pytest.raises(InputError, match=words):
        scenarios.run_case(case(CASE + WIND.replace(old, new, 1)))


def test_schema_has_all_kinds():
    from polhode.scenarios.case.schema import Case

    text = json.dumps(Case.model_json_schema())
    assert all(f"{name}Table" in text for name in ("PulseTable"[:-5], "FMUTorque", "ProcessTorque"))
