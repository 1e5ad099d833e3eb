"""The schema accepts what it documents and refuses everything else in plain words."""

from __future__ import annotations

import tomllib
from typing import Any, get_args

import pytest

from polhode.controllers import LinearFeedback
from polhode.plant.attitude import SEQUENCES
from polhode.plant.errors import InputError
from polhode.plant.loads.torque.basis import BASIS_NAMES
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import LoadedCase, load_case
from polhode.scenarios.case.schema import Case, MarginName, MetricName
from polhode.scenarios.case.schema.fields import Basis, Sequence
from polhode.scenarios.report.margin_metrics import MARGINS
from polhode.scenarios.report.metrics import METRICS

from ..conftest import SMALL

BASE = SMALL.replace("[initial]\nrate_rad_s = [0.0, 0.0, 0.1]\n\n", "")
LQR = """
[reference]
attitude = [1, 0, 0, 0]
[controller]
kind = "lqr"
attitude_weight = 1
rate_weight = [1, 2, 3]
effort_weight = 1
sample_s = 0.1
"""


@pytest.fixture
def read(tmp_path) -> Any:
    def function(text: str) -> LoadedCase:
        path = tmp_path / "case.toml"
        path.write_text(text, encoding="utf-8")
        return load_case(path)

    return function


def refusal(read: Any, text: str) -> str:
    with pytest.raises(InputError) as refused:
        build(read(text).case)
    return str(refused.value).split("case.toml: ")[-1]


def test_words_are_those_of_plant_and_metrics() -> None:
    assert set(get_args(Sequence)) == set(SEQUENCES)
    assert set(get_args(Basis)) == set(BASIS_NAMES)
    assert set(get_args(MetricName)) == set(METRICS)
    assert {*get_args(MarginName), "gain_in_band_dB"} == set(MARGINS)


def test_small_case_is_read(read) -> None:
    case = read(SMALL).case
    assert case.plant.inertia_kg_m2 == (4.0, 3.0, 2.0)
    assert case.run.integrator is None
    assert case.initial.rate_rad_s == (0.0, 0.0, 0.1)


def test_whole_numbers_are_numbers(read) -> None:
    assert read(BASE.replace("[4.0, 3.0, 2.0]", "[4, 3, 2]")).case.plant.inertia_kg_m2 == (4.0, 3.0, 2.0)


def test_case_is_frozen(read) -> None:
    with pytest.raises(ValueError, match="frozen"):
        read(SMALL).case.run.duration_s = 3.0


def test_every_field_has_a_description_in_the_json_schema() -> None:
    schema = Case.model_json_schema()
    tables = [schema, *schema["$defs"].values()]
    assert len(tables) > 10
    for table in tables:
        assert table["additionalProperties"] is False
        for name, field in table["properties"].items():
            assert field.get("description"), (table["title"], name)


def test_unknown_key_is_one_message_with_nearest(read) -> None:
    text = BASE.replace("inertia_kg_m2", "inertia_kgm2")
    assert refusal(read, text) == "plant.inertia_kgm2: unknown key; did you mean inertia_kg_m2?"


def test_unknown_key_inside_list_of_kinds(read) -> None:
    text = BASE + "[[plant.potentials]]\nkind = 'spring'\nbody_point_m = [0, 0, 1]\ninertial_point_m = [0, 0, 2]\n"
    text += "stiffness_N_m = 1\nnatural_lenght_m = 1\n"
    message = refusal(read, text)
    assert message == "plant.potentials.0.natural_lenght_m: unknown key; did you mean natural_length_m?"


