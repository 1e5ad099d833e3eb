"""Keyframes: interpolation between them meets every row within the tolerance."""

import numpy as np
import pytest

from polhode.plant.attitude import rotation_matrix
from polhode.scenarios.pictures.playback.channels import Channels
from polhode.scenarios.pictures.playback.keyframes import (
    attitude_error,
    continuous,
    held_rows,
    keyframes,
    linear_error,
    slerp,
)


def attitudes(rate, t):
    """A rotation about a fixed axis, with arbitrary signs of the parameters."""
    axis = np.array((2.0, -1.0, 2.0)) / 3.0
    half = 0.5 * rate * t
    e = np.column_stack((np.cos(half), np.sin(half)[:, None] * axis))
    e[3::5] *= -1.0
    return e


def test_steady_turn_needs_keyframes_within_half_turns_only():
    t = np.linspace(0.0, 10.0, 201)
    e = continuous(attitudes(1.7, t))
    rows, error = keyframes(t, e, tolerance=1e-9, error=attitude_error)
    assert error < 1e-9
    assert len(rows) < 12  # 17 rad at half turns of slerp
    assert (np.diff(t[rows]) * 1.7 < 2.0 * np.pi).all()


def test_interpolation_meets_every_row_within_tolerance():
    t = np.sort(np.random.default_rng(3).uniform(0.0, 20.0, 400))
    values = np.column_stack((np.sin(t), np.cos(2.3 * t), 0.1 * t))
    rows, error = keyframes(t, values, tolerance=0.02, error=linear_error)
    found = np.column_stack([np.interp(t, t[rows], values[rows, n]) for n in range(3)])
    worst = float(np.abs(found - values).max())
    assert worst <= 0.02
    assert worst == pytest.approx(error, rel=1e-12)
    assert 20 < len(rows) < 200


@pytest.mark.parametrize("angle", [1e-12, 1e-3, 1.0, 3.1])
def test_slerp_turns_at_constant_rate_about_one_axis(angle):
    first = np.array((0.5, -0.5, 0.5, 0.5))
    axis = np.array((1.0, 2.0, -2.0)) / 3.0
    turn = rotation_matrix(first)
    for sign in (1.0, -1.0):
        half = 0.5 * angle
        w, v = np.cos(half), np.sin(half) * axis
        a, b = first[0], first[1:]
        last = sign * np.concatenate(([w * a - v @ b], a * v + w * b + np.cross(b, v)))
        half = 0.25 * angle
        step = rotation_matrix(np.concatenate(([np.cos(half)], np.sin(half) * axis)))
        middle = slerp(first, last, np.array([0.5]))[0]
        np.testing.assert_allclose(rotation_matrix(middle), turn @ step, atol=1e-12)


def test_attitude_error_is_rotation_angle():
    for angle in (1e-10, 1e-4, 0.3, 2.0):
        e = np.array([[1.0, 0, 0, 0], [np.cos(0.5 * angle), np.sin(0.5 * angle), 0, 0], [1.0, 0, 0, 0]])
        assert attitude_error(np.arange(3.0), e, 0, 2)[1] == pytest.approx(angle, rel=1e-6)


def test_held_signal_keeps_rows_of_change():
    values = np.array([0, 0, 1, 1, 1, 0, 2.0])[:, None]
    rows, error = held_rows(values, tolerance=0.5)
    assert rows.tolist() == [0, 2, 5, 6]
    assert error == 0.0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_short_signals_keep_first_and_last_row(count):
    t = np.arange(float(count))
    rows, error = keyframes(t, t[:, None] ** 2, tolerance=10.0, error=linear_error)
    assert rows[0] == 0
    assert rows[-1] == count - 1
    assert error <= 10.0


def test_equal_times_do_not_divide_by_zero():
    t = np.array([0.0, 1.0, 1.0, 2.0])
    rows, _ = keyframes(t, np.array([[0.0], [0.0], [5.0], [5.0]]), tolerance=0.1, error=linear_error)
    assert rows.tolist() == [0, 1, 2, 3]


def test_budget_doubles_tolerances_until_channels_fit():
    t = np.linspace(0.0, 100.0, 1001)
    channels = Channels(t=t)
    channels.put("noise", np.random.default_rng(1).normal(size=(1001, 3)), tolerance=1e-3)
    whole = channels.encoded()["noise"]
    assert whole["error"] <= 1e-3
    assert channels.coarser == 1.0
    small = channels.encoded(budget=5_000)["noise"]
    assert len(small["t"]) + len(small["v"]) <= 5_000
    assert 1e-3 < small["error"] < 10.0
    assert channels.coarser > 100.0
