"""Unscented and complementary filter: equal to the extended one for small errors, and their strengths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.sensing.estimators import (
    MEKF,
    USQUE,
    AttitudeSightings,
    ComplementaryFilter,
    RateRecord,
    VectorSightings,
    chi_square_band,
    farrenkopf,
)
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.attitude import attitude_error, from_rotation_vector, quaternion_product, to_rotation_vector
from polhode.plant.errors import InputError

from .truth import motion, seen, tracked

NOISE, WALK, T = 1e-4, 1e-5, 0.5
SIGMA = np.array([1e-4, 2e-4, 1e-3])
SUN = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])
NADIR = np.array([0.0, 0.6, 0.8])


def records(seed, *, n=60, sigma, scale=1.0, delay=0.0, trackers=True):
    """Return truth, gyro, measurements and initial estimate, all errors scaled."""
    rng = np.random.default_rng(seed)
    truth = motion(rng, n=n, T=T, noise=NOISE * scale, walk=WALK * scale, bias=1e-3 * scale)
    sightings = []
    if trackers:
        seen_by = tracked(rng, truth.e[4::4], SIGMA * scale)
        sightings.append(AttitudeSightings(truth.t[4::4], seen_by, sigma=SIGMA * scale, delay=delay))
    for name, v, step in (("sun", SUN, 7), ("nadir", NADIR, 5)):
        w = seen(rng, truth.e[3::step], v, 2e-3 * scale)
        sightings.append(VectorSightings(truth.t[3::step], w, inertial=v, sigma=2e-3 * scale, delay=delay, name=name))
    start = quaternion_product(truth.e[0], from_rotation_vector(sigma * rng.normal(size=3)))
    return truth, RateRecord(truth.t[1:], truth.rate), sightings, start


def run(kind, given, *, sigma, scale=1.0, **more):
    _, gyro, sightings, start = given
    return kind(NOISE * scale, WALK * scale).replay(
        gyro, sightings, attitude=start, attitude_sigma=sigma, bias_sigma=1e-3 * scale, **more
    )


@pytest.mark.parametrize("delay", [0.0, 0.4, 1.3])
def test_usque_equals_mekf_for_small_errors(delay):
    """Errors scaled by ten change the difference of the filters by a hundred: it is of second order."""
    off = []
    for scale in (1e-1, 1e-2):
        given = records(3, sigma=5e-3 * scale, scale=scale, delay=delay)
        one, other = (run(kind, given, sigma=5e-3 * scale, scale=scale) for kind in (MEKF, USQUE))
        apart = np.linalg.norm(to_rotation_vector(attitude_error(one.attitude, other.attitude)), axis=1)
        off.append(apart.max() / one.attitude_sigma.max())
        np.testing.assert_allclose(other.attitude_sigma, one.attitude_sigma, rtol=1e-4)
        np.testing.assert_allclose(other.bias_sigma, one.bias_sigma, rtol=1e-4)
    assert off[0] < 1e-3
    assert off[1] < 0.2 * off[0]


def test_other_filters_are_equal_compiled_and_in_python():
    given = records(5, n=30, sigma=0.3, delay=0.4)
    one, other = (run(USQUE, given, sigma=0.3, compiled=compiled) for compiled in (True, False))
    np.testing.assert_allclose(one.attitude, other.attitude, rtol=0, atol=1e-13)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-10, atol=1e-22)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(("trackers", "sigma"), [(True, 1.0), (False, 0.3)])
def test_usque_is_more_consistent_for_large_errors(trackers, sigma):
    """Forty initial errors of sigma about each axis: medians of final error and chi-square."""
    middle = {}
    for kind in (MEKF, USQUE):
        squares, angles = [], []
        for seed in range(40):
            given = records(seed, sigma=sigma, trackers=trackers)
            said = run(kind, given, sigma=sigma)
            squares.append(said.nees(given[0].e, given[0].b)[-1])
            angles.append(np.linalg.norm(said.error(given[0].e, given[0].b)[-1, :3]))
        middle[kind] = np.median(squares), np.median(angles)
    assert middle[USQUE][0] < 0.4 * middle[MEKF][0]
    assert middle[USQUE][1] < 0.7 * middle[MEKF][1]
    if trackers:  # an attitude corrects it; directions only reduce the error 150 times, and neither is consistent
        # the median of chi-square of six is 5.35, that of 40 draws known to 1.25 sqrt(12/40)
        assert abs(middle[USQUE][0] - 5.35) < 4.0 * 1.25 * np.sqrt(12.0 / 40.0)


@pytest.mark.parametrize("delay", [0.0, 1.3])
def test_usque_is_consistent(delay):
    errors = []
    for seed in range(20):
        given = records(seed, sigma=5e-3, delay=delay)
        errors.append(run(USQUE, given, sigma=5e-3).nees(given[0].e, given[0].b))
    low, high = chi_square_band(6, runs=20, probability=0.9999)
    mean = np.mean(errors, axis=0)
    assert low < mean.min()
    assert mean.max() < high


def test_complementary_filter_with_steady_gains_equals_mekf():
    """Isotropic noise, no rotation: both converge to the same estimate, except for the start and second order."""
    rng = np.random.default_rng(2)
    n = 800
    truth = motion(rng, n=n, T=T, noise=NOISE, walk=WALK, bias=0.0, turning=(0.0, 0.0, 0.0))
    tracker = AttitudeSightings(truth.t[1:], tracked(rng, truth.e[1:], np.full(3, 1e-4)), sigma=1e-4)
    gyro = RateRecord(truth.t[1:], truth.rate)
    fixed = ComplementaryFilter.from_noise(angle_noise=1e-4, angle_random_walk=NOISE, rate_random_walk=WALK, sample=T)
    one = MEKF(NOISE, WALK).replay(gyro, [tracker], attitude=truth.e[0], attitude_sigma=1e-4, bias_sigma=1e-4)
    other = fixed.replay(gyro, [tracker], attitude=truth.e[0])
    apart = to_rotation_vector(attitude_error(one.attitude[200:], other.attitude[200:]))
    assert np.abs(apart).max() < 7e-9  # errors of 7e-5 rad, rotated by as much by the noise of the gyro in an interval
    np.testing.assert_allclose(other.bias[200:], one.bias[200:], rtol=0, atol=7e-9)
    closed = farrenkopf(angle_noise=1e-4, gyro_noise=NOISE, gyro_walk=WALK, sample=T)
    error = to_rotation_vector(attitude_error(truth.e, other.attitude))[200:]
    assert error.std() == pytest.approx(closed.angle_after, rel=0.1)  # about 600 independent values
    assert np.isnan(other.covariance).all()


def test_complementary_filter_estimates_bias_from_directions():
    truth, gyro, sightings, start = records(4, n=600, sigma=0.5, trackers=False)
    found = ComplementaryFilter(attitude_gain=0.3, bias_gain=0.01).replay(gyro, sightings, attitude=start)
    off = np.linalg.norm(to_rotation_vector(attitude_error(truth.e, found.attitude)), axis=1)
    assert off[0] > 0.3
    assert off[-100:].max() < 0.01
    assert np.abs(found.bias[-100:].mean(axis=0) - truth.b[-100:].mean(axis=0)).max() < 3e-4


GYRO = RateGyro(angle_random_walk=NOISE, rate_random_walk=WALK, bias=1e-3)
TRACKER = StarTracker(noise=1e-4, roll_noise=1e-3, delay=0.4)
START = np.array((0.8, 0.0, 0.6, 0.0))


@pytest.mark.parametrize("kind", ["unscented", "complementary"])
def test_other_filter_blocks_equal_replay(kind):
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    gyro, tracker = GYRO.block(sample=0.1), replace(TRACKER, delay=0.43).block(sample=0.5)
    start = quaternion_product(START, from_rotation_vector((0.02, -0.01, 0.03)))
    said: list[np.ndarray] = []

    def listen(t, y):
        said.append(y.copy())
        return y[:3]

    if kind == "unscented":
        found = USQUE(NOISE, WALK)
        known = {"attitude_sigma": 0.02, "bias_sigma": 1e-3}
    else:
        found, known = ComplementaryFilter(attitude_gain=0.2, bias_gain=0.02), {}
    blocks = [
        gyro,
        tracker,
        found.block(gyro, [(replace(TRACKER, delay=0.43), tracker)], attitude=start, **known),
        controllers.Block(
            listen, reads=("rate", "attitude"), writes="rate", clock=controllers.Clock(0.1), compiled=False
        ),
    ]
    flown = sim.simulate(craft, law, blocks=blocks, seed=4, attitude=START, duration=40.0, output_step=0.1)
    assert flown.status == "completed"
    e = flown.values("attitude")
    record = GYRO.record(flown.t, e, seed=4)
    seen_by = replace(TRACKER, delay=0.43).record(flown.t[::5], e[::5], seed=4)
    again = found.replay(record.measured, [seen_by], attitude=start, **known)
    np.testing.assert_allclose(np.array(said)[:, 3:], again.attitude[: len(said)], rtol=0, atol=1e-12)
    assert flown.values("attitude_error")[-50:].max() < 5e-3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: USQUE(5.0, 1e-5), "radians and seconds"),
        (lambda: USQUE(1e-5, 1e-5, gate=2.0), "gate of the filter must be a probability"),
        (lambda: ComplementaryFilter(attitude_gain=2.5), "must be below 2; got 2.5"),
        (lambda: ComplementaryFilter(attitude_gain=0.5, bias_gain=-1.0), "bias gain of .* must not be negative"),
    ],
)
def test_other_filters_reject_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()
