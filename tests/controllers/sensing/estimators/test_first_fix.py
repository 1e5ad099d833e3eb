"""Start of a filter without an initial attitude: from the first attitude, or from two directions."""

import numpy as np
import pytest

from polhode.controllers.sensing.estimators import MEKF, USQUE, ComplementaryFilter, chi_square_band, wahba
from polhode.controllers.sensing.estimators.filter_layout import FILTER_MEMORY
from polhode.controllers.sensing.sensors import FineSunSensor, Magnetometer, RateGyro, StarTracker
from polhode.plant import InputError
from polhode.plant.attitude import from_rotation_vector, quaternion_product, rotation_matrix, to_rotation_vector

E = np.array((0.5, -0.5, 0.1, 0.7)) / np.linalg.norm((0.5, -0.5, 0.1, 0.7))
W = np.array((0.05, -0.08, 0.06))  # rad/s: 6 deg/s
GYRO = RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-9, bias=1e-5)
SUN, FIELD = np.array((1.0, 0.2, 0.1)), np.array((1e-5, 3e-5, -2e-5))
sun = FineSunSensor(sun=SUN, noise=1e-3, half_angle=1.5)
field = Magnetometer(field=FIELD, noise=2e-7)
SIGMAS = np.array((sun.observation().sigma, field.observation().sigma))
NEAR = SUN + np.array((0.0, 0.05, 0.0))
NEVER = (0.0, 0.0, 0.0, 0.0, 0.0)


def unit(x):
    return np.asarray(x) / np.linalg.norm(x)


def at(t):
    return quaternion_product(E, from_rotation_vector(W * t))


def of_directions(kind):
    blocks = sun.block(sample=0.1), field.block(sample=0.1)
    return kind(1e-12, 0.0).block(GYRO.block(sample=0.1), [(sun, blocks[0]), (field, blocks[1])], bias_sigma=1e-12)


@pytest.mark.parametrize("kind", [MEKF, USQUE])
def test_first_fix_from_two_directions_matches_wahba(kind):
    block = of_directions(kind)
    seen = [unit(rotation_matrix(at(0.1)).T @ unit(v) + 1e-3 * np.array((0.3, -0.5, 0.4))) for v in (SUN, FIELD)]
    rows = np.array([[*W, 1, 0.0, *NEVER, *FIELD, 1, 0.0], [*W, 1, 0.1, *seen[0], 1, 0.1, *(4e-5 * seen[1]), 1, 0.1]])
    found = block.replay([0.0, 0.1], rows, compiled=False)
    assert found[0, :4].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert found[0, 10:13] == pytest.approx(np.pi)
    assert found[:, 16].tolist() == [0.0, 1.0]
    wanted = wahba(seen, [SUN, FIELD], sigma=SIGMAS)
    # one linear update from TRIAD's attitude, 1e-3 rad off: of second order; the variance about the first axis is pi^2
    off = to_rotation_vector(quaternion_product(found[1, :4] * (1, -1, -1, -1), wanted.attitude))
    assert np.linalg.norm(off) < 2e-6
    assert found[1, 10:13] == pytest.approx(np.sqrt(np.diag(wanted.covariance)), rel=2e-3)
    assert np.abs(block.replay([0.0, 0.1], rows) - found).max() < 1e-13