def test_key_of_another_kind_is_unknown(read) -> None:
    message = refusal(read, BASE + LQR + "damping_ratio = 1\n")
    assert message.startswith("controller.damping_ratio: unknown key; ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[4.0, 3.0, 2.0]", "[4.0, 3.0]"), "plant.inertia_kg_m2: must be 3 numbers (principal moments)"),
        (("[4.0, 3.0, 2.0]", "[[4, 0, 0], [0, 3], [0, 0, 2]]"), "row 2; got 2: [0, 3]"),
        (("[4.0, 3.0, 2.0]", '["4", 3, 2]'), "number 1 must be a number; got the text '4'"),
        (("[4.0, 3.0, 2.0]", "[true, 3, 2]"), "number 1 must be a number; got true"),
        (("[4.0, 3.0, 2.0]", "[nan, 3, 2]"), "number 1 must be finite; got nan"),
        (("[4.0, 3.0, 2.0]", "[20, 10, 5]"), "fails the triangle inequality: 20 > 10 + 5 kg m^2"),
        (("[4.0, 3.0, 2.0]", "[-1, 1, 1]"), "plant.inertia_kg_m2: inertia must be positive definite"),
        (("[4.0, 3.0, 2.0]", "[[4, 1, 0], [0, 3, 0], [0, 0, 2]]"), "must be symmetric: J12 = 1 but J21 = 0"),
        (("= 2.0", "= -2.0"), "run.duration_s: must be greater than 0 s; got -2.0 s"),
        (("= 2.0", "= 0"), "run.duration_s: must be greater than 0 s; got 0 s"),
        (("= 2.0", "= inf"), "run.duration_s: must be finite; got inf"),
        (("= 2.0", "= true"), "run.duration_s: must be a number; got true"),
        (("= 2.0", "= 1" + "0" * 400), "run.duration_s: must fit a double"),
        (("= 2.0", '= 2.0\nintegrator = "rk45"'), "run.integrator: unknown 'rk45'; did you mean 'rk4'?"),
        (("= 2.0", '= 2.0\nintegrator = "rk4"'), 'integrator = "rk4" needs step_s'),
        (("= 2.0", '= 2.0\nintegrator = "rk8"\nstep_s = 1\nrtol = 1e-9'), "rtol is not used by"),
        (("= 2.0", "= 2.0\nrtol = 2"), "run.rtol: must be at most 0.01; got 2"),
        (("= 2.0", "= 2.0\nrtol = 1e-20"), "run.rtol: must be at least 2.3e-16; got 1e-20"),
        (("= 2.0", "= 2.0\nstep_s = 1e-300"), "step_s = 1e-300 s divides 2 s into more than 1e12 steps"),
        (("= 2.0", "= 2.0\nmax_steps = 1" + "0" * 20), "run.max_steps: must be at most 1e+15"),
        (("= 2.0", "= 2.0\nmax_steps = 1.5"), "run.max_steps: must be a whole number; got 1.5"),
        (("= 2.0", "= 2.0\namplification_limit = 0.5"), "run.amplification_limit: must be greater than 1"),
        (("= 2.0", '= 2.0\n[[require]]\nmetric = "peak_rate_deg_s"\nmax = 1.0\nid = ""'), "id: must not be empty"),
        (('"a body at rest"', "3"), "title: must be text in quotes; got 3"),
        (("[4.0, 3.0, 2.0]", "[4, 3, 2]\ntorque_basis = 'bodi'"), "unknown 'bodi'; did you mean 'body'?"),
        (("[4.0, 3.0, 2.0]", "[4, 3, 2]\ntorque_basis = 'euler'"), "needs euler_sequence"),
        (("[4.0, 3.0, 2.0]", "[4, 3, 2]\neuler_sequence = '3-1-3'"), "euler_sequence is not used"),
        (
            ("[4.0, 3.0, 2.0]", "[4, 3, 2]\ntorque_basis = 'euler'\neuler_sequence = '3-3-1'"),
            "plant.euler_sequence: unknown '3-3-1'",
        ),
        (
            ("[4.0, 3.0, 2.0]", "[4, 3, 2]\ntranslation = 1"),
            "plant.translation: must be true or false; got 1",
        ),
        (("[4.0, 3.0, 2.0]", "[4, 3, 2]\ntranslation = true"), "translation = true needs mass_kg"),
        (("[4.0, 3.0, 2.0]", "[4, 3, 2]\npivot_m = [0, 0, 1]"), "pivot_m needs mass_kg"),
        (("[plant]", "[[plant]]"), "plant: must be a table of keys, written [plant]; got"),
    ],
)
def test_wrong_value_is_refused(read, change: tuple[str, str], message: str) -> None:
    assert change[0] in BASE
    assert message in refusal(read, BASE.replace(*change))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[initial]\nattitude = [1, 1, 0, 0]", "initial: attitude must be unit Euler parameters"),
        ("[initial]\nattitude = [1, 0, 0]", "initial.attitude: must be 4 numbers (Euler parameters"),
        (
            "[initial]\nrate_rad_s = [1, nan, 0]",
            "initial.rate_rad_s: must be 3 numbers; number 2 must be finite",
        ),
        (
            "[initial]\nrate_rad_s = [1, 0, 0]\nrate_deg_s = [1, 0, 0]",
            "give only one of rate_rad_s and rate_deg_s",
        ),
        (
            "[initial]\nattitude = [1, 0, 0, 0]\nattitude_deg = { sequence = '3-2-1', angles = [1, 2, 3] }",
            "only one",
        ),
        ("[initial]\nposition_m = [1, 0, 0]", "need plant.translation = true"),
        ("[reference]\nrate_deg_s = [1, 0, 0]", "reference: needs attitude or attitude_deg"),
        ("[reference]\nattitude = [0.9, 0, 0, 0]", "reference: attitude must be unit Euler parameters"),
        (LQR.replace("[reference]\nattitude = [1, 0, 0, 0]", ""), "a [controller] needs a [reference]"),
        (
            LQR.replace('"lqr"', '"bang"'),
            "controller: unknown kind 'bang'; must be one of control-system, disturbance-observer, ",
        ),
        (LQR.replace('kind = "lqr"', ""), "controller: needs a kind"),
        (
            LQR.replace("attitude_weight = 1", "attitude_weight = 0"),
            "controller: attitude weight must be positive",
        ),
        (LQR.replace("0.1", "0"), "controller.sample_s: must be greater than 0 s; got 0 s"),
        (LQR + "delay_s = -1", "controller.delay_s: must be at least 0 s; got -1 s"),
        (LQR.replace("[1, 2, 3]", "[1, 2]"), "controller.rate_weight: must be a number or 3 numbers"),
        (
            "[[torques]]\nfrom_s = 2\nto_s = 1\ncomponents_N_m = [1, 0, 0]",
            "to_s = 1 s must be later than from_s",
        ),
        ("[[torques]]\nfrom_s = 0\nto_s = 1\nbasis = 'dual'\ncomponents_N_m = [1, 0, 0]", "'dual-euler'?"),
        ("[[torques]]\nfrom_s = 0\nto_s = 1\nshape = 'cosine'\ncomponents_N_m = [1, 0, 0]", "'raised-cosine'?"),
        ("[torques]\nfrom_s = 0", "torques: must be a list of tables, written [[torques]]; got a table"),
        (
            "[[require]]\nmetric = 'settling_time'\nmax = 1",
            "unknown 'settling_time'; did you mean 'settling_time_s'?",
        ),
        ("[[require]]\nmetric = 'settling_time_s'", "require.0: needs max or min"),
        ("[[require]]\nmetric = 'settling_time_s'\nmin = 2\nmax = 1", "require.0: min = 2 is above max = 1"),
        ("[[plant.potentials]]\nkind = 'gravity'", "plant.potentials.0: unknown kind 'gravity'"),
        (
            "[[plant.potentials]]\nkind = 'uniform-gravity'\ng_m_s2 = [0, 0, -9.81]",
            "give pivot_m, where [0, 0, 0] is the mass centre itself, or translation = true",
        ),
        (
            (
                "[[plant.potentials]]\nkind = 'guided-spring'\nbody_point_m = [1, 0, 0]\ndirection = [0, 1, 0]\n"
                "stiffness_N_m = 10"
            ),
            "potentials.0: guided-spring depends on the position of the mass centre",
        ),
        (
            (
                "[[plant.potentials]]\nkind = 'spring'\nbody_point_m = [1, 0, 0]\ninertial_point_m = [0, 1, 0]\n"
                "stiffness_N_m = 10"
            ),
            "potentials.0: spring depends on the position of the mass centre",
        ),
        (
            "[[plant.potentials]]\nkind = 'gravity-gradient'\nmu_m3_s2 = 4e14",
            "needs position_m and velocity_m_s",
        ),
        (
            "[metrics]\nsettling_band_deg = 0",
            "metrics.settling_band_deg: must be greater than 0 deg; got 0 deg",
        ),
    ],
)
def test_wrong_table_is_refused(read, more: str, message: str) -> None:
    assert message in refusal(read, f"{BASE}\n{more}\n")


