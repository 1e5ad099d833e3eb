"""Actual and reported covariance of an estimate: equal for true noise, against a scalar filter for wrong noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import linalg

from polhode import controllers, plant, sim
from polhode.controllers.loop.analysis.estimate_consistency import (
    bias_covariances,
    consistency_ratios,
    covariances_of,
    error_covariances,
)
from polhode.controllers.sensing.estimators import MEKF, USQUE, ComplementaryFilter
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.controllers.sensing.sensors.rate_gyro import FLOOR
from polhode.plant.errors import DesignError

T = 0.1  # s
NOISE, WALK, SIGMA = 3e-5, 3e-6, 4e-5
FLICKER_TIME = 7.0  # s
CRAFT = plant.Spacecraft(plant.RigidBody([[40.0, 3.0, -1.0], [3.0, 30.0, 2.0], [-1.0, 2.0, 20.0]]))


def blocks_of(
    *,
    flicker=0.0,
    roll=SIGMA,
    every=T,
    latency=0.0,
    told: Any = (NOISE, WALK),
    mekf: Any = None,
    gyro_delay=0.0,
    sigma=SIGMA,
) -> list[Any]:
    tracker = StarTracker(noise=sigma, roll_noise=roll, delay=latency, mounting=(0.8, 0.0, 0.6, 0.0))
    slow = {"bias_instability": flicker / FLOOR, "correlation_time": FLICKER_TIME} if flicker else {}
    gyro = RateGyro(angle_random_walk=NOISE, rate_random_walk=WALK, bias=1e-5, **slow)
    first = gyro.block(sample=T, delay=gyro_delay)
    other = tracker.block(sample=every)
    mekf = MEKF(*told) if mekf is None else mekf
    start = {} if isinstance(mekf, ComplementaryFilter) else {"attitude_sigma": 1e-3, "bias_sigma": 1e-5}
    return [first, other, mekf.block(first, [(tracker, other)], attitude=(1, 0, 0, 0), **start)]


def law_of(law_every=T, frequency=0.3) -> Any:
    return controllers.quaternion_feedback(CRAFT, frequency=frequency, damping_ratio=0.7, sample=law_every)


def loop_of(*, law_every=T, frequency=0.3, **blocks: Any) -> Any:
    return law_of(law_every, frequency).loop(CRAFT.linearize(CRAFT.at_rest()), blocks=blocks_of(**blocks))


@pytest.mark.parametrize(
    "timing",
    [{}, {"every": 0.5}, {"every": 0.5, "latency": 0.23}, {"every": 0.3, "latency": 0.2, "law_every": 0.2}],
)
def test_filter_with_true_noise_is_consistent_at_every_sample(timing):
    """The optimal filter reports its own error; with a slow or late tracker both change from sample to sample."""
    loop = loop_of(roll=8.0 * SIGMA, **timing)
    actual, reported = error_covariances(loop)
    assert len(actual) == loop.repeats
    np.testing.assert_allclose(actual, reported, rtol=1e-8, atol=1e-10 * float(np.abs(reported).max()))
    np.testing.assert_allclose(consistency_ratios(loop), 1.0, rtol=1e-8)
    actual, reported = covariances_of(loop, of_bias=True)
    np.testing.assert_allclose(actual, reported, rtol=1e-8, atol=1e-10 * float(np.abs(reported).max()))
    np.testing.assert_allclose(consistency_ratios(loop, of_bias=True), 1.0, rtol=1e-8)


DELAYS = [(0.1, 0.1), (0.1, 0.2), (0.05, 0.1), (0.2, 0.3)]


@pytest.mark.parametrize(("gyro_delay", "latency"), DELAYS)
@pytest.mark.parametrize("sigma", [SIGMA, 0.1 * SIGMA])
def test_delayed_gyro_filter_reports_error_of_present_attitude(gyro_delay, latency, sigma):
    """The reading is used twice, so its noise is correlated with the estimate. Without that, ratios are 1.3 to 9.2.

    The rest is the acceleration by the law within the delay, which is proportional to the frequency of the law.
    """
    ratios = np.array(
        [
            consistency_ratios(loop_of(gyro_delay=gyro_delay, latency=latency, sigma=sigma, roll=sigma, frequency=w))
            for w in (0.02, 0.01)
        ]
    )
    np.testing.assert_allclose(ratios, 1.0, rtol=3e-3)
    # the random walk of the bias within one reading, which the filter leaves out, is 3e-5 of the variance
    np.testing.assert_allclose(ratios[1] - 1.0, 0.5 * (ratios[0] - 1.0), rtol=0.1, atol=5e-5)


@pytest.mark.parametrize("kind", [MEKF, USQUE])
@pytest.mark.parametrize(("gyro_delay", "latency"), DELAYS[:2])
def test_run_with_delayed_gyro_writes_the_reported_covariance(kind, gyro_delay, latency):
    """The sigmas of a run in steady state, about the body axes, with eight times the noise about a tilted boresight."""
    blocks = blocks_of(gyro_delay=gyro_delay, latency=latency, roll=8.0 * SIGMA, mekf=kind(NOISE, WALK))
    law = law_of(frequency=0.05)
    run = sim.simulate(CRAFT, law, duration=60.0, output_step=T, attitude=(1, 0, 0, 0), seed=3, blocks=blocks)
    _, (reported,) = error_covariances(law.loop(CRAFT.linearize(CRAFT.at_rest()), blocks=blocks))
    np.testing.assert_allclose(run.values("attitude_sigma")[-1], np.sqrt(np.diag(reported)), rtol=1e-4)


def scalar_filter(noise, walk, factor, flicker=0.0):
    """Return actual and reported covariance of (angle, bias) of one axis: Riccati, assumed noise; Lyapunov, true noise.

    The actual bias is that of the random walk plus a Gauss-Markov process of standard deviation `flicker`.
    """
    flow, seen = np.array([[1.0, -T], [0.0, 1.0]]), np.array([[1.0, 0.0]])

    def driven(v, u):
        return np.array([[v**2 * T + u**2 * T**3 / 3.0, -(u**2) * T**2 / 2.0], [-(u**2) * T**2 / 2.0, u**2 * T]])

    R = np.array([[(factor * SIGMA) ** 2]])
    before = linalg.solve_discrete_are(flow.T, seen.T, driven(noise, walk), R)
    gain = before @ seen.T / (before[0, 0] + R[0, 0])
    left = np.eye(2) - gain @ seen
    # angle error, walk minus its estimate, Gauss-Markov process: transition and noise over T (Van Loan 1978)
    rate = np.array([[0.0, -1.0, -1.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0 / FLICKER_TIME]])
    white = np.diag((NOISE**2, WALK**2, 2.0 * flicker**2 / FLICKER_TIME))
    big = linalg.expm(T * np.block([[-rate, white], [np.zeros((3, 3)), rate.T]]))
    moved = big[3:, 3:].T
    added = moved @ big[:3, 3:]
    whole, used = np.eye(3), np.vstack((gain, np.zeros((1, 1))))
    whole[:, :1] -= used
    actual = linalg.solve_discrete_lyapunov(whole @ moved, whole @ added @ whole.T + SIGMA**2 * used @ used.T)
    to_bias = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    return to_bias @ actual @ to_bias.T, left @ before


WRONG = [(2.0, 1.0, 1.0), (1.0, 5.0, 1.0), (0.5, 0.2, 1.0), (1.0, 1.0, 0.5), (3.0, 1.0, 2.0)]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("flicker", [0.0, 2e-6])
def test_mistuned_filter_has_variances_of_scalar_filter(wrong, flicker):
    noise, walk, factor = wrong[0] * NOISE, wrong[1] * WALK, wrong[2]
    loop = loop_of(mekf=MEKF(noise, walk, measurement_noise_factor=factor), flicker=flicker)
    expected = scalar_filter(noise, walk, factor, flicker)
    for n, covariances in enumerate(covariances_of(loop, of_bias=each) for each in (False, True)):
        for found, value in zip(covariances, expected, strict=True):
            np.testing.assert_allclose(found[0], value[n, n] * np.eye(3), rtol=1e-7, atol=1e-9 * value[n, n])


def test_ratios_bound_the_ratio_about_every_axis():
    """A tracker eight times worse about one tilted axis: ratios of the axes lie between the extreme ones."""
    loop = loop_of(roll=8.0 * SIGMA, told=(3.0 * NOISE, WALK))
    (actual,), (reported,) = error_covariances(loop)
    low, _, high = consistency_ratios(loop)[0]
    assert low < 0.97 * high
    axes = np.random.default_rng(0).standard_normal((500, 3))
    found = np.einsum("ni,ij,nj->n", axes, actual, axes) / np.einsum("ni,ij,nj->n", axes, reported, axes)
    assert low * (1.0 - 1e-12) < found.min() < 1.01 * low
    assert 0.99 * high < found.max() < high * (1.0 + 1e-12)


def test_consistency_needs_an_estimator_that_reports_a_covariance():
    gyro = RateGyro(angle_random_walk=NOISE).block(sample=T, shadows=True)
    law = controllers.quaternion_feedback(CRAFT, frequency=0.3, damping_ratio=0.7, sample=T)
    bare = law.loop(CRAFT.linearize(CRAFT.at_rest()), blocks=[gyro])
    fixed = loop_of(mekf=ComplementaryFilter(attitude_gain=0.1, bias_gain=1e-3))
    for loop in (bare, fixed):
        with pytest.raises(DesignError, match="no estimator that reports a covariance"):
            consistency_ratios(loop)


def test_bias_of_a_delayed_gyro_has_no_consistency():
    loop = loop_of(gyro_delay=0.1, latency=0.1)
    assert bias_covariances(loop) is None
    with pytest.raises(DesignError, match="no estimator that reports a covariance of its gyro bias, or its gyro is"):
        consistency_ratios(loop, of_bias=True)
