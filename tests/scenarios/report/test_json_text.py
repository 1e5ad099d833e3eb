"""The printed JSON text: exact numbers, never NaN."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from polhode.scenarios.report.json_text import dump


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-300, 9.751635347691358e-5, -0.0, 2.0**60, math.pi])
def test_numbers_read_back_to_the_same_double(value: float) -> None:
    back = json.loads(dump({"x": value, "y": [np.float64(value)]}))
    assert back == {"x": value, "y": [value]}
    assert math.copysign(1.0, back["x"]) == math.copysign(1.0, value)


def test_json_non_finite_is_null_with_warning() -> None:
    back = json.loads(dump({"a": {"b": [1.0, math.nan]}, "c": np.float64(math.inf), "warnings": ["first"]}))
    assert back["a"] == {"b": [1.0, None]}
    assert back["c"] is None
    assert back["warnings"] == ["first", "not finite, written as null: a.b.1, c"]


def test_json_text_is_one_line() -> None:
    assert "\n" not in dump({"a": "two\nlines"})
