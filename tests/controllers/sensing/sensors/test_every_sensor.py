"""Checks of every sensor: block equals record, compiled equals Python, and lost samples are flagged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.sensing.sensors import (
    CoarseSunSensor,
    ExclusionZone,
    FineSunSensor,
    HorizonSensor,
    InertialVector,
    Magnetometer,
    PositionSource,
    RateGyro,
    StarTracker,
    Tachometer,
)
from polhode.plant.attitude import from_rotation_vector
from polhode.plant.errors import InputError

PYRAMID = [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1), (0, 0, -1)]
MOUNTED = from_rotation_vector((0.4, -0.2, 0.3))
SUN = InertialVector((0.2, -0.1, 1.0), rate=(0.01, 0.0, 0.02))
SENSORS: list[Any] = [
    RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-5, bias=1e-3, bias_instability=1e-4, correlation_time=3.0,
    errors=1e-3 * np.eye(3),
             mounting=MOUNTED, step=1e-5, rate_step=1e-6, limit=0.2),
    StarTracker(noise=1e-4, roll_noise=1e-3, mounting=MOUNTED, field_noise=1e-4, field_roll_noise=5e-4, field_time=2.0,
                rate_limit=0.2, exclusions=[ExclusionZone((1, 0, 0), 0.3), ExclusionZone("moon", 0.2)]),
    CoarseSunSensor(sun=SUN, normals=PYRAMID, noise=0.01, half_angle=1.2),
    FineSunSensor(sun="moon", noise=1e-3, bias=1e-3, step=1e-4, half_angle=1.0, mounting=MOUNTED),
    Magnetometer(field=(2e-5, 1e-5, -3e-5), noise=2e-8, bias=1e-7, step=1e-9, limit=1e-4, mounting=MOUNTED,
                 errors=1e-3 * np.eye(3)),
    HorizonSensor(nadir=SUN, noise=1e-3, radiance=1e-3, radiance_time=30.0, half_angle=1.0, mounting=MOUNTED),
    Tachometer(wheels=("wheel_angle", "second_angle"), counts_per_revolution=6),
    PositionSource(noise=10.0, clock=1e-6),
]  # fmt: skip
IDS = [type(each).__name__ for each in SENSORS]
T = np.arange(120) * 0.1
RNG = np.random.default_rng(1)
ROWS = {
    "attitude": from_rotation_vector(np.outer(T, (0.02, -0.05, 0.03))),
    "rate": np.tile((0.02, -0.05, 0.03), (120, 1)),
    "moon": np.tile((0.1, 0.3, 1.0), (120, 1)),
    "wheel_angle": 40.0 * T[:, None],
    "second_angle": -0.3 * T[:, None],
    **{f"position_{x}": 7e6 * RNG.normal(size=(120, 1)) for x in "xyz"},
}


def told(sensor, **more):
    block = sensor.block(sample=0.1)
    return block.replay(T, np.hstack([ROWS[name] for name in block.reads]), **{"seed": 3, **more})


@pytest.mark.parametrize("sensor", SENSORS, ids=IDS)
def test_every_sensor_is_equal_compiled_and_varies_with_run(sensor):
    fast = told(sensor)
    slow = told(sensor, compiled=False)
    assert np.abs(fast - slow).max() <= 1e-13 * np.abs(fast).max()  # sines of another library differ in the last place
    if not isinstance(sensor, Tachometer):  # it draws numbers for lost samples only
        assert np.abs(told(sensor, run_index=1) - fast)[:, :3].max() > 0.0
    assert (fast[:, -1] == T).all()
    assert set(fast[:, -2]) <= {0.0, 1.0}


@pytest.mark.parametrize("sensor", SENSORS, ids=IDS)
def test_every_sensor_flags_and_holds_lost_samples(sensor):
    whole = told(sensor)
    gappy = told(replace(sensor, loss=0.3, outages=[(2.0, 4.0), (9.95, 10.05)]))
    out = ((T >= 2.0) & (T < 4.0)) | ((T >= 9.95) & (T < 10.05))
    assert not gappy[out, -2].any()
    was = whole[:, -2] > 0.0
    # 97 samples outside, three in ten lost: four sigma
    assert abs(1.0 - gappy[~out & was, -2].mean() - 0.3) < 4.0 * np.sqrt(0.21 / (~out & was).sum())
    last = gappy[0, :-2]
    for k in range(1, len(T)):
        if gappy[k, -2] or (was[k] != whole[k, -2]):
            # lost samples change no other number; normals are scaled to length one a second time
            np.testing.assert_allclose(gappy[k, :-2], whole[k, :-2], rtol=1e-14)
            last = whole[k, :-2]
        elif not isinstance(sensor, RateGyro):  # a gyro beyond its range returns its limit
            np.testing.assert_allclose(gappy[k, :-2], last, rtol=1e-14)


@pytest.mark.parametrize("compiled", [True, False])
def test_every_sensor_block_equals_its_record(compiled):
    """Gyro and star tracker as raw measurements: the law's input, written as its command, equals the record."""
    craft = plant.Spacecraft(plant.RigidBody((3e9, 3e9, 3e9)))
    gyro = RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-5, bias=1e-3, mounting=MOUNTED)
    tracker = StarTracker(noise=1e-4, roll_noise=1e-3, delay=0.2)
    law = controllers.CustomLaw(show_rate, sample=0.1)
    run = sim.simulate(
        craft, law, duration=5.0, output_times=T[:51], rate=(0.02, -0.05, 0.03), seed=11, run_index=2,
        compiled=compiled,
        blocks=[gyro.block(sample=0.1, shadows=True), tracker.block(sample=0.1, shadows=True)],
    )  # fmt: skip
    seen = run.values("command")[1:-1]
    record = gyro.record(T[:51], run.values("attitude"), seed=11, run_index=2).measured
    np.testing.assert_allclose(
        seen, record.rate[:-1], rtol=0, atol=1e-12
    )  # rotations of 5e-3 rad by differences over 0.1 s
    run = sim.simulate(
        craft, replace(law, function=show_attitude), duration=5.0, output_times=T[:51], rate=(0.02, -0.05, 0.03),
        seed=11, run_index=2,
        blocks=[tracker.block(sample=0.1, shadows=True)], compiled=compiled,
    )  # fmt: skip
    record = tracker.record(T[:51], run.values("attitude"), seed=11, run_index=2)
    np.testing.assert_allclose(run.values("command")[2:-1], record.attitude[:-3, 1:], rtol=0, atol=1e-13)
    np.testing.assert_array_equal(run.values("command")[:2], 0.0)  # initial values, until the first output


