"""Sensors match their data sheets: Allan deviation, statistics, steps, outages; and a filter is consistent."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.controllers.sensing.estimators import MEKF, chi_square_band
from polhode.controllers.sensing.sensors import RateGyro, StarTracker, allan_deviation
from polhode.plant.attitude import attitude_error, from_rotation_vector, rotation_matrix, to_rotation_vector
from polhode.plant.errors import InputError

REST = (1.0, 0.0, 0.0, 0.0)


def still(n):
    return np.tile(REST, (n, 1))


def turning(t, rate=(0.02, -0.01, 0.03)):
    return from_rotation_vector(np.outer(t, rate))


def test_allan_deviation_recovers_the_data_sheet():
    gyro = RateGyro(angle_random_walk=3e-4, rate_random_walk=3e-5, step=0.0)
    t = np.arange(4001) * 0.5
    found = gyro.record(t, still(len(t)), seed=11).measured
    tau, deviation, spread = allan_deviation(found.rate, 0.5, tau=[0.5, 1.0, 4.0, 10.0, 40.0, 100.0])
    # three axes averaged; four sigma of the sample
    mean = np.sqrt((deviation**2).mean(axis=1))
    assert (np.abs(mean / gyro.allan_deviation(tau) - 1.0) < 4.0 * spread / np.sqrt(3.0)).all()
    # sensitive: half the walk, or white noise not divided by sqrt(T), would be detected
    assert (
        abs(mean[-1] / RateGyro(angle_random_walk=3e-4, rate_random_walk=1.5e-5).allan_deviation(tau[-1:])[0] - 1.0)
        > 0.4
    )


def test_gyro_noise_does_not_depend_on_sampling_period():
    """Variance of angle and bias after one second, read once or ten times, is the same."""
    gyro = RateGyro(angle_random_walk=1e-3, rate_random_walk=2e-3)
    for reads in (1, 10):
        t = np.linspace(0.0, 1.0, reads + 1)
        angles, steps = [], []
        for run in range(400):
            found = gyro.record(t, still(reads + 1), seed=5, run_index=run)
            angles.append((found.measured.rate / reads).sum(axis=0))
            steps.append(found.bias[-1])
        both = np.stack((np.ravel(angles), np.ravel(steps)))
        exact = np.array([[1e-6 + 4e-6 / 3.0, 2e-6], [2e-6, 4e-6]])
        # 1200 draws: relative sigma of a variance 4 %
        assert np.abs(np.cov(both) / exact - 1.0).max() < 0.2


def test_gyro_angle_counts_carry_the_remainder():
    gyro = RateGyro(angle_random_walk=1e-9, step=1e-3)
    t = np.arange(2001) * 0.1
    found = gyro.record(t, turning(t, (0.00317, 0.0, -0.00171)), seed=1).measured
    counts = found.rate * 0.1 / 1e-3
    assert np.abs(counts - np.round(counts)).max() < 1e-9
    turned = np.cumsum(found.rate * 0.1, axis=0)
    assert (
        np.abs(turned - np.outer(t[1:], (0.00317, 0.0, -0.00171))).max() <= 0.5e-3 + 1e-6
    )  # never more than half a step
    change = np.diff(turned[:, 0] - 0.00317 * t[1:])
    centred = change - change.mean()
    assert np.mean(centred[1:] * centred[:-1]) / np.mean(centred**2) == pytest.approx(-0.5, abs=0.12)


def test_gyro_first_reading_is_the_present_rate():
    """The gyro has no earlier attitude; its period (s) is not 1, so that a rate is not mistaken for an angle."""
    block = RateGyro(angle_random_walk=0.0, mounting=from_rotation_vector((0.4, -0.2, 0.3))).block(sample=0.25)
    found = block.replay([0.0], [[1.0, 0.0, 0.0, 0.0, 0.1, -0.2, 0.3]], seed=1, compiled=False)
    assert found[0, :3] == pytest.approx([0.1, -0.2, 0.3], rel=1e-14)


def test_gyro_scale_misalignment_bias_and_range():
    errors = np.array([[1e-3, 2e-3, 0.0], [0.0, -1e-3, 0.0], [5e-4, 0.0, 0.0]])
    t = np.arange(11) * 0.1
    rate = np.array([0.3, -0.2, 0.1])
    seen = RateGyro(angle_random_walk=1e-12, errors=errors).record(t, turning(t, rate), seed=1).measured.rate
    assert seen == pytest.approx(np.tile((np.eye(3) + errors) @ rate, (10, 1)), abs=1e-9)
    assert (
        np.abs(RateGyro(angle_random_walk=1e-12, limit=0.25).record(t, turning(t, rate), seed=1).measured.rate).max()
        == 0.25
    )
    starts = [
        RateGyro(angle_random_walk=0.0, bias=1e-3).record(t[:2], still(2), seed=2, run_index=n).bias[0]
        for n in range(300)
    ]
    assert np.std(starts) == pytest.approx(1e-3, rel=0.1)  # 900 draws: 2.4 %


def test_star_tracker_noise_is_in_sensor_axes():
    mounting = from_rotation_vector((0.0, 1.2, 0.0))
    tracker = StarTracker(noise=1e-4, roll_noise=1e-3, mounting=mounting)
    t = np.arange(1500) * 0.5
    e = turning(t)
    seen = tracker.record(t, e, seed=4)
    in_sensor = to_rotation_vector(attitude_error(seen.attitude, e)) @ rotation_matrix(mounting)
    assert in_sensor.std(axis=0) == pytest.approx((1e-4, 1e-4, 1e-3), rel=0.08)  # 1500 draws: 1.8 %
    assert np.abs(in_sensor.mean(axis=0) / in_sensor.std(axis=0)).max() < 4.0 / np.sqrt(1500)


def test_star_tracker_is_invalid_above_rate_limit():
    t = np.arange(20) * 1.0
    angle = np.where(t < 10.0, 0.01 * t, 0.1 + 0.2 * (t - 10.0))
    e = from_rotation_vector(angle[:, None] * np.array([0.0, 0.0, 1.0]))
    seen = StarTracker(noise=1e-4, roll_noise=1e-3, rate_limit=0.05).record(t, e, seed=1)
    assert seen.t.tolist() == list(range(11))


def test_sensor_noise_depends_on_seed_run_name_and_sample_only():
    t = np.arange(30) * 1.0
    one = StarTracker(noise=1e-4, roll_noise=1e-3, name="a").record(t, still(30), seed=7)
    longer = StarTracker(noise=1e-4, roll_noise=1e-3, name="a").record(np.arange(50) * 1.0, still(50), seed=7)
    assert (one.attitude == longer.attitude[:30]).all()
    other = StarTracker(noise=1e-4, roll_noise=1e-3, name="b").record(t, still(30), seed=7)
    assert not (one.attitude == other.attitude).all(axis=1).any()
    again = StarTracker(noise=1e-4, roll_noise=1e-3, name="a").record(t, still(30), seed=7, run_index=1)
    assert not (one.attitude == again.attitude).all(axis=1).any()


def fused(run, *, n, delay=0.4):
    t = np.arange(n + 1) * 0.5
    e = turning(t)
    gyro = RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-5, bias=1e-3).record(t, e, seed=21, run_index=run)
    mounting = from_rotation_vector((0.7, -0.3, 0.2))
    tracker = StarTracker(noise=1e-4, roll_noise=1e-3, mounting=mounting, delay=delay)
    found = MEKF(1e-4, 1e-5).replay(
        gyro.measured,
        [tracker.record(t[2::2], e[2::2], seed=21, run_index=run)],
        attitude=from_rotation_vector(0.3 * np.random.default_rng(run).normal(size=3)),
        attitude_sigma=0.3,
        bias_sigma=1e-3,
    )
    return found.nees(e, gyro.bias), np.nanmean(found.innovations["star_tracker"][3:])


def consistent(runs, n):
    found = [fused(run, n=n) for run in range(runs)]
    errors = np.array([each for each, _ in found])[:, 8:]
    # of a hundred correlated rows, one in 50,000 lies outside
    low, high = chi_square_band(6, runs=runs, probability=0.99998)
    assert low < errors.mean(axis=0).min()
    assert errors.mean(axis=0).max() < high
    low, high = chi_square_band(3, runs=runs * (n // 2 - 4), probability=0.9999)
    assert low < np.mean([each for _, each in found]) < high


def test_mekf_is_consistent_with_sensor_models():
    consistent(12, 40)


@pytest.mark.slow
def test_mekf_is_consistent_with_sensor_models_over_200_runs():
    consistent(200, 120)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RateGyro(angle_random_walk=5.0), "angle random walk of gyro must be below 1"),
        (lambda: RateGyro(angle_random_walk=-1.0), "angle random walk of gyro must not be negative"),
        (lambda: RateGyro(angle_random_walk=0.0, errors=np.eye(3)), "scale error of 100 ppm"),
        (lambda: StarTracker(noise=5.0, roll_noise=1e-3), "arcsec"),
        (lambda: StarTracker(noise=1e-4, roll_noise=0.0), "roll"),
        (lambda: RateGyro(angle_random_walk=0.0).record([0.0, 1.0], still(2), seed=-1), "seed must be a whole number"),
        (lambda: RateGyro(angle_random_walk=0.0).record([1.0, 0.0], still(2), seed=1), "ascending"),
        (lambda: RateGyro(angle_random_walk=0.0).record([0.0, 1.0], still(3), seed=1), "row of four for each of 2"),
        (lambda: allan_deviation([1.0] * 5, 1.0), "9 or more"),
        (lambda: allan_deviation([1.0] * 20, 1.0, tau=[12.0]), "more than twice this time"),
    ],
)
def test_sensors_reject_bad_input(make, message):
    with pytest.raises(InputError, match=message):
        make()