def test_several_faults_are_reported_together(read) -> None:
    text = BASE.replace("= 2.0", "= -2.0").replace("[4.0, 3.0, 2.0]", "[4.0, 3.0]").replace("title", "titel")
    first, *others = refusal(read, text).splitlines()
    assert first == "titel: unknown key; did you mean title?"
    assert others[0] == "and 2 more:"
    assert [line.split(":")[0].strip() for line in others[1:]] == ["plant.inertia_kg_m2", "run.duration_s"]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("".join(f"k{n}.x = {n}\n" for n in range(1000)) + BASE, 1000),
        (BASE + "[[plant.elements]]\nkind = 'whel'\n" * 1000, 1000),
        (BASE + "[[plant.elements]]\nkind = 'wheel'\naxis = [0, 0, 1]\n" * 1000, 1000),
    ],
    ids=["dotted keys", "kinds", "missing keys"],
)
def test_twenty_of_many_faults_are_explained(read, text: str, rest: int) -> None:
    lines = refusal(read, text).splitlines()
    assert lines[1] == f"and {rest - 1} more; the first 19:"
    assert len(lines) == 21


def test_key_of_too_many_parts_is_refused_before_it_is_read(read) -> None:
    for text in ("a" + ".b" * 20_000 + " = 1", "[a" + " . b" * 20_000 + "]"):
        assert "a key has more than 64 parts" in refusal(read, f"{BASE}\n{text}\n")


