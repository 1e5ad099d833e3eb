"""Each sensor compared with its definition: geometry, statistics, limits and counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polhode.controllers.sensing.estimators import wahba
from polhode.controllers.sensing.sensors import (
    CoarseSunSensor,
    ExclusionZone,
    FineSunSensor,
    HorizonSensor,
    InertialVector,
    Magnetometer,
    RateGyro,
    StarTracker,
    Tachometer,
    allan_deviation,
)
from polhode.controllers.sensing.sensors.sensor_kernels import gauss_markov
from polhode.plant.attitude import attitude_error, from_rotation_vector, rotation_matrix, to_rotation_vector
from polhode.plant.errors import InputError

N = 4000
T = np.arange(N) * 0.1
E = from_rotation_vector(np.outer(T, (0.004, -0.003, 0.005)))
STILL = np.tile((1.0, 0.0, 0.0, 0.0), (N, 1))
PYRAMID = [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]
FOUR = 4.0 / np.sqrt(2 * N)  # relative, of a standard deviation of N numbers


def body(v):
    return np.einsum("mji,j->mi", np.array([rotation_matrix(e) for e in E]), v)


@pytest.mark.parametrize("x", [1e-4, 9.99e-3, 1.001e-2, 0.3, 4.0, 60.0])
def test_gauss_markov_matches_its_definition(x):
    """The moments of step and mean by quadrature of the impulse responses, sigma 1 and a correlation time of 1."""
    u, weights = np.polynomial.legendre.leggauss(60)
    s = 0.5 * x * (u + 1.0)  # time left
    w = 0.5 * x * weights * 2.0  # white noise of density 2
    step, mean = np.exp(-s), (1.0 - np.exp(-s)) / x
    exact = np.array([[np.sum(w * a * b) for b in (step, mean)] for a in (step, mean)])
    one = gauss_markov(0.0, 1.0, x, 1.0, 0.0)
    other = gauss_markov(0.0, 1.0, x, 0.0, 1.0)
    root = np.column_stack((one, other))
    tolerance = 1e-9 if x < 0.02 else 1e-11 if x < 10 else 1e-5  # by quadrature of e^-s up to 60
    np.testing.assert_allclose(root @ root.T, exact, rtol=tolerance)
    np.testing.assert_allclose(gauss_markov(1.0, 1.0, x, 0.0, 0.0), (np.exp(-x), -np.expm1(-x) / x), rtol=1e-14)


def test_gyro_flicker_matches_data_sheet_allan_deviation():
    gyro = RateGyro.from_data_sheet(
        angle_random_walk_deg_sqrt_h=0.0, bias_instability_deg_h=2.0, correlation_time_s=20.0
    )
    flat = 2.0 * np.pi / 180.0 / 3600.0 * 0.664
    tau = np.geomspace(1.0, 1000.0, 400)
    assert gyro.allan_deviation(tau).max() == pytest.approx(flat, rel=1e-3)
    assert tau[gyro.allan_deviation(tau).argmax()] == pytest.approx(1.89 * 20.0, rel=0.02)
    t = np.arange(40001) * 0.5
    found = gyro.record(t, np.tile((1.0, 0.0, 0.0, 0.0), (len(t), 1)), seed=5).measured
    tau, deviation, spread = allan_deviation(found.rate, 0.5, tau=[0.5, 5.0, 40.0, 200.0, 800.0])
    mean = np.sqrt((deviation**2).mean(axis=1))
    assert (np.abs(mean / gyro.allan_deviation(tau) - 1.0) < 4.0 * spread / np.sqrt(3.0)).all()


def test_gyro_rate_resolution_loses_remainder_unlike_angle_counts():
    rate = np.tile((0.00123456, -0.00271, 0.0031), (N, 1))
    e = from_rotation_vector(rate * T[:, None])
    word = RateGyro(angle_random_walk=1e-6, rate_step=1e-4).record(T, e, seed=1).measured.rate
    counts = RateGyro(angle_random_walk=1e-6, step=1e-5).record(T, e, seed=1).measured.rate
    assert np.abs(word / 1e-4 - np.round(word / 1e-4)).max() < 1e-9
    assert np.abs(word.mean(axis=0) - rate[0]).max() > 1e-5  # noise far below a step does not average it out
    assert np.abs(counts.mean(axis=0) - rate[0]).max() < 1e-6


def test_mounted_gyro_measures_body_rates():
    mounting = from_rotation_vector((0.4, -0.7, 0.2))
    M = np.array([[1e-3, 2e-3, 0.0], [0.0, -1e-3, 4e-4], [5e-4, 0.0, 0.0]])
    rate = np.array([0.03, -0.02, 0.01])
    e = from_rotation_vector(np.outer(T[:20], rate))
    R = rotation_matrix(mounting)
    seen = RateGyro(angle_random_walk=1e-13, errors=M, mounting=mounting).record(T[:20], e, seed=1).measured.rate
    np.testing.assert_allclose(seen, np.tile(R @ (np.eye(3) + M) @ R.T @ rate, (19, 1)), atol=1e-11)


def test_gyro_beyond_range_is_limited_and_invalid():
    block = RateGyro(angle_random_walk=1e-12, limit=0.1).block(sample=0.1)
    rates = np.array([[0.05, 0.0, 0.0], [0.2, -0.3, 0.0]])
    e = from_rotation_vector(np.array([[0.0, 0.0, 0.0], [0.02, -0.03, 0.0]]))
    found = block.replay([0.0, 0.1], np.hstack([e, rates]), seed=1)
    np.testing.assert_allclose(found[:, :3], [(0.05, 0, 0), (0.1, -0.1, 0)], atol=1e-10)
    assert found[:, 3].tolist() == [1.0, 0.0]


def test_star_tracker_field_errors_persist():
    tracker = StarTracker(noise=1e-6, roll_noise=1e-6, field_noise=1e-4, field_roll_noise=5e-4, field_time=2.0)
    off = to_rotation_vector(attitude_error(tracker.record(T, E, seed=3).attitude, E))
    # 400 s with a correlation time of 2 s are about 100 independent values: a std. dev. has a relative sigma of 7 %
    np.testing.assert_allclose(off.std(axis=0), (1e-4, 1e-4, 5e-4), rtol=0.28)
    assert np.mean(off[20:] * off[:-20], axis=0) / off.var(axis=0) == pytest.approx(np.exp(-1.0), abs=0.3)


def test_star_tracker_is_blinded_by_the_sun():
    sun = InertialVector((1.0, 0.0, 0.0), rate=(0.0, 0.02, 0.0))  # towards -z
    boresight = from_rotation_vector((0.0, 0.5 * np.pi, 0.0))  # x of the body
    tracker = StarTracker(noise=1e-5, roll_noise=1e-4, mounting=boresight, exclusions=[ExclusionZone(sun, 0.5003)])
    kept = tracker.record(T, STILL, seed=1).t
    angle = np.arccos([np.clip(sun.at(t)[0], -1, 1) for t in T])
    np.testing.assert_array_equal(kept, T[angle > 0.5003])
    rows = np.array([sun.at(t) for t in T])
    named = replace(tracker, exclusions=[ExclusionZone("sun", 0.5003)])
    np.testing.assert_array_equal(named.record(T, STILL, seed=1, signals={"sun": rows}).t, kept)
    dark = named.record(T, STILL, seed=1, signals={"sun": 0.0 * rows})  # no Sun, no glare
    assert len(dark.t) == N


def test_fine_sun_sensor_measures_tangents():
    s = np.array([0.5, -0.2, 1.0])
    mounting = from_rotation_vector((0.1, 0.2, -0.3))
    sensor = FineSunSensor(sun=s, noise=1e-3, half_angle=1.0, mounting=mounting)
    seen = sensor.record(T, STILL, seed=2).body @ rotation_matrix(mounting)
    exact = rotation_matrix(mounting).T @ s
    off = seen[:, :2] / seen[:, 2:] - exact[:2] / exact[2]
    np.testing.assert_allclose(off.std(axis=0), 1e-3, rtol=FOUR)
    assert np.abs(off.mean(axis=0)).max() < 4e-3 / np.sqrt(N)
    behind = FineSunSensor(sun=(0, 0, -1), noise=1e-3, half_angle=1.0)
    assert len(behind.record(T, STILL, seed=2).t) == 0
    edge = FineSunSensor(sun=(np.tan(0.99), 0, 1), noise=1e-3, half_angle=0.98)
    assert len(edge.record(T, STILL, seed=2).t) == 0


def test_coarse_sun_cells_measure_a_direction():
    s = np.array([0.2, -0.1, 1.0])
    cells = CoarseSunSensor(sun=s, normals=PYRAMID, noise=0.005, half_angle=1.4)
    seen = cells.record(T, STILL, seed=4)
    off = seen.body - s / np.linalg.norm(s)
    A = np.linalg.inv(np.asarray(cells.normals).T @ np.asarray(cells.normals))
    P = np.eye(3) - np.outer(s, s) / (s @ s)
    np.testing.assert_allclose(np.cov(off.T), 0.005**2 * P @ A @ P, atol=4.0 * 0.005**2 * FOUR)
    assert 0.5 < cells.sigma / (0.005 * np.sqrt(0.5 * np.trace(P @ A @ P))) < 2.0  # all directions, relative to this
    # edge-on to the Sun two cells are lit at best
    low = CoarseSunSensor(sun=(1, 0, -0.8), normals=PYRAMID, noise=0.005, half_angle=1.4)
    assert len(low.record(T, STILL, seed=4).t) == 0
    dark = replace(cells, sun="sun").record(T, STILL, seed=4, signals={"sun": np.zeros((N, 3))})
    assert len(dark.t) == 0  # in eclipse noise does not light three cells
    with pytest.raises(InputError, match="no direction lights three cells of sun_cells"):
        replace(cells, half_angle=0.6).record(T, STILL, seed=4)  # normals are a right angle apart


def test_magnetometer_measures_in_tesla():
    B = np.array([2e-5, -1e-5, 3e-5])
    M = np.array([[1e-3, 2e-3, 0.0], [0.0, -1e-3, 4e-4], [5e-4, 0.0, 0.0]])
    mounting = from_rotation_vector((0.4, -0.7, 0.2))
    R = rotation_matrix(mounting)
    sensor = Magnetometer.from_data_sheet(field=B, noise_nT=50.0, mounting=mounting)
    block = replace(sensor, errors=M).block(sample=0.1)
    found = block.replay(T, np.hstack([E, np.zeros((N, 3))]), seed=1)[:, :3]
    off = found - body(B) @ (R @ (np.eye(3) + M) @ R.T).T
    np.testing.assert_allclose(off.std(axis=0), 50e-9, rtol=FOUR)
    assert np.abs(off.mean(axis=0)).max() < 4.0 * 50e-9 / np.sqrt(N)
    biases = [
        replace(sensor, noise=0.0, bias=1e-7)
        .block(sample=0.1)
        .replay([0.0], [[1, 0, 0, 0, 0, 0, 0]], seed=1, run_index=n)
        for n in range(300)
    ]
    assert np.std(np.array(biases)[:, 0, :3] - B) == pytest.approx(1e-7, rel=0.1)
    assert sensor.record(T, E, seed=1).sigma == pytest.approx(50e-9 / np.linalg.norm(B))


def test_horizon_sensor_noise_is_about_its_axes():
    sensor = HorizonSensor(nadir=(0.0, 0.0, 1.0), noise=1e-3, half_angle=0.5, radiance=2e-3, radiance_time=5.0)
    seen = sensor.record(T, STILL, seed=6).body
    slow = np.array([np.convolve(c, np.ones(10) / 10, "valid") for c in seen[:, :2].T]).T
    np.testing.assert_allclose((seen[:, :2]).std(axis=0), np.hypot(1e-3, 2e-3), rtol=0.3)  # 40 independent values
    assert slow.std() > 1.5e-3
    assert len(HorizonSensor(nadir=(1, 0, 1), noise=1e-3, half_angle=0.5).record(T, STILL, seed=6).t) == 0


def test_tachometer_counts_angle_steps():
    rate, counts = 1.7, 12
    block = Tachometer(wheels="wheel_angle", counts_per_revolution=counts).block(sample=0.1)
    found = block.replay(T, rate * T[:, None], seed=1)
    assert found[0, 1] == 0.0
    steps = found[1:, 0] * counts * 0.1 / (2 * np.pi)
    assert np.abs(steps - np.round(steps)).max() < 1e-9
    assert set(np.round(steps)) == {0.0, 1.0}  # 0.32 counts in an interval
    turned = np.cumsum(found[1:, 0]) * 0.1
    assert np.abs(turned - rate * T[1:]).max() < 2 * np.pi / counts  # nothing is lost
    back = block.replay(T, -rate * T[:, None], seed=1)
    assert np.abs(np.cumsum(back[1:, 0]) * 0.1 + rate * T[1:]).max() < 2 * np.pi / counts * (1 + 1e-12)


def test_recorded_directions_give_the_attitude():
    """Estimators accept the records of two sensors as measurements of one attitude."""
    sun = FineSunSensor(sun=(0.2, 0.1, 1.0), noise=1e-4, half_angle=1.0).record(T[:50], E[:50], seed=1)
    field = Magnetometer(field=(3e-5, 0.0, 1e-5), noise=3e-9).record(T[:50], E[:50], seed=1)
    for k in range(50):
        pair = (np.array([sun.body[k], field.body[k]]), np.array([sun.inertial[k], field.inertial[k]]))
        fix = wahba(*pair, sigma=(sun.sigma, field.sigma))
        off = to_rotation_vector(attitude_error(E[k], fix.attitude))
        assert off @ np.linalg.solve(fix.covariance, off) < 25.0  # chi-square of three: one in 60,000
