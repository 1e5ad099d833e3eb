"""Mistyped values of every shipped case: one short sentence each, with the key path as it was written."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case.schema.run import MARGINS
from polhode.scenarios.report.metrics.kinds import METRICS

CASES = sorted((Path(scenarios.__file__).parent / "cases").glob("*.toml"))
FREE = ("title", "description", "name", "to", "mode")  # texts that a user chooses
LONGEST = 350


def leaves(document, path=()) -> Any:
    if isinstance(document, dict | list):
        for key, value in document.items() if isinstance(document, dict) else enumerate(document):
            yield from leaves(value, (*path, key))
    else:
        yield path, document


def changed(document, path, value) -> Any:
    copied = here = copy.deepcopy(document)
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return copied


def test_every_mistyped_word_is_one_sentence():
    refused = 0
    for file in CASES:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
        for path, value in leaves(document):
            if path[-1] in FREE or not isinstance(value, str):
                continue
            for wrong in (value[:-1] + "qq", value.swapcase(), 3):
                try:
                    checked_case("case", "case", changed(document, path, wrong))
                except InputError as error:
                    refused += 1
                    said = str(error)
                    assert "\n" not in said, said
                    assert len(said.partition("\n")[0]) < LONGEST, said
                    assert "literal[" not in said, said
                    assert "function-" not in said, said
                    assert said.startswith(f"case: {path[0]}"), said
    assert refused > 300


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ('require=[{metric="settling_tme_s", max=3}]', "require.0.metric: unknown 'settling_tme_s'; did you mean '"),
        ('require=[{metric="gain_margin_db", min=3}]', "unknown 'gain_margin_db'; did you mean 'gain_margin_dB'?"),
        (
            'require=[{metric="disk_margin", min=3}]',
            "unknown 'disk_margin'; did you mean 'disk_margin_all' or 'disk_margin_inputs' or 'disk_margin_outputs'?",
        ),
        ('require=[{metric="xxxxxxxx", min=3}]', f"polhode schema lists the {len(METRICS) + len(MARGINS)} allowed"),
        ('run.integrator="RK4"', "run.integrator: unknown 'RK4'; did you mean 'rk4'? (dop853, "),
        ('controller.kind="LQR"', "controller: unknown kind 'LQR'; did you mean 'lqr'?"),
        ('plant.mass_kg="abc"', "plant.mass_kg: must be a number; got the text 'abc'"),
    ],
)  # fmt: skip
def test_mistyped_words_name_the_nearest(setting, words):
    with pytest.raises(InputError) as caught:
        load_case("slew-lqr", [setting])
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_value_of_two_forms_has_one_message():
    said = []
    for wrong in ('"abc"', '["a"]', "{a = 1}", "true"):
        with pytest.raises(InputError) as caught:
            load_case("slew-lqr", [f"dispersions={{'initial.rate_rad_s' = {{sigma = {wrong}}}}}"])
        said.append(str(caught.value))
        assert "function-" not in said[-1]
        assert len(said[-1]) < LONGEST
    assert "sigma: must be a number or 3 numbers; got the text 'abc'" in said[0]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (f'modes=[{{name="{"x" * 56}", final=true}}]', "modes.0.name: must have at most 40 characters; got 56"),
        ('modes=[{name="", final=true}]', "modes.0.name: must not be empty"),
        (f'require=[{{metric="settling_time_s", max=3, id="{"x" * 41}"}}]', "at most 40 characters; got 41"),
        ('correlated=[{keys=["plant.mass_kg"], matrix=[[1.0]]}]', "keys: must have at least 2 entries; got 1"),
        ('figures=[{name="a b", caption="x", quantities=["rate"]}]', "contain only ASCII letters, digits, hyphens and"),
    ],
)
def test_text_of_a_wrong_size_is_one_plain_sentence(setting, words):
    with pytest.raises(InputError) as caught:
        load_case("slew-lqr", [setting])
    assert words in str(caught.value)
    assert "String should" not in str(caught.value)
    assert "validation" not in str(caught.value)


def test_value_of_no_form_is_refused_without_names_of_classes():
    with pytest.raises(InputError, match=r"^slew-lqr: tune.free.0: must be text in quotes or a table of keys; got 3$"):
        load_case("slew-lqr", ["tune={free=[3]}"])


def test_mistyped_key_of_a_dispersion_is_answered_with_its_keys():
    with pytest.raises(InputError, match=r"relativ_sigma: unknown key; did you mean relative_sigma\?"):
        load_case("slew-lqr", ["dispersions={'plant.mass_kg' = {relativ_sigma = 0.1}}"])
