"""Messages of slow and late sensors in the linear filter: definition, NEES, linear form, rejected input."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.sensing.estimators import KalmanFilter, chi_square_band
from polhode.controllers.sensing.sensors import Tachometer
from polhode.plant.errors import InputError

A = np.array([[0.9, 0.2, 0.0], [-0.1, 0.95, 0.1], [0.0, 0.0, 0.99]])
B = np.array([[0.0, 0.1], [0.1, 0.0], [0.0, 0.0]])
C = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]])
Q = np.diag([1e-4, 2e-4, 1e-5])
R = np.array([[1e-2, 2e-3], [2e-3, 2e-2]])
MODEL = KalmanFilter(A=A, B=B, C=C, Q=Q, R=R, sample=0.1)
START = {"state": np.zeros(3), "covariance": np.eye(3)}
ROWS = 60


def sensor(*, sample, delay=0.0, offset=0.0):
    return controllers.Block(
        lambda t, y: np.array([*y[:2], 1.0, t]),
        reads="rate",
        writes={"seen": controllers.Signal(4, role="timestamped")},
        clock=controllers.Clock(sample, offset=offset, delay=delay),
        name="sensor",
        compiled=False,
    )


def messages(rng, every, late):
    """Return the truth and the input of the filter: messages held until the next, and the inputs."""
    x, held, message = rng.multivariate_normal(np.zeros(3), np.eye(3)), rng.normal(size=(ROWS, 2)), np.zeros(4)
    states, under_way, rows = [], {}, []
    for k in range(ROWS):
        if k:
            x = A @ x + B @ held[k] + rng.multivariate_normal(np.zeros(3), Q)
        states.append(x)
        if k % every == 0:
            lost = k == 3 * every
            under_way[k + late] = [*(C @ x + rng.multivariate_normal(np.zeros(2), R)), 0.0 if lost else 1.0, 0.1 * k]
        message = np.array(under_way.get(k, message))
        rows.append([*message, *held[k]])
    return np.array(states), np.array(rows)


def dense(rows, every, late):
    """Return state and covariance at the last sample: measurements in order of validity, then a prediction."""
    x, cov = np.zeros(3), np.eye(3)
    for k in range(ROWS):
        if k:
            x, cov = A @ x + B @ rows[k, 4:], A @ cov @ A.T + Q
        arrived = k + late
        if k % every == 0 and arrived < ROWS and rows[arrived, 2]:
            gain = cov @ C.T @ np.linalg.inv(C @ cov @ C.T + R)
            x, cov = x + gain @ (rows[arrived, :2] - C @ x), (np.eye(3) - gain @ C) @ cov
    return x, cov


SENSORS = pytest.mark.parametrize(
    ("every", "late"), [(1, 0), (5, 0), (1, 1), (5, 3), (4, 11), (1, 7), (100, 2), (2, 70)]
)


def errors(every, late, seeds):
    """Return the final errors, with the covariance of the definition."""
    block = MODEL.block(sensor(sample=0.1 * every, delay=0.1 * late), inputs="applied", **START)
    for seed in range(seeds):
        states, rows = messages(np.random.default_rng(seed), every, late)
        found = block.replay(0.1 * np.arange(ROWS), rows)
        x, P = dense(rows, every, late)
        np.testing.assert_allclose(found[-1], [*x, 0.0], rtol=0, atol=1e-12)
        yield states[-1] - found[-1, :3], P


@SENSORS
def test_kalman_block_uses_each_message_once_at_its_time(every, late):
    assert len(list(errors(every, late, 3))) == 3


@pytest.mark.slow
@SENSORS
def test_kalman_block_with_slow_and_late_sensors_is_consistent(every, late):
    squares = [error @ np.linalg.solve(P, error) for error, P in errors(every, late, 200)]
    low, high = chi_square_band(3, runs=200, probability=0.99)
    assert low < np.mean(squares) < high


@pytest.mark.parametrize(("every", "late", "offset"), [(1, 0, 0.0), (1, 3, 0.0), (3, 0, 0.2), (4, 2, 0.1)])
def test_kalman_form_equals_settled_block(every, late, offset):
    """About rest, the settled block responds to messages and inputs as its periodic form does."""
    block = MODEL.block(sensor(sample=0.1 * every, delay=0.1 * late, offset=offset), inputs="applied", **START)
    y0 = np.array([0.3, -0.2, 1.0, 0.0, 0.1, 0.2])
    form, settled = block.small_signal(y0, width=4), block.linear_equivalent(y0)
    rng = np.random.default_rng(1)
    first = round(offset / 0.1)
    deviation, z, rows, expected = np.zeros(6), np.zeros(form.order), [], []
    for k in range(40):
        if k >= late and (k - first - late) % every == 0:
            deviation[:2] = rng.normal(size=2)
        deviation[4:] = rng.normal(size=2) if k else 0.0  # inputs held before the start are not used
        stamp = 0.1 * (k - (k - first - late) % every - late)
        rows.append([*(y0 + deviation)[:2], 1.0, stamp, *(y0 + deviation)[4:]])
        turn = form.turn(k)
        expected.append(np.asarray(turn.C) @ z + np.asarray(turn.D) @ deviation)
        z = np.asarray(turn.A) @ z + np.asarray(turn.B) @ deviation
    calm = [[*y0[:2], 1.0, row[3], *y0[4:]] for row in rows]
    moved = settled.replay(0.1 * np.arange(40), np.array(rows)) - settled.replay(0.1 * np.arange(40), np.array(calm))
    np.testing.assert_allclose(moved, expected, rtol=0, atol=1e-9)


def test_kalman_form_of_plain_signal_equals_settled_block():
    block = MODEL.block("seen", inputs="applied", **START)
    y0 = np.array([0.3, -0.2, 0.1, 0.2])
    form, settled, rng = block.small_signal(y0, width=3), block.linear_equivalent(y0), np.random.default_rng(2)
    deviations = rng.normal(size=(20, 4)) * np.array([1.0, 1.0, 0.0, 0.0])
    deviations[1:, 2:] = rng.normal(size=(19, 2))
    times = 0.1 * np.arange(20)
    moved = settled.replay(times, y0 + deviations) - settled.replay(times, np.tile(y0, (20, 1)))
    z = np.zeros(form.order)
    for deviation, answer in zip(deviations, moved, strict=True):
        np.testing.assert_allclose(answer, np.asarray(form.C) @ z + np.asarray(form.D) @ deviation, rtol=0, atol=1e-9)
        z = np.asarray(form.A) @ z + np.asarray(form.B) @ deviation


def simulated(stamp_error):
    """Simulate the angle of a wheel at 50 rad/s, measured each 0.2 s with 0.3 s delay, with an error of the time."""
    craft = plant.Spacecraft(
        plant.RigidBody((30.0, 20.0, 15.0)),
        elements=(plant.Wheel(axis=(0, 0, 1), inertia=0.01, relative_rate=50.0),),
    )
    encoder = controllers.Block(
        lambda t, y: np.array([y[0], 1.0, t + stamp_error]),
        reads="wheel_angle",
        writes={"angle": controllers.Signal(3, role="timestamped")},
        clock=controllers.Clock(0.2, delay=0.3),
        name="encoder",
        compiled=False,
    )
    model = KalmanFilter.from_continuous([[0, 1], [0, 0]], C=[[1, 0]], noise=[[0], [1e-3]], R=[[1e-8]], sample=0.1)
    tracker = model.block(encoder, state=[0, 0], covariance=np.diag([1e4, 1e4]), writes="wheel")
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    return sim.simulate(craft, law, blocks=[encoder, tracker.as_monitor()], duration=5.0, seed=1, output_step=0.1)


def test_kalman_block_estimates_present_state_in_a_run():
    run = simulated(0.0)
    error = run.values("wheel")[-2, 0] - run.values("internal")[-2, 0]
    assert abs(error) < 1e-2
    assert run.values("wheel_missed")[-1] == 0.0
    assert not [each for each in run.warnings if "omitted" in each]


def test_kalman_block_warns_of_messages_of_another_age():
    run = simulated(-0.05)
    assert run.values("wheel_missed")[-1] == 24.0
    assert any("omitted 24 messages of angle" in each for each in run.warnings)


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (sensor(sample=0.05), "must be 1 to 10,000 times the 0.1 s of the filter"),
        (sensor(sample=0.25), "give the filter sample=0.25 or an integer fraction"),
        (sensor(sample=0.1, offset=0.03), "measures between the samples of the filter.*offset=0.03"),
        (Tachometer(wheels="wheel_angle", counts_per_revolution=3).block(sample=0.1), "writes no message of 2 values"),
    ],
)
def test_kalman_block_rejects_unsupported_sensors(block, words):
    with pytest.raises(InputError, match=words):
        MODEL.block(block, inputs="applied", **START)
