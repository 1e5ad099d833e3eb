"""Checks of user input, with the exact text of their errors."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.plant.checks import choice, finite, non_negative, norms, positive, unit_quaternion, vector, weight


def test_vector_check_copies_and_rejects_bad_input():
    given = np.array((1, 2, 3))
    computed = vector("rate", given)
    assert computed.dtype == np.float64
    computed[0] = 9.0
    assert given[0] == 1
    for value, message in (
        ((1, 2), r"^rate must be 3 numbers \(rad/s\); got shape \(2,\)$"),
        (1.0, r"got shape \(\)"),
        ((1, 2, np.nan), r"^rate must be finite \(rad/s\); got \[1.0, 2.0, nan\]$"),
        ((1, 2, np.inf), "must be finite"),
        ("fast", r"^rate must be numbers \(rad/s\); got 'fast'$"),
        ((1, 2, "3"), "must be numbers"),
        ((True, False, True), "must be numbers"),
        ((1, 2, 3j), "must be numbers"),
        ((1, 2, None), "must be numbers"),
        ([[1, 2], [3]], "must be numbers"),
        (None, "must be numbers"),
    ):
        with pytest.raises(InputError, match=message):
            vector("rate", value, unit="rad/s")


def test_scalar_checks_reject_bad_input():
    assert finite("step", 3) == 3.0
    assert positive("step", np.float32(0.5)) == 0.5
    assert non_negative("step", 0) == 0.0
    for check in (finite, positive, non_negative):
        for value, message in (
            (np.nan, r"^step must be finite \(s\); got nan$"),
            ((1, 2), r"^step must be one number \(s\); got shape \(2,\)$"),
            ("x", r"^step must be numbers \(s\); got 'x'$"),
            (True, "must be numbers"),
        ):
            with pytest.raises(InputError, match=message):
                check("step", value, "s")
    for value in (0, -2):
        with pytest.raises(InputError, match=rf"^step must be greater than 0 \(s\); got {value}$"):
            positive("step", value, "s")
    with pytest.raises(InputError, match=r"^step must not be negative \(s\); got -2$"):
        non_negative("step", -2, "s")


def test_choice_suggests_the_nearest_option():
    assert choice("basis", "body", ("body", "euler")) == "body"
    with pytest.raises(InputError, match=r"^basis 'boddy' is unknown; did you mean 'body'\? \(body, euler\)$"):
        choice("basis", "boddy", ("body", "euler"))
    with pytest.raises(InputError, match=r"^basis 'xyz' is unknown; \(body, euler\)$"):
        choice("basis", "xyz", ("body", "euler"))
    with pytest.raises(InputError, match="basis 3 is unknown"):
        choice("basis", 3, ("body", "euler"))


def test_unit_quaternion_normalises_within_tolerance():
    e = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
    np.testing.assert_allclose(np.linalg.norm(unit_quaternion("attitude", e * (1 + 9e-7))), 1.0, rtol=3e-16)
    np.testing.assert_array_equal(np.sign(unit_quaternion("attitude", -e)), np.sign(-e))  # the sign is kept
    with pytest.raises(InputError, match="attitude must be unit Euler parameters, scalar first: the norm of"):
        unit_quaternion("attitude", e * (1 + 2e-6))
    unit_quaternion("attitude", e * 1.01, tolerance=0.1)
    with pytest.raises(InputError, match="attitude must be 4 numbers"):
        unit_quaternion("attitude", e[:3])


def test_weight_accepts_scalar_diagonal_and_matrix():
    np.testing.assert_array_equal(weight("effort", 2.0, 3), 2.0 * np.eye(3))
    np.testing.assert_array_equal(weight("effort", (1, 2, 0), 3), np.diag((1.0, 2.0, 0.0)))
    full = np.array([[2.0, 1.0], [1.0, 2.0]])
    np.testing.assert_array_equal(weight("effort", full, 2), full)
    np.testing.assert_array_equal(weight("effort", 0.0, 2), np.zeros((2, 2)))
    for value, message in (
        ((1, 2), r"effort must be a number, 3 numbers or 3 x 3; got shape \(2,\)"),
        ((1, 2, np.nan), "effort must be finite"),
        ((1, 2, -1), "effort must not be negative; its smallest eigenvalue is -1"),
        ([[1, 1, 0], [0, 1, 0], [0, 0, 1]], "effort must be symmetric"),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], "effort must not be negative; its smallest eigenvalue is -1"),
        ("x", "effort must be numbers"),
    ):
        with pytest.raises(InputError, match=message):
            weight("effort", value, 3)


def test_norms_match_numpy_and_round_to_one():
    e = np.random.default_rng(3).standard_normal((5, 4))
    np.testing.assert_allclose(norms(e), np.linalg.norm(e, axis=1), rtol=1e-15)
    assert norms(np.array((1.0 + 1e-16, 1e-9, 0.0, 0.0))) == 1.0
