"""The MEKF block in runs: equal to the replay, and used by laws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock
from polhode.controllers.sensing.estimators import MEKF, chi_square_band, farrenkopf
from polhode.controllers.sensing.sensors import FineSunSensor, InertialVector, Magnetometer, RateGyro, StarTracker
from polhode.plant.attitude import attitude_error, from_rotation_vector, quaternion_product, to_rotation_vector
from polhode.plant.errors import InputError

RIGID = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
START = np.array((0.8, 0.0, 0.6, 0.0))
GYRO = RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-5, bias=1e-3)
TRACKER = StarTracker(noise=1e-4, roll_noise=1e-3, delay=0.4, mounting=from_rotation_vector((0.3, 0.2, 0.1)))
SUN = FineSunSensor(sun=InertialVector((0.1, 0.2, 1.0), rate=(0.001, 0, 0)), noise=2e-3, half_angle=1.5, name="sun")
FIELD = Magnetometer(field=InertialVector((3e-5, 0, 1e-5), rate=(0, 0.002, 0)), noise=5e-8)
TOLD = ("bias", "attitude_sigma", "bias_sigma", "estimate_valid", "nis")


class Listener:
    """A block that records its input: rate, attitude and filter outputs."""

    def __init__(self, sample=0.1):
        self.rows: list[Any] = []
        self.block = Block(self, reads=("rate", "attitude", *TOLD), writes="rate", clock=Clock(sample), compiled=False)

    def __call__(self, t, y):
        self.rows.append((t, *y))
        return y[:3]

    def told(self):
        """Return times, attitudes, biases, sigmas (6), valid, nis."""
        rows = np.array(self.rows)
        return rows[:, 0], rows[:, 4:8], rows[:, 8:11], rows[:, 11:17], rows[:, 17], rows[:, 18:]


def quaternion_law(craft, **more):
    return controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1, **more)


def fly(
    sensors, *, craft=RIGID, law=None, gyro=GYRO, believed=1.0, error=0.02, filter=None,  # noqa: A002
    seed=1, run_index=0, **more
):  # fmt: skip
    """Return the run and the recorded signals; sensors are pairs of a sensor and its timing."""
    pairs = [(each, each.block(**timing)) for each, timing in sensors]
    block, listener = gyro.block(sample=0.1), Listener()
    start = quaternion_product(START, from_rotation_vector(error * np.random.default_rng(run_index).normal(size=3)))
    found = (filter or MEKF(gyro.angle_random_walk * believed, gyro.rate_random_walk * believed)).block(
        block, pairs, attitude=start, attitude_sigma=error, bias_sigma=max(gyro.bias, 1e-9)
    )
    law = quaternion_law(craft) if law is None else law
    flown = sim.simulate(
        craft, law, blocks=[block, *(b for _, b in pairs), found, listener.block], seed=seed, run_index=run_index,
        attitude=START,
        **{"duration": 30.0, "output_step": 0.1, **more},
    )  # fmt: skip
    assert flown.status == "completed", flown.reason
    return flown, listener.told(), start


CASES: dict[str, Any] = {
    "at once": [(replace(TRACKER, delay=0.0), {"sample": 0.5})],
    "late": [(TRACKER, {"sample": 0.5, "offset": 0.03})],
    "by whole samples": [(replace(TRACKER, delay=1.0), {"sample": 0.5})],
    "several under way": [(replace(TRACKER, delay=1.27), {"sample": 0.3, "offset": 0.11})],
    "two directions": [(SUN, {"sample": 0.2, "offset": 0.05, "delay": 0.13}), (FIELD, {"sample": 0.1})],
    "all, with gaps": [
        # lost exposures do not split intervals of the gyro, because they have no record
        (replace(TRACKER, outages=[(5.0, 12.0)], loss=0.2, delay=0.43), {"sample": 0.5}),
        (replace(SUN, loss=0.1), {"sample": 0.7, "delay": 0.21}),
        (FIELD, {"sample": 0.1}),
    ],
}


@pytest.mark.parametrize(("case", "error"), [*((case, 0.02) for case in CASES), ("several under way", 1.0)])
def test_mekf_block_in_a_run_equals_replay(case, error):
    sensors = CASES[case]
    at = {name: np.arange(0.0, 20.0 + 1e-9, 0.1) for name in ("gyro",)}
    for each, timing in sensors:
        first, period = timing.get("offset", 0.0), timing["sample"]
        at[each.name] = first + np.arange(int((20.0 - first) / period + 1e-9) + 1) * period
    times = np.unique(np.round(np.concatenate(list(at.values())), 9))
    run, (t, attitude, bias, sigma, _, nis), start = fly(
        sensors, error=error, duration=20.0, output_step=None, output_times=times
    )
    rows = {name: np.searchsorted(run.t, each - 1e-6) for name, each in at.items()}
    e = run.values("attitude")
    gyro = GYRO.record(at["gyro"], e[rows["gyro"]], seed=1)
    records = []
    for each, timing in sensors:
        more = {"delay": timing["delay"]} if "delay" in timing else {}
        records.append(each.record(at[each.name], e[rows[each.name]], seed=1, **more))
    found = MEKF(GYRO.angle_random_walk, GYRO.rate_random_walk).replay(
        gyro.measured, records, attitude=start, attitude_sigma=error, bias_sigma=GYRO.bias
    )
    n = len(t)
    # round-off, and rotations of about 1e-3 rad in 0.1 s by differences of attitudes: 1e-15
    np.testing.assert_allclose(attitude, found.attitude[:n], rtol=0, atol=1e-13)
    np.testing.assert_allclose(bias, found.bias[:n], rtol=0, atol=1e-13)
    np.testing.assert_allclose(sigma[:, :3], found.attitude_sigma[:n], rtol=1e-9)
    np.testing.assert_allclose(sigma[:, 3:], found.bias_sigma[:n], rtol=1e-9)
    for k, (each, _) in enumerate(sensors):
        heard = nis[:, k][np.append(True, np.diff(nis[:, k]) != 0.0)]
        told = found.innovations[each.name]
        told = told[np.isfinite(told)]
        heard = heard[heard != 0.0]
        np.testing.assert_allclose(heard, told[: len(heard)], rtol=1e-6)
        assert len(told) - len(heard) in (0, 1)


def test_mekf_block_is_equal_compiled_and_in_python():
    runs = [fly(CASES["all, with gaps"], duration=5.0, compiled=compiled) for compiled in (True, False)]
    np.testing.assert_allclose(runs[0][0].states, runs[1][0].states, rtol=0, atol=1e-13)


def test_mekf_block_in_closed_loop_reaches_farrenkopf_steady_state():
    """By its covariance to 1 %, and by its errors within the confidence of the sample; the law holds an attitude."""
    gyro = RateGyro(angle_random_walk=3e-5, rate_random_walk=1e-5)
    tracker = StarTracker(noise=1e-4, roll_noise=1e-4)
    run, (t, attitude, _, sigma, _, _), _ = fly(
        [(tracker, {"sample": 0.5})], gyro=gyro, error=1e-4, duration=600.0, output_step=0.1
    )
    closed = farrenkopf(angle_noise=1e-4, gyro_noise=3e-5, gyro_walk=1e-5, sample=0.5)
    after = np.abs(t / 0.5 - np.round(t / 0.5)) < 1e-6
    late = t > 100.0
    assert sigma[after & late, :3].mean() == pytest.approx(closed.angle_after, rel=0.01)
    assert sigma[after & late, 3:].mean() == pytest.approx(closed.bias_after, rel=0.01)
    between = np.abs((t - 0.4) / 0.5 - np.round((t - 0.4) / 0.5)) < 1e-6  # the last output of an interval
    assert sigma[between & late, :3].mean() == pytest.approx(closed.angle_at(0.4), rel=0.01)
    truth = run.values("attitude")[: len(t)]
    error = to_rotation_vector(attitude_error(truth, attitude))[after & late]
    # errors are correlated over about 7 s: about 200 independent values, a standard deviation has an error of 5 %
    assert error.std() == pytest.approx(closed.angle_after, rel=0.2)


def crafts():
    body = plant.RigidBody((3.0, 2.0, 1.5), mass=100.0)
    wheels = plant.wheel_array(np.eye(3), inertia=0.01, torque_limit=0.5)
    modes = plant.FlexibleModes(
        frequencies=[2.0, 5.0], damping_ratios=[0.01, 0.01], rotation=[(0.3, 0), (0, 0.3), (0, 0)]
    )
    return {
        "rigid": plant.Spacecraft(body),
        "wheels": plant.Spacecraft(body, elements=wheels, torques=plant.TorqueBasis("body", internal=True)),
        "flexible": plant.Spacecraft(body, elements=(modes,)),
    }


@pytest.mark.parametrize("kind", ["rigid", "wheels", "flexible"])
@pytest.mark.parametrize("design", ["quaternion", "lqr"])
def test_laws_run_on_gyro_star_tracker_and_mekf(kind, design):
    craft = crafts()[kind]
    if design == "quaternion":
        law = quaternion_law(craft)
    else:
        law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=100.0, sample=0.1)
    run, (t, attitude, bias, sigma, valid, _), _ = fly(CASES["late"], craft=craft, law=law, duration=60.0)
    truth = run.values("attitude")[: len(t)]
    error = to_rotation_vector(attitude_error(truth, attitude))
    assert (np.abs(error[-1]) < 4.5 * sigma[-1, :3]).all()
    record = GYRO.record(run.t, run.values("attitude"), seed=1)
    missed = record.bias[: len(t)] - bias
    assert (np.abs(missed[-1]) < 4.5 * sigma[-1, 3:]).all()  # 1e-3 rad/s at the start, 4e-5 at the end
    assert sigma[-1, 3:].max() < 0.05 * GYRO.bias
    assert run.values("attitude_error")[-50:].max() < 3e-3  # 2e-2 of knowledge at the start, 3e-4 at the end
    assert valid[0] == 0.0
    assert valid[-1] == 1.0


def test_mekf_block_recovers_large_initial_error_in_closed_loop():
    run, (t, attitude, _, sigma, _, _), start = fly(CASES["late"], error=0.8, duration=60.0, run_index=4)
    assert np.linalg.norm(to_rotation_vector(attitude_error(START, start))) > 0.6
    truth = run.values("attitude")[: len(t)]
    assert (np.abs(to_rotation_vector(attitude_error(truth, attitude))[-1]) < 4.5 * sigma[-1, :3]).all()
    assert run.values("attitude_error")[-1] < 3e-3


def test_mekf_block_gate_rejects_and_reports():
    gate = MEKF(GYRO.angle_random_walk, GYRO.rate_random_walk, gate=0.9)
    _, (_, _, _, _, _, nis), _ = fly(CASES["late"], filter=gate, error=1e-3, duration=60.0)
    assert (nis < 0.0).any()  # one in ten of 119 messages
    assert (nis > 0.0).mean() > 0.8


def idle(t, y, r, q, z, u):
    u[0], u[1], u[2] = 0.0, 0.0, 0.0


def test_mekf_block_propagates_over_gyro_delay():
    """With a gyro delay of 0.1 s the output is the present attitude, not that of the reading."""
    craft = plant.Spacecraft(plant.RigidBody((3e9, 3e9, 3e9)))
    gyro = RateGyro(angle_random_walk=1e-9, rate_random_walk=1e-12)
    block = gyro.block(sample=0.1, delay=0.1)
    tracker = replace(TRACKER, noise=1e-8, roll_noise=1e-8)
    pair = tracker.block(sample=0.5)
    listener = Listener()
    found = MEKF(1e-9, 1e-12).block(block, [(tracker, pair)], attitude=START, attitude_sigma=1e-6, bias_sigma=1e-9)
    run = sim.simulate(
        craft, controllers.CustomLaw(idle, sample=0.1), duration=10.0, output_step=0.1, attitude=START,
        rate=(0.02, 0.05, -0.03), seed=1, blocks=[block, pair, found, listener.block],
    )  # fmt: skip
    t, attitude, *_ = listener.told()
    off = to_rotation_vector(attitude_error(run.values("attitude")[: len(t)], attitude))
    assert np.abs(off[2:]).max() < 1e-6  # 6e-3 without the correction


@pytest.mark.slow
def test_mekf_block_is_consistent_over_200_closed_loop_runs():
    """NEES from the replay, which equals the run to round-off; NIS from the run."""
    squares, nis = [], []
    for run in range(200):
        flown, (_, _, _, _, _, heard), start = fly(
            CASES["late"], duration=20.0, run_index=run, seed=77, output_step=None,
            output_times=np.unique(np.round(np.concatenate((np.arange(201) * 0.1, 0.03 + np.arange(40) * 0.5)), 9)),
        )  # fmt: skip
        on = np.abs(flown.t / 0.1 - np.round(flown.t / 0.1)) < 1e-6
        e = flown.values("attitude")
        gyro = GYRO.record(flown.t[on], e[on], seed=77, run_index=run)
        seen = TRACKER.record(0.03 + np.arange(40) * 0.5, e[~on], seed=77, run_index=run)
        found = MEKF(GYRO.angle_random_walk, GYRO.rate_random_walk).replay(
            gyro.measured, [seen], attitude=start, attitude_sigma=0.02, bias_sigma=GYRO.bias
        )
        squares.append(found.nees(e[on], gyro.bias))
        nis.append(heard[5::5, 0])
    low, high = chi_square_band(6, runs=200, probability=0.99998)  # 200 correlated rows
    mean = np.mean(squares, axis=0)
    assert low < mean.min()
    assert mean.max() < high
    inside = chi_square_band(6, runs=200)
    assert ((inside[0] < mean) & (mean < inside[1])).mean() > 0.8  # of 95 % bands
    told = np.array(nis)
    low, high = chi_square_band(3, runs=told.size, probability=0.9999)
    assert low < told.mean() < high


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda f, g, p: f(g.block(sample=0.1, shadows=True), [p]), "without shadows=True"),
        (lambda f, g, p: f(g.block(sample=0.1), [p, p]), "two sensors are called 'star_tracker'"),
        (lambda f, g, p: f(g.block(sample=1.0), [p]), r"star_tracker samples every 0\.5 s, more often than the gyro"),
        (lambda f, g, p: f(g.block(sample=0.1), []), "no sensor of attitudes or directions"),
        (
            lambda f, g, p: f(g.block(sample=0.1), [pair(replace(SUN, sun=InertialVector((0, 0, 2))))]),
            r"measures only one direction, inertial \(0\.000, 0\.000, 1\.000\)",
        ),
        (lambda f, g, p: f(g.block(sample=0.1), [(TRACKER, p[1]), (SUN, p[1])]), "two sensors are called"),
        (lambda f, g, p: f(g.block(sample=0.1), [(SUN, p[1])]), "does not write the signal of the sensor 'sun'"),
        (lambda f, g, p: f(g.block(sample=0.1), [(g, g.block(sample=0.1))]), "two sensors are called 'gyro'"),
        (
            lambda f, g, p: f(g.block(sample=0.1), [pair(replace(FIELD, field="field"))]),
            "is unknown before the run",
        ),
    ],
)
def test_mekf_block_rejects_bad_input(make, words):
    def block(gyro, sensors):
        return MEKF(1e-4, 1e-5).block(gyro, sensors, attitude=START, attitude_sigma=0.1, bias_sigma=1e-3)

    with pytest.raises(InputError, match=words):
        make(block, GYRO, pair(TRACKER))


def pair(sensor):
    return sensor, sensor.block(sample=0.5)