def show_rate(t, y, r, q, z, u):
    u[0], u[1], u[2] = y[7], y[8], y[9]


def show_attitude(t, y, r, q, z, u):
    u[0], u[1], u[2] = y[4], y[5], y[6]


def test_law_runs_on_raw_measurements():
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    gyro = RateGyro(angle_random_walk=1e-4, bias=1e-3).block(sample=0.1, shadows=True)
    tracker = StarTracker(noise=1e-4, roll_noise=1e-4, delay=0.1).block(sample=0.2, shadows=True)
    run = sim.simulate(craft, law, duration=60.0, attitude=(0.8, 0.0, 0.6, 0.0), blocks=[gyro, tracker], seed=1)
    error = run.values("attitude_error")[-100:]
    assert error.max() > 1e-5
    assert error.max() < 2e-2  # its bias of about 1e-3 rad/s acts over 2 zeta/wn = 4.7 s
    truth = sim.simulate(craft, law, duration=60.0, attitude=(0.8, 0.0, 0.6, 0.0))
    assert truth.values("attitude_error")[-1] < 5e-6


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RateGyro(angle_random_walk=1e-4, loss=30.0), "loss of gyro must be a probability.*per cent"),
        (lambda: RateGyro(angle_random_walk=1e-4, outages=[(4.0, 2.0)]), "outages of gyro must be intervals"),
        (
            lambda: RateGyro(angle_random_walk=1e-4, bias_instability=1e-5),
            "bias_instability and correlation_time of gyro belong together",
        ),
        (
            lambda: StarTracker(noise=5.0, roll_noise=5.0),
            "noise of star_tracker must be below 0.1 rad; got 5 rad .degrees or arcsec",
        ),
        (lambda: StarTracker(noise=1e-5, roll_noise=1e-4, field_noise=1e-5), "belong together"),
        (lambda: StarTracker(noise=1e-5, roll_noise=1e-4, exclusions=[(1, 0, 0)]), "must be ExclusionZone"),
        (lambda: ExclusionZone((1, 0, 0), 30.0), "below pi rad; got 30 .degrees"),
        (lambda: Magnetometer(field=(1, 0, 0), noise=20.0), "must be below 0.001 T; got 20 T .nT"),
        (lambda: FineSunSensor(sun=(0, 0, 0), noise=1e-3, half_angle=1.0), "must not be"),
        (lambda: FineSunSensor(sun=(0, 0, 1), noise=1e-3, half_angle=60.0), "below 1.571 rad; got 60 rad .degrees"),
        (lambda: CoarseSunSensor(sun=(0, 0, 1), normals=[(1, 0, 0)], noise=0.01, half_angle=1.0), "three or more"),
        (
            lambda: Tachometer(wheels="wheel_angle", counts_per_revolution=0),
            "counts per revolution of tachometer must be a whole number",
        ),
        (lambda: PositionSource(noise=1.0, position=("x", "y")), "one signal of width 3, or three scalars"),
        (
            lambda: RateGyro(angle_random_walk=1e-4, name="rate").block(sample=0.1),
            "has the name of a signal that it reads",
        ),
        (lambda: SENSORS[1].record(T, ROWS["attitude"], seed=1), "the sensor reads the signal 'moon'; give record"),
    ],
)
def test_every_sensor_rejects_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_two_sensors_of_the_same_name_are_rejected():
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    gyros = [RateGyro(angle_random_walk=1e-4).block(sample=0.1, shadows=True)] * 2
    with pytest.raises(InputError, match="two blocks that draw random numbers are called 'gyro'"):
        sim.simulate(craft, law, duration=1.0, blocks=gyros, seed=1)
