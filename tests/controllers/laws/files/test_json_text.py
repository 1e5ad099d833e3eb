"""Untrusted JSON is read to a bounded depth."""

import json

import pytest

from polhode.controllers.laws.files.json_text import DEEPEST, read_json
from polhode.plant import InputError


@pytest.mark.parametrize("value", ["1", '"a"', "null", "[]", "{}", '{"a": [1, {"b": []}]}', "[" * 60 + "]" * 60])
def test_json_is_read_as_written(value):
    assert read_json(value, where="x") == json.loads(value)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 900, 100_000])
@pytest.mark.parametrize("ends", ["[]", ('{"a":', "}")])
def test_deep_json_is_rejected(depth, ends):
    first, last = ends
    inner = "1" if first != "[" else ""
    with pytest.raises(InputError, match="nested more than"):
        read_json(first * depth + inner + last * depth, where="x")


@pytest.mark.parametrize("text", ["", "{", "[1,]", b"\xff", "nul"])
def test_damaged_json_is_rejected(text):
    with pytest.raises(InputError, match="x: is not JSON"):
        read_json(text, where="x")
