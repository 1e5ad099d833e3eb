"""The linear filter compared with its definition in dense matrices, its steady state, Farrenkopf's case, and a run."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.sensing.estimators import KalmanFilter, chi_square_band, farrenkopf
from polhode.controllers.sensing.sensors import Tachometer
from polhode.plant.errors import DesignError, InputError

RNG = np.random.default_rng(0)
A = np.array([[0.9, 0.2, 0.0], [-0.1, 0.95, 0.1], [0.0, 0.0, 1.0]])
B = np.array([[0.0, 0.1], [0.1, 0.0], [0.0, 0.0]])
C = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]])
Q = np.diag([1e-4, 2e-4, 1e-5])
R = np.array([[1e-2, 2e-3], [2e-3, 2e-2]])
MODEL = KalmanFilter(A=A, B=B, C=C, Q=Q, R=R, sample=0.1)


def flown(rng, rows=300):
    x, states, seen, held = rng.normal(size=3), [], [], rng.normal(size=(rows, 2))
    for k in range(rows):
        if k:
            x = A @ x + B @ held[k] + rng.multivariate_normal(np.zeros(3), Q)
        states.append(x)
        seen.append(C @ x + rng.multivariate_normal(np.zeros(2), R))
    return np.array(states), np.array(seen), held


@pytest.mark.parametrize("compiled", [True, False])
def test_kalman_filter_matches_its_definition(compiled):
    _, seen, held = flown(RNG, 40)
    found = MODEL.replay(seen, held, state=np.zeros(3), covariance=np.eye(3), compiled=compiled)
    x, spread = np.zeros(3), np.eye(3)
    for k in range(40):
        if k:
            x, spread = A @ x + B @ held[k], A @ spread @ A.T + Q
        S = C @ spread @ C.T + R
        K = spread @ C.T @ np.linalg.inv(S)
        y = seen[k] - C @ x
        x, spread = x + K @ y, (np.eye(3) - K @ C) @ spread
        np.testing.assert_allclose(found.state[k], x, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.covariance[k], spread, rtol=1e-10, atol=1e-16)
        assert found.innovations[k] == pytest.approx(y @ np.linalg.solve(S, y), rel=1e-9)


@pytest.mark.slow
def test_kalman_filter_covariance_is_consistent():
    squares, nis = [], []
    for seed in range(30):
        states, seen, held = flown(np.random.default_rng(seed))
        found = MODEL.replay(seen, held, state=np.zeros(3), covariance=np.eye(3))
        off = states[-1] - found.state[-1]
        squares.append(off @ np.linalg.solve(found.covariance[-1], off))
        nis.append(found.innovations.mean())
    low, high = chi_square_band(3, runs=30, probability=0.9999)
    assert low < np.mean(squares) < high
    low, high = chi_square_band(2, runs=30 * 300, probability=0.9999)
    assert low < np.mean(nis) < high


def test_kalman_filter_converges_to_steady_state():
    gain, after = MODEL.steady_state()
    _, seen, held = flown(RNG, 2000)
    found = MODEL.replay(seen, held, state=np.zeros(3), covariance=np.eye(3))
    np.testing.assert_allclose(found.covariance[-1], after, rtol=1e-8)
    assert gain.shape == (3, 2)


def test_kalman_filter_of_gyro_and_angle_is_farrenkopf_case():
    closed = farrenkopf(angle_noise=1e-4, gyro_noise=3e-5, gyro_walk=2e-6, sample=1.0)
    model = KalmanFilter.from_continuous(
        [[0, -1], [0, 0]], C=[[1, 0]], noise=np.diag([3e-5, 2e-6]), R=[[1e-8]], sample=1.0
    )
    _, after = model.steady_state()
    assert np.sqrt(np.diag(after)) == pytest.approx((closed.angle_after, closed.bias_after), rel=1e-9)


def test_kalman_block_smooths_a_coarse_tachometer_in_a_run():
    """Three counts per turn at 10 Hz: steps of 21 rad/s are reduced to a fraction; the input is a message."""
    body = plant.RigidBody((30.0, 20.0, 15.0))
    craft = plant.Spacecraft(body, elements=(plant.Wheel(axis=(0, 0, 1), inertia=0.01, relative_rate=50.0),))
    tachometer = Tachometer(wheels="wheel_angle", counts_per_revolution=3).block(sample=0.1)
    model = KalmanFilter(A=[[1.0]], C=[[1.0]], Q=[[1e-2]], R=[[21.0**2 / 6.0]], sample=0.1)
    heard: list[float] = []

    def listen(t, y):
        heard.append(y[0])
        return y[1:]

    blocks = [
        tachometer,
        model.block(tachometer, state=[0.0], covariance=[[1e4]], writes="speed"),
        controllers.Block(listen, reads=("speed", "rate"), writes="rate", clock=controllers.Clock(0.1), compiled=False),
    ]
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    run = sim.simulate(craft, law, blocks=blocks, duration=60.0, seed=1, rate=(0.0, 0.0, 0.0))
    assert run.status == "completed"
    assert heard[0] == 0.0
    assert np.abs(np.array(heard[200:]) - 50.0).max() < 1.5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"A": np.eye(2)}, r"A must be \(n, n\)"),
        ({"Q": -Q}, "Q must be positive semidefinite"),
        ({"R": np.zeros((2, 2))}, "R must be positive definite"),
        ({"R": np.eye(3)}, "R must be symmetric, 2 x 2"),
        ({"sample": 0.0}, "sample"),
    ],
)
def test_kalman_filter_rejects_bad_models(change, words):
    with pytest.raises(InputError, match=words):
        KalmanFilter(**{"A": A, "B": B, "C": C, "Q": Q, "R": R, "sample": 0.1, **change})


def test_kalman_filter_rejects_bad_arguments():
    with pytest.raises(InputError, match="the model has 2 inputs; name their signals"):
        MODEL.block("rate", state=np.zeros(3), covariance=np.eye(3))
    with pytest.raises(InputError, match="state must be 3 numbers"):
        MODEL.replay(np.zeros((4, 2)), np.zeros((4, 2)), state=[0.0], covariance=np.eye(3))
    with pytest.raises(InputError, match=r"measured must be \(rows, 2\)"):
        MODEL.replay(np.zeros((4, 3)), np.zeros((4, 2)), state=np.zeros(3), covariance=np.eye(3))
    with pytest.raises(DesignError, match="no stationary gain"):
        KalmanFilter(A=[[2.0]], C=[[0.0]], Q=[[1.0]], R=[[1.0]], sample=1.0).steady_state()
