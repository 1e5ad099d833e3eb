"""MEKF compared with its definition in dense matrices and closed forms; consistency over seeds, and bad input."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.controllers.sensing.estimators import (
    MEKF,
    AttitudeSightings,
    RateRecord,
    VectorSightings,
    chi_square_band,
    farrenkopf,
)
from polhode.plant.attitude import attitude_error, from_rotation_vector, quaternion_product, to_rotation_vector
from polhode.plant.errors import InputError

from .truth import Dense, motion, seen, tracked

NOISE, WALK, T = 1e-4, 1e-5, 0.5
SEEDS = 20
SIGMA = np.array([1e-4, 2e-4, 1e-3])
SUN = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])


def start(rng, truth, sigma):
    return quaternion_product(truth.e[0], from_rotation_vector(sigma * rng.normal(size=3)))


def flown(seed, *, n=60, sigma=5e-3, delay=0.0, gate=None, spoil=0.0, sun=True):
    rng = np.random.default_rng(seed)
    truth = motion(rng, n=n, T=T, noise=NOISE, walk=WALK)
    attitudes = tracked(rng, truth.e[4::4], SIGMA)
    if spoil:
        attitudes[3] = quaternion_product(attitudes[3], from_rotation_vector((0.0, spoil, 0.0)))
    sensors = [AttitudeSightings(truth.t[4::4], attitudes, sigma=SIGMA, delay=delay)]
    if sun:
        sensors.append(
            VectorSightings(truth.t[3::7], seen(rng, truth.e[3::7], SUN, 2e-3), inertial=SUN, sigma=2e-3, name="sun")
        )
    found = MEKF(NOISE, WALK, gate=gate).replay(
        RateRecord(truth.t[1:], truth.rate),
        sensors,
        attitude=start(rng, truth, sigma),
        attitude_sigma=sigma,
        bias_sigma=1e-3,
    )
    return truth, sensors, found


def test_mekf_matches_its_definition():
    rng = np.random.default_rng(7)
    truth = motion(rng, n=30, T=0.05, noise=NOISE, walk=WALK)
    tracker = AttitudeSightings(truth.t[2::3], tracked(rng, truth.e[2::3], SIGMA), sigma=SIGMA)
    sun = VectorSightings(truth.t[1::4], seen(rng, truth.e[1::4], SUN, 2e-3), inertial=SUN, sigma=2e-3, name="sun")
    e0 = start(rng, truth, 5e-3)
    found = MEKF(NOISE, WALK).replay(
        RateRecord(truth.t[1:], truth.rate), [tracker, sun], attitude=e0, attitude_sigma=5e-3, bias_sigma=1e-3
    )
    dense = Dense(e0, np.zeros(3), np.diag([25e-6] * 3 + [1e-6] * 3), NOISE, WALK)
    for k in range(31):
        if k:
            dense.turn(truth.rate[k - 1], 0.05)
        if k % 3 == 2:
            square = dense.attitude(tracker.attitude[k // 3], SIGMA)
            assert found.innovations["star_tracker"][k // 3] == pytest.approx(square, rel=1e-6)
        if k % 4 == 1:
            square = dense.vector(sun.body[k // 4], SUN, 2e-3)
            assert found.innovations["sun"][k // 4] == pytest.approx(square, rel=1e-6)
        # noise of a body that turns little in a step: 0.037 rad/s * 0.05 s, of which the square matters
        scale = np.sqrt(np.outer(np.diag(dense.spread), np.diag(dense.spread)))
        assert (np.abs(found.covariance[k] - dense.spread) / scale).max() < 1e-5
        assert np.linalg.norm(to_rotation_vector(attitude_error(found.attitude[k], dense.e))) < 1e-9
        assert found.bias[k] == pytest.approx(dense.b, abs=1e-9)


def test_mekf_steady_state_is_farrenkopf():
    n = 400
    gyro = RateRecord(np.arange(1, n + 1) * 1.0, np.zeros((n, 3)))
    tracker = AttitudeSightings(gyro.t, np.tile((1.0, 0.0, 0.0, 0.0), (n, 1)), sigma=1e-4)
    found = MEKF(3e-5, 2e-6).replay(gyro, [tracker], attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-4)
    closed = farrenkopf(angle_noise=1e-4, gyro_noise=3e-5, gyro_walk=2e-6, sample=1.0)
    assert found.attitude_sigma[-1] == pytest.approx(closed.angle_after, rel=1e-9)
    assert found.bias_sigma[-1] == pytest.approx(closed.bias_after, rel=1e-9)


@pytest.mark.parametrize("delay", [0.0, 0.4, 1.3, 4.7])  # within a step, beyond one, more than one under way
def test_mekf_is_consistent_over_seeds_and_estimates_bias(delay):
    errors, squares = [], []
    truth, _, found = flown(0, delay=delay)
    for seed in range(SEEDS):
        truth, _, found = flown(seed, delay=delay)
        errors.append(found.nees(truth.e, truth.b))
        squares.append(np.nanmean(found.innovations["star_tracker"]))
        assert np.isnan(found.innovations["star_tracker"]).sum() == (truth.t[4::4] + delay > truth.t[-1]).sum()
    low, high = chi_square_band(6, runs=SEEDS, probability=0.9999)  # about a hundred correlated values
    mean = np.mean(errors, axis=0)
    assert low < mean.min()
    assert mean.max() < high
    known = np.isfinite(found.innovations["star_tracker"]).sum()
    low, high = chi_square_band(3, runs=SEEDS * int(known), probability=0.9999)
    assert low < np.mean(squares) < high
    assert np.abs(found.bias[-1] - truth.b[-1]).max() < 5.0 * found.bias_sigma[-1].max()
    assert found.bias_sigma[-1].max() < 0.1 * 1e-3


def test_mekf_result_is_equal_for_late_and_prompt_messages():
    """Exact in the linear case: all measurements are within 1e-7 rad, so second-order terms vanish."""
    rng = np.random.default_rng(3)
    gyro = RateRecord(np.arange(1, 21) * T, 1e-7 * rng.normal(size=(20, 3)))
    seen_at = gyro.t[[3, 7, 11, 15]]
    attitudes = from_rotation_vector(1e-7 * rng.normal(size=(4, 3)))
    ends = [
        MEKF(NOISE, WALK).replay(
            gyro,
            [AttitudeSightings(seen_at, attitudes, sigma=SIGMA, delay=delay)],
            attitude=(1, 0, 0, 0),
            attitude_sigma=5e-3,
            bias_sigma=1e-3,
        )
        for delay in (0.0, 0.3, 1.3, 2.0)
    ]
    for late in ends[1:]:
        assert (np.abs(late.covariance[-1] - ends[0].covariance[-1]) / ends[0].covariance[-1].max()).max() < 1e-6
        assert np.linalg.norm(to_rotation_vector(attitude_error(late.attitude[-1], ends[0].attitude[-1]))) < 1e-13
        assert late.bias[-1] == pytest.approx(ends[0].bias[-1], abs=1e-13)


def test_mekf_recovers_a_large_error_from_attitudes():
    for seed in range(8):
        truth, _, found = flown(seed, sigma=1.0, sun=False)
        last = found.error(truth.e, truth.b)[-1]
        assert (np.abs(last[:3]) < 5.0 * found.attitude_sigma[-1]).all()


def test_mekf_covariance_grows_in_an_outage():
    truth, (tracker,), _ = flown(5, sun=False)
    keep = (tracker.t < 8.0) | (tracker.t > 24.0)
    gappy = AttitudeSightings(tracker.t[keep], tracker.attitude[keep], sigma=SIGMA)
    found = MEKF(NOISE, WALK).replay(
        RateRecord(truth.t[1:], truth.rate), [gappy], attitude=truth.e[0], attitude_sigma=5e-3, bias_sigma=1e-3
    )
    within = (truth.t > 8.5) & (truth.t < 23.5)
    assert (np.diff(found.attitude_sigma[within, 0]) > 0.0).all()
    assert found.nees(truth.e, truth.b).max() < chi_square_band(6, probability=0.9999)[1]


def test_mekf_gate_rejects_and_counts_outliers():
    truth, _, gated = flown(9, gate=0.99999, spoil=0.05, sun=False)
    assert gated.refused == {"star_tracker": 1}
    assert gated.nees(truth.e, truth.b)[-1] < chi_square_band(6, probability=0.9999)[1]
    truth, _, taken = flown(9, spoil=0.05, sun=False)
    assert taken.nees(truth.e, truth.b).max() > 1e3


@pytest.mark.parametrize("count", [0, 1, 5])
def test_mekf_accepts_any_number_of_sensors_and_samples(count):
    gyro = RateRecord([0.1, 0.2], np.zeros((2, 3)))
    sensors = [AttitudeSightings([], np.zeros((0, 4)), sigma=1e-4, name=f"tracker {n}") for n in range(count)]
    found = MEKF(1e-5, 1e-9).replay(gyro, sensors, attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-6)
    assert len(found.t) == 3
    assert set(found.refused) == {f"tracker {n}" for n in range(count)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"angle_random_walk": 5.0}, "radians and seconds"),
        ({"rate_random_walk": -1.0}, "rate random walk of the filter"),
        ({"gate": 1.0}, "probability"),
    ],
)
def test_mekf_rejects_bad_parameters(change, message):
    with pytest.raises(InputError, match=message):
        MEKF(**{"angle_random_walk": 1e-5, "rate_random_walk": 1e-9, **change})


def test_mekf_rejects_bad_records():
    gyro = RateRecord([0.1, 0.2], np.zeros((2, 3)), start=0.05)
    good = {"attitude": (1, 0, 0, 0), "attitude_sigma": 1e-3, "bias_sigma": 1e-6}
    one = AttitudeSightings([0.1], [(1, 0, 0, 0)], sigma=1e-4)
    run = MEKF(1e-5, 1e-9).replay
    with pytest.raises(InputError, match="two sensors are called 'star_tracker'"):
        run(gyro, [one, one], **good)
    with pytest.raises(InputError, match=r"before the gyro's start at 0\.05 s"):
        run(gyro, [AttitudeSightings([0.0], [(1, 0, 0, 0)], sigma=1e-4)], **good)
    with pytest.raises(InputError, match="attitude_sigma"):
        run(gyro, [one], **{**good, "attitude_sigma": 0.0})
    with pytest.raises(InputError, match="must ascend"):
        RateRecord([0.2, 0.1], np.zeros((2, 3)))
    with pytest.raises(InputError, match="row for each of 2 times"):
        RateRecord([0.1, 0.2], np.zeros((3, 3)))
    with pytest.raises(InputError, match="unit Euler parameters"):
        AttitudeSightings([0.1], [(1, 1, 0, 0)], sigma=1e-4)
    with pytest.raises(InputError, match="degrees or arcsec"):
        VectorSightings([0.1], [(1, 0, 0)], inertial=(1, 0, 0), sigma=5.0)