def test_no_message_speaks_pydantic(read) -> None:
    text = "plant = 3\ntorques = 3\ncontroller = 3\ntitle = ''\nrequire = [3]\nrun = []\nmetrics = 'x'\n"
    message = refusal(read, text)
    for word in ("Input should", "valid", "pydantic", "Field", "tuple", "dict"):
        assert word not in message


def test_build_makes_what_the_case_says(read) -> None:
    text = BASE.replace("[4.0, 3.0, 2.0]", "[4, 3, 2]\nmass_kg = 7\ntranslation = true")
    text += "[initial]\nattitude_deg = { sequence = '3-2-1', angles = [90, 0, 0] }\nrate_deg_s = [0, 0, 180]\n"
    text += "velocity_m_s = [1, 2, 3]\n"
    text += "[[torques]]\nfrom_s = 1\nto_s = 2\nbasis = 'euler'\neuler_sequence = '3-1-3'\n"
    text += "components_N_m = [1, 2, 3]\nshape = 'raised-cosine'\n"
    text += "[[plant.potentials]]\nkind = 'uniform-gravity'\ng_m_s2 = [0, 0, -9.81]\n"
    problem = build(read(text).case)
    half = 0.5**0.5
    expected = [0, 0, 2 * 3.141592653589793, half, 0, 0, half, 0, 0, 0, 7, 14, 21]
    assert problem.state == pytest.approx(expected, abs=1e-15)  # a few roundings of numbers near 1
    assert problem.law is None
    assert problem.pulses[0].basis.sequence == "3-1-3"
    assert problem.pulses[0].at([1.25]).tolist() == [pytest.approx([0.5, 1.0, 1.5])]
    assert problem.craft.body.mass == 7.0
    assert problem.settings == {"duration": 2.0, "integrator": "dop853", "output_step": 0.5}


def test_controller_sets_torque_limit(read) -> None:
    problem = build(read(BASE + LQR + "torque_limit_N_m = 0.5\ndelay_s = 0.05\n").case)
    assert isinstance(problem.law, LinearFeedback)
    assert (problem.law.sample, problem.law.delay) == (0.1, 0.05)
    assert problem.craft.torques.limits().tolist() == [0.5, 0.5, 0.5]


def test_quaternion_feedback_without_gyroscopic_torque(read) -> None:
    text = LQR.split("kind", maxsplit=1)[0] + "kind = 'quaternion-feedback'\nfrequency_rad_s = 0.5\n"
    text += "damping_ratio = 0.7\n"
    case = read(f"{BASE}{text}sample_s = 0.1\ngyroscopic = false\n").case
    law = build(case).law
    assert law is not None
    assert not law.gyroscopic
    assert law.stiffness.diagonal() == pytest.approx([2.0, 1.5, 1.0], rel=1e-15)  # 2 J wn^2


def test_rate_in_reference_spins(read) -> None:
    text = BASE + "[reference]\nattitude = [1, 0, 0, 0]\nrate_deg_s = [0, 0, 90]\n"
    reference = build(read(text).case).reference
    assert reference is not None
    assert reference.at(1.0)[:4] == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5], abs=1e-15)


def test_text_of_base_is_case() -> None:
    Case.model_validate(tomllib.loads(BASE))
