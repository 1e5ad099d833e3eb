"""Late fixes that correct large errors: same result as without delays, consistency, and restarts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode.controllers.sensing.estimators import (
    MEKF,
    USQUE,
    AttitudeSightings,
    ComplementaryFilter,
    RateRecord,
    VectorSightings,
    chi_square_band,
)
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.attitude import from_rotation_vector, quaternion_product
from polhode.plant.errors import InputError

from .truth import motion, seen, tracked

NOISE, WALK, T = 1e-5, 1e-8, 0.1
SIGMA, OTHER = np.array((4e-5, 4e-5, 3e-4)), np.array((3e-4, 1e-4, 1e-4))
SUN = np.array((0.0, 0.6, 0.8))
LATE = {"none": (0.0, 0.0), "part of a sample": (0.04, 0.0), "samples": (0.37, 0.0), "fixes": (1.27, 0.0),
        "out of order": (0.37, 1.1)}  # fmt: skip


def records(seed, delays, *, n=60, bias=1e-2, turning=(0.03, -0.05, 0.04), first=0, sun=False) -> Any:
    """Return truth, gyro and one or two trackers (0: no second one) with fixes every 0.3 s."""
    rng = np.random.default_rng(seed)
    truth = motion(rng, n=n, T=T, noise=NOISE, walk=WALK, bias=bias, turning=turning)
    sensors: list[Any] = []
    for k, (delay, sigma) in enumerate(zip(delays, (SIGMA, OTHER), strict=True)):
        if delay or not k:
            rows = slice(first + k, None, 3)
            told = tracked(rng, truth.e[rows], sigma)
            sensors.append(AttitudeSightings(truth.t[rows], told, sigma=sigma, delay=delay, name=f"tracker {k}"))
    if sun:
        w = seen(rng, truth.e[2::4], SUN, 2e-3)
        sensors.append(VectorSightings(truth.t[2::4], w, inertial=SUN, sigma=2e-3, delay=0.7, name="sun"))
    return truth, RateRecord(truth.t[1:], truth.rate), sensors, rng


def start_of(truth, rng, sigma):
    return quaternion_product(truth.e[0], from_rotation_vector(sigma * rng.normal(size=3)))


FILTERS: dict[str, Any] = {
    "mekf": lambda **more: (MEKF(NOISE, WALK), {"bias_sigma": 1e-2, **more}),
    "gated": lambda **more: (MEKF(NOISE, WALK, gate=0.999999), {"bias_sigma": 1e-2, **more}),
    "usque": lambda **more: (USQUE(NOISE, WALK), {"bias_sigma": 1e-2, **more}),
    "complementary": lambda **_: (ComplementaryFilter(attitude_gain=0.4, bias_gain=0.2), {}),
}


@pytest.mark.parametrize("error", [1e-3, 1.0, 3.0])
@pytest.mark.parametrize("kind", FILTERS)
def test_late_measurements_give_the_same_result_as_prompt_ones(kind, error):
    """Two trackers and a sun sensor, all late and out of order, compared with the same measurements without delay."""
    truth, gyro, late, rng = records(3, (0.37, 1.1), sun=True)
    start = start_of(truth, rng, error)
    end = truth.t[-1]
    ends = []
    for delayed in (True, False):
        sensors = []
        for each in late:
            keep = each.t + each.delay <= end
            more: Any = {"delay": each.delay if delayed else 0.0, "sigma": each.sigma, "name": each.name}
            if isinstance(each, AttitudeSightings):
                sensors.append(AttitudeSightings(each.t[keep], each.attitude[keep], **more))
            else:
                sensors.append(VectorSightings(each.t[keep], each.body[keep], inertial=SUN, **more))
        found, known = FILTERS[kind](attitude_sigma=error)
        ends.append(found.replay(gyro, sensors, attitude=start, **known))
    for name in ("attitude", "bias", "covariance"):
        np.testing.assert_array_equal(getattr(ends[0], name)[-1], getattr(ends[1], name)[-1])


def mean_nees(kind, delays, *, error, runs, bias, **more):
    """Return the mean NEES of the last row, and the number of rejected measurements."""
    squares, refused = [], 0
    for seed in range(runs):
        truth, gyro, sensors, rng = records(seed, delays, bias=bias, **more)
        found, _ = FILTERS[kind]()
        estimate = found.replay(
            gyro, sensors, attitude=start_of(truth, rng, error), attitude_sigma=error, bias_sigma=bias
        )
        squares.append(estimate.nees(truth.e, truth.b)[-1])
        refused += sum(estimate.refused.values())
    return float(np.mean(squares)), refused


@pytest.mark.parametrize("delays", ["samples", "out of order"])
@pytest.mark.parametrize("kind", ["gated", "usque"])
def test_late_fixes_of_large_error_leave_filter_consistent(kind, delays):
    low, high = chi_square_band(6, runs=10, probability=0.9999)
    mean, refused = mean_nees(kind, LATE[delays], error=1.0, runs=10, bias=1e-2, n=40, first=2)
    assert low < mean < high
    assert not refused


def nees_table(delays, *, bias, runs, turning=(0.03, -0.05, 0.04), kinds=("gated", "usque")):
    """Return the mean NEES of the last row by filter and initial error, and the number of rejected measurements."""
    errors = (1e-3, 0.3, 1.0, 3.0)
    squares: dict[tuple[str, float], list[float]] = {(kind, error): [] for kind in kinds for error in errors}
    refused = 0
    for seed in range(runs):
        truth, gyro, sensors, rng = records(seed, delays, bias=bias, turning=turning, n=24)
        draw = rng.normal(size=3)
        for (kind, error), values in squares.items():
            start = quaternion_product(truth.e[0], from_rotation_vector(error * draw))
            found, _ = FILTERS[kind]()
            estimate = found.replay(gyro, sensors, attitude=start, attitude_sigma=error, bias_sigma=bias)
            values.append(estimate.nees(truth.e, truth.b)[-1])
            refused += sum(estimate.refused.values())
    return {each: float(np.mean(values)) for each, values in squares.items()}, refused


@pytest.mark.slow
@pytest.mark.parametrize("bias", [1e-5, 1e-2])
@pytest.mark.parametrize("delays", LATE)
def test_late_fixes_nees_over_200_runs(delays, bias):
    low, high = chi_square_band(6, runs=200, probability=0.9999)
    means, refused = nees_table(LATE[delays], bias=bias, runs=200)
    assert low < min(means.values())
    assert max(means.values()) < high
    assert refused <= 2  # of about 10,000 with a probability of 1e-6 each, from the same records for all errors


def test_filter_restarts_after_rejecting_everything():
    truth, gyro, sensors, _ = records(1, LATE["samples"], n=120)
    start = quaternion_product(truth.e[0], from_rotation_vector((1.0, 0.0, 0.0)))
    known: dict[str, Any] = {"attitude": start, "attitude_sigma": 1e-3, "bias_sigma": 1e-2}
    for kind in (MEKF, USQUE):
        found = kind(NOISE, WALK, gate=0.9999).replay(gyro, sensors, **known)
        assert found.restarts == 1
        assert found.refused == {"tracker 0": 20}
        assert found.nees(truth.e, truth.b)[-1] < chi_square_band(6, probability=0.9999)[1]
        stays = kind(NOISE, WALK, gate=0.9999, restart_after=None).replay(gyro, sensors, **known)
        assert stays.restarts == 0
        assert stays.nees(truth.e, truth.b)[-1] > 1e4


GYRO = RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-8, bias=1e-4)
TRACKERS = [StarTracker(noise=1e-4, roll_noise=1e-4, delay=0.25, name=name) for name in ("good", "bad")]


def answers(kind, wrong, *, many=100, restart_after=20):
    """Return validity, consecutive rejections and restarts of a filter at rest; trackers are wrong from some time."""
    gyro, blocks = GYRO.block(sample=0.1), [each.block(sample=0.1) for each in TRACKERS[: len(wrong)]]
    made = kind(1e-5, 1e-8, gate=0.9999, restart_after=restart_after).block(
        gyro, list(zip(TRACKERS, blocks, strict=False)), attitude=(1, 0, 0, 0), attitude_sigma=1e-4, bias_sigma=1e-4
    )
    t = 0.1 * np.arange(many)
    rows = []
    for now in t:
        row = [0.0, 0.0, 0.0, 1.0, now]
        told = 0.1 * np.floor((now - 0.25 + 1e-9) / 0.1)
        for angle, since in wrong:
            off = from_rotation_vector((angle if told > since else 0.0, 0.0, 0.0))
            row += [*(off if told > -1e-9 else (1, 0, 0, 0)), told > -1e-9, max(told, 0.0)]
        rows.append(row)
    found = made.replay(t, np.array(rows))
    return found[:, 16], found[:, -3], found[:, -2], found[:, :4]


@pytest.mark.parametrize("kind", [MEKF, USQUE])
def test_rejected_messages_and_restarts_are_written(kind):
    valid, refused, restarts, e = answers(kind, [(0.5, 3.05)])
    first = int(np.flatnonzero(refused)[0])
    assert refused[first : first + 19].tolist() == list(range(1, 20))
    assert refused[first + 19] == 0.0  # the twentieth causes the restart, which uses this message
    assert restarts[first + 18 :].tolist() == [0.0] + [1.0] * (len(restarts) - first - 19)
    assert valid[first:].min() == 1.0
    assert e[-1] == pytest.approx(from_rotation_vector((0.5, 0.0, 0.0)), abs=1e-9)


def test_filter_does_not_restart_for_one_bad_sensor_of_two():
    _, refused, restarts, e = answers(MEKF, [(0.0, 0.0), (0.5, 3.05)])
    assert restarts.max() == 0.0
    assert refused.max() == 1.0
    assert e[-1] == pytest.approx((1.0, 0.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, True])
def test_restart_after_must_be_a_count(wrong):
    with pytest.raises(InputError, match="restart after of the filter must be a whole number, 1 or more"):
        MEKF(1e-5, 1e-8, restart_after=wrong)
