"""Sensors and filters in the linear loop: their forms match their kernels, and margins include them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.sensing.estimators import MEKF, USQUE, ComplementaryFilter, farrenkopf
from polhode.controllers.sensing.sensors import (
    CoarseSunSensor,
    ExclusionZone,
    FineSunSensor,
    HorizonSensor,
    InertialVector,
    Magnetometer,
    RateGyro,
    StarTracker,
)
from polhode.plant.attitude import from_rotation_vector, quaternion_product
from polhode.plant.errors import DesignError

E0 = from_rotation_vector((0.3, -0.2, 0.1))
MOUNTED = from_rotation_vector((0.4, -0.2, 0.3))
PYRAMID = [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]
QUIET: list[Any] = [
    RateGyro(angle_random_walk=1e-14, errors=1e-2 * np.arange(9.0).reshape(3, 3), mounting=MOUNTED),
    StarTracker(noise=1e-14, roll_noise=1e-14, mounting=MOUNTED),
    FineSunSensor(sun=(0.2, 0.1, 1.0), noise=1e-14, half_angle=1.4, mounting=MOUNTED),
    HorizonSensor(nadir=(0.2, 0.1, 1.0), noise=1e-14, half_angle=1.4, mounting=MOUNTED),
    CoarseSunSensor(sun=(0.2, 0.1, 1.0), normals=PYRAMID, noise=1e-14, half_angle=1.5),
    Magnetometer(field=(2e-5, 1e-5, -3e-5), noise=0.0, errors=1e-2 * np.eye(3), mounting=MOUNTED),
]


def played(form, y, rest):
    """Return the output of a form for inputs y (m, n) about the rest y0."""
    z, found = np.zeros(form.order), []
    for k, row in enumerate(y - rest):
        A, B, C, D = (np.asarray(getattr(form.turn(k), name)) for name in "ABCD")
        found.append(np.asarray(form.rests) + C @ z + D @ row)
        z = A @ z + B @ row
    return np.array(found)


@pytest.mark.parametrize(
    ("sensor", "shadows"), [*((each, False) for each in QUIET), (QUIET[0], True), (QUIET[1], True)]
)
def test_sensor_form_equals_kernel_without_noise(sensor, shadows):
    block = sensor.block(sample=0.1, **({"shadows": True} if shadows else {}))
    t = np.arange(30) * 0.1
    turns = 1e-6 * np.column_stack((np.sin(t), np.cos(2 * t) - 1.0, t))
    rates = 1e-6 * np.column_stack((np.cos(t), -2 * np.sin(2 * t), np.ones(30)))
    y = np.hstack([quaternion_product(E0, from_rotation_vector(turns)), rates])
    y0 = np.concatenate((E0, np.zeros(3)))
    width = sum(block.widths.values()) or {"rate": 3, "attitude": 4}[next(iter(block.writes))]
    form = block.small_signal(y0, width=width)
    told = block.replay(t, y, seed=1) if not shadows else replace(sensor).block(sample=0.1).replay(t, y, seed=1)
    measured = width if shadows else width - 2
    skip = 1 if isinstance(sensor, RateGyro) else 0  # its first reading has no earlier attitude
    size = np.abs(told[:, :measured]).max()
    off = (played(form, y, y0) - told[:, :width])[skip:, :measured]
    assert np.abs(off).max() < 3e-11 * max(size, 1e-5) / 1e-5 * (1.0 if isinstance(sensor, RateGyro) else 1e-5)


@pytest.mark.parametrize("delay", [0.0, 0.3])
@pytest.mark.parametrize("kind", ["extended", "unscented", "complementary"])
def test_filter_form_equals_kernel_in_steady_state(delay, kind):
    """Small inconsistent messages, after the covariance has converged."""
    gyro, tracker = (
        RateGyro(angle_random_walk=1e-3, rate_random_walk=1e-3),
        StarTracker(noise=1e-3, roll_noise=2e-3, delay=delay),
    )
    first, other = gyro.block(sample=0.1), tracker.block(sample=0.1)
    if kind == "complementary":
        block = ComplementaryFilter(attitude_gain=0.2, bias_gain=0.1).block(first, [(tracker, other)], attitude=E0)
    else:
        filter = (MEKF if kind == "extended" else USQUE)(1e-3, 1e-3)  # noqa: A001
        block = filter.block(first, [(tracker, other)], attitude=E0, attitude_sigma=1e-3, bias_sigma=1e-3)
    m, calm = 400, 300
    t = np.arange(m) * 0.1
    rng = np.random.default_rng(0)
    small = 1e-7 * rng.normal(size=(2, m, 3)) * (np.arange(m) >= calm)[:, None]
    y = np.zeros((m, 11))
    y[:, :3], y[:, 3], y[:, 4] = small[0], 1.0, t
    y[:, 5:9] = quaternion_product(E0, from_rotation_vector(small[1]))
    y[:, 9], y[:, 10] = (t >= delay - 1e-9), t - delay
    y0 = np.concatenate(((0, 0, 0, 1, 0), E0, (1, 0)))
    form = block.small_signal(y0, width=sum(block.widths.values()))
    rows = y.copy()
    rows[:, [3, 9]] = 1.0
    rows[:, [4, 10]] = 0.0
    told = block.replay(t, y)[calm:, :10]
    assert np.abs(np.linalg.eigvals(np.asarray(form.A))).max() < 1.0
    off = played(form, rows, y0)[calm:, :10] - told
    moved = np.abs(told - np.concatenate((E0, np.zeros(6)))).max(axis=0)
    assert (np.abs(off).max(axis=0) < 2e-5 * moved).all()


@pytest.mark.parametrize("spin", [0.0, 0.7])
@pytest.mark.parametrize("kind", ["extended", "unscented", "complementary"])
def test_filter_form_with_rare_late_messages_and_about_a_spin(kind, spin):
    """Messages every 0.5 s, 0.73 s late, and every 0.3 s, of small inconsistent rotations."""
    gyro = RateGyro(angle_random_walk=1e-3, rate_random_walk=1e-3)
    sensors = [
        StarTracker(noise=1e-3, roll_noise=2e-3, delay=0.73, name="one"),
        StarTracker(noise=2e-3, roll_noise=1e-3, mounting=MOUNTED, name="two"),
    ]
    every = (0.5, 0.3)
    first = gyro.block(sample=0.1)
    inputs = [(each, each.block(sample=T)) for each, T in zip(sensors, every, strict=True)]
    if kind == "complementary":
        block = ComplementaryFilter(attitude_gain=0.2, bias_gain=0.1).block(first, inputs, attitude=E0)
    else:
        filter = (MEKF if kind == "extended" else USQUE)(1e-3, 1e-3)  # noqa: A001
        block = filter.block(first, inputs, attitude=E0, attitude_sigma=1e-3, bias_sigma=1e-3)
    m, calm = 750, 600  # the common period is 1.5 s
    t = np.arange(m) * 0.1
    rate = spin * np.array([0.36, -0.48, 0.8])

    def reference(at):
        return quaternion_product(E0, from_rotation_vector(np.outer(at, rate)))

    rng = np.random.default_rng(0)
    small = 1e-7 * rng.normal(size=(3, m, 3)) * (np.arange(m) >= calm)[:, None]
    y0 = np.concatenate((rate, (1, 0), E0, (1, 0), E0, (1, 0)))
    rows, y = np.tile(y0, (m, 1)), np.zeros((m, y0.size))
    rows[:, :3] = y[:, :3] = rate + small[0]
    y[:, 3], y[:, 4] = 1.0, t
    for n, (sensor, T) in enumerate(zip(sensors, every, strict=True)):
        place = 5 + 6 * n
        newest = np.floor((t - sensor.delay) / T + 1e-9)
        seen = newest * T
        index = np.clip(np.round(seen / 0.1).astype(int), 0, m - 1)
        turns = np.asarray(from_rotation_vector(small[1 + n][index]))
        rows[:, place : place + 4] = quaternion_product(E0, turns)
        y[:, place : place + 4] = quaternion_product(reference(np.maximum(seen, 0.0)), turns)
        y[:, place + 4], y[:, place + 5] = newest >= 0, seen
    form = block.small_signal(y0, width=sum(block.widths.values()))
    assert len(form.after) == 14
    told = block.replay(t, y)[:, :10]
    off_reference = quaternion_product(reference(t) * (1.0, -1.0, -1.0, -1.0), told[:, :4])
    told[:, :4] = quaternion_product(E0, off_reference * np.sign(off_reference[:, :1]))
    off = played(form, rows, y0)[:, :10] - told
    if kind == "unscented":  # its rest differs from the measurement to second order in sigma, equally in each period
        off -= np.tile(off[calm - 15 : calm], (m // 15, 1))
    off = off[calm:]
    moved = np.abs(told[calm:] - np.concatenate((E0, rate, np.zeros(3)))).max(axis=0)
    assert (np.abs(off).max(axis=0) < 1e-4 * moved).all()


def test_filter_form_gains_are_farrenkopf_steady_state():
    gyro, tracker = RateGyro(angle_random_walk=1e-3, rate_random_walk=1e-3), StarTracker(noise=1e-3, roll_noise=1e-3)
    first, other = gyro.block(sample=0.1), tracker.block(sample=0.1)
    block = MEKF(1e-3, 1e-3).block(first, [(tracker, other)], attitude=E0, attitude_sigma=1e-3, bias_sigma=1e-3)
    form = block.small_signal(np.concatenate(((0, 0, 0, 1, 0), E0, (1, 0))), width=sum(block.widths.values()))
    steady = farrenkopf(angle_noise=1e-3, gyro_noise=1e-3, gyro_walk=1e-3, sample=0.1)
    k, g = steady.angle_after**2 / 1e-6, steady.covariance_after / 1e-6
    np.testing.assert_allclose(np.asarray(form.A)[0, [0, 3]], (1 - k, -0.1 * (1 - k)), rtol=1e-9)
    np.testing.assert_allclose(np.asarray(form.A)[3, [0, 3]], (-g, 1 + 0.1 * g), rtol=1e-9)


@pytest.mark.parametrize("delay", [0.0, 0.3])
def test_filter_form_passes_the_attitude_unchanged(delay):
    """Gyro, tracker and filter at one rate: e^ equals e at each sample, the rate is half a sample late."""
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    model = craft.linearize(craft.at_rest())
    law: Any = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    gyro, tracker = (
        RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-4),
        StarTracker(noise=1e-4, roll_noise=1e-3, delay=delay),
    )
    first, other = gyro.block(sample=0.1), tracker.block(sample=0.1)
    mekf = MEKF(1e-4, 1e-4).block(
        first, [(tracker, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-3
    )
    found = law.margins(model, blocks=[first, other, mekf])
    alone = law.margins(model, blocks=[gyro.block(sample=0.1, shadows=True)])
    bare = law.margins(model)
    for axis, other_axis, without in zip(found.axes, alone.axes, bare.axes, strict=True):
        for name in ("gain_up", "phase_deg", "crossover_rad_s", "delay_s"):
            assert getattr(axis, name) == pytest.approx(getattr(other_axis, name), rel=1e-6)
        assert axis.phase_deg < without.phase_deg - 0.5  # half a sample of the rate, 1.3 deg at most
    assert max(abs(each) for each in law.closed_loop_poles(model, blocks=[first, other, mekf])) < 1.0


def test_filter_form_with_slow_tracker_is_stable_and_labelled():
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    model = craft.linearize(craft.at_rest())
    law: Any = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    gyro, tracker = (
        RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-6),
        StarTracker(noise=1e-4, roll_noise=1e-3, delay=0.4),
    )
    first, other = gyro.block(sample=0.1), tracker.block(sample=0.5)
    mekf = MEKF(1e-4, 1e-6).block(
        first, [(tracker, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-3, bias_sigma=1e-3
    )
    words = mekf.small_signal(np.array((0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0.0)), width=sum(mekf.widths.values())).words
    assert words == "gains of its steady state"
    assert max(abs(each) for each in law.closed_loop_poles(model, blocks=[first, other, mekf])) < 1.0


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (
            FineSunSensor(sun=(0, 0, -1), noise=1e-3, half_angle=1.0).block(sample=0.1),
            "sun_sensor has no valid measurement",
        ),
        (
            StarTracker(noise=1e-5, roll_noise=1e-4, exclusions=[ExclusionZone((0, 0, 1), 0.5)]).block(sample=0.1),
            "star_tracker has no valid measurement",
        ),
    ],
)
def test_form_is_rejected_without_valid_measurement_at_rest(block, words):
    with pytest.raises(DesignError, match=words):
        block.small_signal(np.array((1.0, 0, 0, 0, 0, 0, 0)), width=sum(block.widths.values()))


def test_filter_form_is_rejected_without_bias_walk():
    gyro, tracker = RateGyro(angle_random_walk=1e-4), StarTracker(noise=1e-4, roll_noise=1e-3)
    first, other = gyro.block(sample=0.1), tracker.block(sample=0.1)
    block = MEKF(1e-4, 0.0).block(first, [(tracker, other)], attitude=E0, attitude_sigma=1e-3, bias_sigma=1e-3)
    with pytest.raises(DesignError, match=r"no steady state .* rate_random_walk above zero"):
        block.small_signal(np.concatenate(((0, 0, 0, 1, 0), E0, (1, 0))), width=sum(block.widths.values()))


def test_filter_form_from_directions_only():
    gyro = RateGyro(angle_random_walk=1e-4, rate_random_walk=1e-5)
    sun = FineSunSensor(sun=InertialVector((0.2, 0.1, 1.0)), noise=1e-3, half_angle=1.4)
    field = Magnetometer(field=(2e-5, 1e-5, -3e-5), noise=1e-8)
    first, one, other = gyro.block(sample=0.1), sun.block(sample=0.1), field.block(sample=0.1)
    mekf = MEKF(1e-4, 1e-5).block(
        first, [(sun, one), (field, other)], attitude=(1, 0, 0, 0), attitude_sigma=1e-2, bias_sigma=1e-3
    )
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))
    law: Any = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.7, sample=0.1)
    poles = law.closed_loop_poles(craft.linearize(craft.at_rest()), blocks=[first, one, other, mekf])
    assert max(abs(each) for each in poles) < 1.0
