"""Conditions, and rejected input."""

import numpy as np
import pytest

from polhode.controllers import Condition, Transition
from polhode.plant import InputError


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "one threshold: below or above"),
        ({"below": 1.0, "above": 2.0}, "one threshold: below or above"),
        ({"below": 1.0, "release": 0.5}, "released at 0.5, where it still holds"),
        ({"above": 1.0, "release": 1.5}, "still holds; give a release at or below 1"),
        ({"below": 0.0}, "rate is never below 0"),
        ({"below": np.nan}, "must be finite"),
        ({"below": 1.0, "lasting": -1.0}, "lasting"),
    ],
)
def test_condition_that_cannot_hold_is_rejected(arguments, words):
    with pytest.raises(InputError, match=words):
        Condition("rate", **arguments)


def test_condition_text_has_degrees():
    assert str(Condition("attitude_error", above=np.radians(2.0))) == "attitude_error above 2 deg"
    assert Condition("attitude_sigma", below=np.radians(0.1)).words("rad") == "attitude_sigma below 0.1 deg"
    assert str(Transition("a", [Condition("elapsed", above=5), Condition("nis.1", below=9)])) == (
        "elapsed above 5 s and nis.1 below 9"
    )


def test_transition_needs_a_condition():
    with pytest.raises(InputError, match="has no condition"):
        Transition("a", [])
    with pytest.raises(InputError, match="each of when must be"):
        Transition("a", ["rate"])  # pyright: ignore[reportArgumentType]