def test_first_fix_from_two_times_subtracts_initial_bias():
    """The gyro propagates the first direction to the time of the second; its bias causes an error of 2.7 mrad."""
    bias = np.array((0.01, -0.02, 0.015))
    blocks = sun.block(sample=0.1), field.block(sample=0.1)
    sensors = [(sun, blocks[0]), (field, blocks[1])]
    block = MEKF(1e-12, 0.0).block(GYRO.block(sample=0.1), sensors, bias=bias, bias_sigma=1e-12)
    seen = [rotation_matrix(at(t)).T @ unit(v) for t, v in ((0.0, SUN), (0.1, FIELD))]
    first, second = [*seen[0], 1, 0.0], [*(4e-5 * seen[1]), 1, 0.1]
    rows = [[*(W + bias), 1, 0.0, *first, *NEVER], [*(W + bias), 1, 0.1, *first, *second]]
    found = block.replay([0.0, 0.1], rows, compiled=False)
    assert found[:, 16].tolist() == [0.0, 1.0]
    off = to_rotation_vector(quaternion_product(found[1, :4] * (1, -1, -1, -1), at(0.1)))
    assert np.linalg.norm(off) < 1e-9
    assert found[1, 4:10] == pytest.approx([*W, *bias], rel=1e-9)


@pytest.mark.parametrize("late", [0.0, 0.25])
@pytest.mark.parametrize("kind", [MEKF, ComplementaryFilter])
def test_first_fix_from_late_attitude_is_propagated_and_used_once(kind, late):
    """At a rate of 6 deg/s, an attitude 0.25 s old differs by 1.6 deg; its noise turns with the body."""
    tracker = StarTracker(noise=1e-5, roll_noise=8e-5, delay=late, mounting=(0.8, 0.0, 0.6, 0.0))
    inputs = GYRO.block(sample=0.1), [(tracker, tracker.block(sample=0.5))]
    extended = kind is MEKF
    made = MEKF(1e-9, 0.0).block(*inputs, bias_sigma=1e-9) if extended else kind(attitude_gain=0.5).block(*inputs)
    t = 0.1 * np.arange(30)
    rows = []
    for now in t:
        told = 0.5 * np.floor((now - late + 1e-9) / 0.5)
        valid = told >= 1.0  # the first two are not
        rows.append([*W, 1, now, *(at(told) if valid else (1, 0, 0, 0)), valid, max(told, 0.0)])
    found = made.replay(t, rows, compiled=False)
    off = np.array(
        [np.linalg.norm(to_rotation_vector(quaternion_product(e * (1, -1, -1, -1), at(now))))
         for e, now in zip(found[:, :4], t, strict=True)]
    )  # fmt: skip
    before = t < 1.0 + late - 1e-9
    assert off[before].min() > 0.1
    assert off[~before].max() < 1e-9
    if not extended:
        return
    sigma = found[:, 10:13]
    assert sigma[before] == pytest.approx(np.pi)
    assert found[:, 16].tolist() == (~before).astype(float).tolist()
    began = int(np.flatnonzero(~before)[0])
    turn = rotation_matrix(from_rotation_vector(W * (t[began] - 1.0)))
    lower = np.tril(np.asarray(tracker.observation().covariance))
    R = lower + np.tril(lower, -1).T
    assert sigma[began] == pytest.approx(np.sqrt(np.diag(turn.T @ R @ turn)), rel=1e-6)
    # the next attitude halves the covariance in any axes: no measurement is used twice
    after = int(np.flatnonzero(t >= 1.5 + late - 1e-9)[0])
    turn = rotation_matrix(from_rotation_vector(W * (t[after] - 1.5)))
    first = rotation_matrix(from_rotation_vector(W * (t[after] - 1.0)))
    both = np.linalg.inv(np.linalg.inv(turn.T @ R @ turn) + np.linalg.inv(first.T @ R @ first))
    assert sigma[after] == pytest.approx(np.sqrt(np.diag(both)), rel=1e-4)


