"""An estimator whose errors exceed its claimed covariance is reported, a consistent one is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.sensing.estimators import MEKF, USQUE, ComplementaryFilter
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.attitude import from_rotation_vector
from polhode.sim.results import filter_warnings as checks
from polhode.sim.results.filter_warnings import (
    Innovations,
    error_fault,
    filter_warnings,
    innovation_fault,
    true_bias,
)

GYRO = RateGyro(angle_random_walk=3e-6, rate_random_walk=2e-9, bias=1e-5)
TRACKER = StarTracker(noise=4e-5, roll_noise=3e-4, delay=0.37)
MISALIGNED = replace(GYRO, errors=1e-3 * np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
CRAFT = plant.Spacecraft(plant.RigidBody((12.0, 10.0, 8.0)))
START = 1e-3


def idle(t, y, r, q, z, u):
    u[0], u[1], u[2] = 0.0, 0.0, 0.0


def simulated(*, gyro=GYRO, kind: Any = MEKF, rate=(0.0, 0.0, 0.0), seed=1, off=1.0, claimed=1.0, delay=0.37, **more):
    """Run of a free spacecraft under an estimator, whose initial error is a draw of START times `off`."""
    tracker = replace(TRACKER, delay=delay)
    first, other = gyro.block(sample=0.1), tracker.block(sample=more.pop("every", 0.2))
    start = from_rotation_vector(off * START * np.random.default_rng(seed).normal(size=3))
    seen = replace(tracker, noise=claimed * tracker.noise, roll_noise=claimed * tracker.roll_noise)
    if kind is ComplementaryFilter:
        block = kind(attitude_gain=0.2).block(first, [(tracker, other)], attitude=start)
    else:
        found = kind(gyro.angle_random_walk, gyro.rate_random_walk, gate=more.pop("gate", None))
        block = found.block(first, [(seen, other)], attitude=start, attitude_sigma=START, bias_sigma=gyro.bias)
    return sim.simulate(
        CRAFT, controllers.CustomLaw(idle, sample=0.1), attitude=(1, 0, 0, 0), rate=rate, seed=seed,
        blocks=[first, other, block], **{"duration": 60.0, "output_step": 0.1, **more},
    )  # fmt: skip


@pytest.mark.parametrize("kind", [MEKF, USQUE])
@pytest.mark.parametrize("rate", [(0.0, 0.0, 0.0), (0.01, 0.015, -0.01)])
def test_misaligned_gyro_is_reported_where_craft_turns(kind, rate):
    assert not filter_warnings(simulated(kind=kind, rate=rate))
    faults = filter_warnings(simulated(kind=kind, rate=rate, gyro=MISALIGNED))
    if not any(rate):  # at rest a misalignment has no effect
        assert not faults
        return
    (words,) = faults
    assert words.startswith(f"{kind.__name__}: the error of the ")
    assert "times the sigma of the filter" in words


def test_run_warnings_hold_those_of_the_filter():
    run = simulated(rate=(0.01, 0.015, -0.01), gyro=MISALIGNED)
    assert filter_warnings(run)[0] in run.warnings


@pytest.mark.parametrize(
    ("claimed", "words"), [(0.5, "larger than the filter predicts"), (3.0, "smaller than the filter predicts")]
)
def test_wrong_noise_of_a_tracker_is_reported_by_its_innovations(claimed, words):
    (fault,) = filter_warnings(simulated(claimed=claimed))
    assert "the innovations of star_tracker are" in fault
    assert words in fault


def test_filter_rejections_and_restarts_are_reported():
    faults = filter_warnings(simulated(off=100.0, gate=0.9999))
    assert faults[0] == "MEKF rejected every message for a long time and restarted from its sensors once"
    wrong = simulated(off=100.0, gate=0.9999, duration=4.0)
    assert any("the gate rejected" in each for each in filter_warnings(wrong))


@pytest.mark.parametrize(("output_step", "duration"), [(0.1, 0.1), (7.3, 60.0), (0.25, 20.0)])
def test_any_rows_will_do(output_step, duration):
    assert filter_warnings(simulated(output_step=output_step, duration=duration)) == []


def test_streamed_run_has_the_filter_warnings_of_one_in_memory(tmp_path):
    given = {"rate": (0.01, 0.015, -0.01), "gyro": MISALIGNED}
    memory, stream = simulated(**given), simulated(**given, stream=tmp_path / "run.nc")
    assert filter_warnings(memory)
    assert stream.warnings == memory.warnings


def test_run_of_too_many_rows_or_readings_says_what_was_not_compared(monkeypatch):
    run = simulated(duration=20.0)
    monkeypatch.setattr(checks, "MOST_READINGS", 100)
    (words,) = filter_warnings(run)
    assert words.startswith(
        "MEKF: the error of the gyro bias was not compared with its sigma: the gyro has produced 201 mea"
    )
    monkeypatch.setattr(checks, "MOST_ROWS", 50)
    (words,) = filter_warnings(run)
    assert words.startswith("MEKF was not compared with its own covariance (NEES and NIS): the run has 201 rows")


def test_estimator_without_covariance_is_not_compared():
    assert filter_warnings(simulated(kind=ComplementaryFilter, gyro=MISALIGNED, rate=(0.01, 0.0, 0.0))) == []


def test_true_bias_is_that_of_the_record():
    run = simulated()
    wanted = GYRO.record(run.t, run.values("attitude"), seed=1).bias
    np.testing.assert_array_equal(true_bias(run, "gyro", run.t[:-1]), wanted[:-1])
    assert true_bias(run, "star_tracker", run.t[:-1]) is None


@pytest.mark.parametrize("gate", [np.inf, 6.251388631170325])  # of nine in ten
def test_chi_square_innovations_hardly_ever_warn(gate):
    """600 draws of 200 innovations; each warns with a probability of 2e-4 at most."""
    rng = np.random.default_rng(5)
    squares = rng.chisquare(3, size=(600, 200))
    squares = np.where(squares > gate, -squares, squares)
    t = np.arange(200.0)
    faults = [innovation_fault(Innovations("tracker", t, each, 3, gate)) for each in squares]
    assert sum(map(bool, faults)) <= 2  # 3 or more: 3e-4
    assert innovation_fault(Innovations("tracker", t, 1.6 * squares[0], 3, 1.6 * gate))


def test_errors_that_last_hardly_ever_warn():
    """Errors of one draw over a whole run: 2,000 of them within their sigmas, and one at seven."""
    rng = np.random.default_rng(6)
    t = np.arange(40.0)
    faults = [error_fault("attitude", t, np.tile(each, (40, 1))) for each in rng.normal(size=(2000, 3))]
    assert sum(map(bool, faults)) <= 2
    assert "about y is 7 times" in error_fault("attitude", t, np.tile((0.0, 7.0, 0.0), (40, 1)))


@pytest.mark.slow
def test_consistent_filters_hardly_ever_warn():
    """400 runs of all kinds; NEES and NIS warn in less than 1 of 1,000, so that two or more have 6 %."""
    warned = []
    for seed in range(400):
        rate = ((0.0, 0.0, 0.0), (0.01, 0.015, -0.01))[seed % 2]
        kind, delay = (MEKF, USQUE)[seed // 2 % 2], (0.0, 0.37, 1.3)[seed // 4 % 3]
        run = simulated(kind=kind, rate=rate, seed=seed, delay=delay, duration=(20.0, 60.0)[seed // 12 % 2])
        warned += filter_warnings(run)
    assert len(warned) <= 1, warned