@pytest.mark.parametrize("late", [0.07, 0.37, 1.27])
def test_first_fix_is_propagated_through_an_acceleration(late):
    """0.1 rad/s^2 about a fixed axis: the present rate times the age has an error of 7 mrad after 0.37 s."""
    tracker = StarTracker(noise=1e-4, roll_noise=1e-4, delay=late)
    block = MEKF(1e-5, 1e-8).block(GYRO.block(sample=0.1), [(tracker, tracker.block(sample=0.5))], bias_sigma=1e-4)
    t, axis = 0.1 * np.arange(30), np.array((0.36, -0.48, 0.8))
    angle = 0.02 * t + 0.05 * t**2
    e = from_rotation_vector(np.outer(angle, axis))
    squares, valid_from = [], 0
    for draw in range(60):
        rng = np.random.default_rng(draw)
        mean = np.diff(angle, prepend=0.0)[:, None] / 0.1 * axis + 1e-4 * rng.normal(size=3)
        measured = mean + 1e-5 / np.sqrt(0.1) * rng.normal(size=(30, 3))
        seen = quaternion_product(e, from_rotation_vector(1e-4 * rng.normal(size=(30, 3))))
        told = 0.5 * np.floor((t - late + 1e-9) / 0.5)
        row = np.maximum(np.round(told / 0.1).astype(int), 0)
        valid = (told >= 0.0).astype(float)
        found = block.replay(t, np.column_stack((measured, np.ones(30), t, seen[row], valid, np.maximum(told, 0.0))))
        off = to_rotation_vector(quaternion_product(found[:, :4] * (1, -1, -1, -1), e))
        squares.append(((off / found[:, 10:13]) ** 2).sum(axis=1))
        valid_from = int(np.flatnonzero(found[:, 16])[0])
    low, high = chi_square_band(3, runs=60, probability=0.9999)
    assert low < np.mean(squares, axis=0)[[valid_from, -1]].min()
    assert np.mean(squares, axis=0)[[valid_from, -1]].max() < high


def test_first_fix_covariance_is_consistent():
    """Over 400 draws of noise the error of the first attitude matches its covariance."""
    draws, block = np.random.default_rng(3), of_directions(MEKF)
    squares = []
    for _ in range(400):
        row = [0.0, 0.0, 0.0, 1.0, 0.0]
        for v, sigma in zip((SUN, FIELD), SIGMAS, strict=True):
            w, noise = rotation_matrix(E).T @ unit(v), sigma * draws.normal(size=3)
            row += [*(w + noise - w * (w @ noise)), 1.0, 0.0]
        memory, v = np.array(block.memory), np.zeros(sum(block.widths.values()))
        block.kernel(0.0, np.array(row), block.parameters, memory, v)
        P = memory[FILTER_MEMORY.covariance : FILTER_MEMORY.covariance + 36].reshape(6, 6)[:3, :3]
        x = to_rotation_vector(quaternion_product(v[:4] * (1, -1, -1, -1), E))
        squares.append(float(x @ np.linalg.solve(P, x)))
    # chi-square of 3 degrees, its 99.9 % band over 400 draws
    assert 2.6 < np.mean(squares) < 3.42


def test_first_fix_waits_while_directions_are_too_close():
    near = FineSunSensor(sun=NEAR, noise=1e-3, half_angle=1.5, name="other")
    blocks = sun.block(sample=0.1), near.block(sample=0.1)
    made = MEKF(1e-9, 0.0).block(GYRO.block(sample=0.1), [(sun, blocks[0]), (near, blocks[1])], bias_sigma=1e-9)
    row = [0, 0, 0, 1, 0, *unit(SUN), 1, 0, *unit(NEAR), 1, 0]
    found = made.replay([0.0], [row], compiled=False)
    assert found[0, 10:13] == pytest.approx(np.pi)
    assert found[0, :4].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_first_fix_rejects_one_direction_and_incomplete_start():
    gyro = GYRO.block(sample=0.1)
    with pytest.raises(InputError, match="measure only one direction"):
        MEKF(1e-5, 1e-9).block(gyro, [(sun, sun.block(sample=0.1))], bias_sigma=1e-5)
    tracker = StarTracker(noise=1e-5, roll_noise=8e-5)
    with pytest.raises(InputError, match="attitude and attitude_sigma belong together"):
        MEKF(1e-5, 1e-9).block(gyro, [(tracker, tracker.block(sample=0.5))], attitude=E, bias_sigma=1e-5)
