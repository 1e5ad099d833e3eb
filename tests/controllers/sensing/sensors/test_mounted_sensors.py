"""Sensors whose place rotates with vibration modes: measurement, linear loop and run against a model in plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from polhode import controllers, plant, sim
from polhode.controllers.sensing import sensors
from polhode.controllers.sensing.sensors import (
    CoarseSunSensor,
    FineSunSensor,
    HorizonSensor,
    Magnetometer,
    RateGyro,
    StarTracker,
)
from polhode.controllers.sensing.sensors.mounted_sensor import MountedSensor
from polhode.plant.errors import DesignError, InputError

J = np.array([[90.0, 4.0, -2.0], [4.0, 110.0, 3.0], [-2.0, 3.0, 70.0]])
MODES = np.array((3.0, 11.0))
ZETA = np.array((0.004, 0.02))
DELTA = np.array(((4.0, -1.0), (1.5, 3.0), (-2.0, 0.5)))
SLOPES = np.array(((-0.05, 0.12), (0.03, -0.08), (0.02, 0.06)))
T, DELAY = 0.1, 0.03
KP, KD = np.diag((9.0, 7.0, 8.0)), np.diag((40.0, 35.0, 30.0))


def spacecraft(displacements: Any = 0.0, rates: Any = 0.0) -> plant.Spacecraft:
    modes = plant.FlexibleModes(
        frequencies=MODES, damping_ratios=ZETA, rotation=DELTA, displacements=displacements, rates=rates
    )
    return plant.Spacecraft(plant.RigidBody(J), elements=[modes])


def sensor_blocks(slopes: Any = SLOPES, **more: Any) -> list[controllers.Block]:
    gyro = RateGyro(angle_random_walk=0.0, modal_slopes=slopes, **more)
    tracker = StarTracker(noise=1e-15, roll_noise=1e-15, modal_slopes=slopes, **more)
    return [gyro.block(sample=T, shadows=True), tracker.block(sample=T, shadows=True)]


def numpy_loop() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the transition matrix of the sampled loop, and the rows of the measured attitude and of the command.

    States: theta, eta, their rates, command of the last sample, measured attitude at the last sample.
    """
    n = 3 + len(MODES)
    M = np.block([[J, DELTA], [DELTA.T, np.eye(2)]])
    A = np.zeros((2 * n, 2 * n))
    A[:n, n:] = np.eye(n)
    A[n:, :n] = -np.linalg.solve(M, np.diag((0, 0, 0, *MODES**2)))
    A[n:, n:] = -np.linalg.solve(M, np.diag((0, 0, 0, *(2.0 * ZETA * MODES))))
    B = np.zeros((2 * n, 3))
    B[n:] = np.linalg.solve(M, np.eye(n, 3))

    def held(duration: float) -> tuple[np.ndarray, np.ndarray]:
        both = expm(np.block([[A, B], [np.zeros((3, 2 * n + 3))]]) * duration)
        return both[: 2 * n, : 2 * n], both[: 2 * n, 2 * n :]

    (early, old), (late, new) = held(DELAY), held(T - DELAY)
    place = np.hstack((np.eye(3), SLOPES, np.zeros((3, n))))
    whole = np.zeros((2 * n + 6, 2 * n + 6))
    shown = np.hstack((place, np.zeros((3, 6))))
    command = np.hstack((-KP @ place - KD @ place / T, np.zeros((3, 3)), KD / T))
    whole[: 2 * n, : 2 * n], whole[: 2 * n, 2 * n : 2 * n + 3] = late @ early, late @ old
    whole[: 2 * n] += new @ command
    whole[2 * n : 2 * n + 3], whole[2 * n + 3 :] = command, shown
    return whole, shown, command


def feedback(model: plant.LinearModel) -> Any:
    return controllers.state_feedback(model, attitude_gain=KP, rate_gain=KD, sample=T, delay=DELAY)


def test_poles_of_loop_with_modal_slopes_match_numpy():
    craft = spacecraft()
    model = craft.linearize(craft.at_rest())
    law = feedback(model)
    expected = np.sort_complex(np.linalg.eigvals(numpy_loop()[0]))
    found = np.sort_complex(law.closed_loop_poles(model, blocks=sensor_blocks()))
    kept = expected[np.abs(expected) > 1e-6]
    found = found[np.abs(found) > 1e-6]
    assert np.abs(kept - found).max() < 1e-9
    bare = law.closed_loop_poles(model, blocks=sensor_blocks(None))
    assert np.abs(np.abs(bare).max() - np.abs(kept).max()) > 1e-3  # the slopes matter here


def test_run_with_modal_slopes_matches_numpy():
    """Measurements and commands at small amplitude, from a vibrating start: linear to second order in the angles."""
    size = 1e-5
    eta, speed = size * np.array((3.0, -2.0)), size * np.array((1.0, 4.0))
    craft = spacecraft(eta, speed)
    at_rest = spacecraft()
    law = feedback(at_rest.linearize(at_rest.at_rest()))
    theta = size * np.array((1.0, -2.0, 1.5))
    blocks = sensor_blocks()
    run = sim.simulate(
        craft, law, attitude=Rotation.from_rotvec(theta).as_quat(scalar_first=True), rate=(0, 0, 0), blocks=blocks,
        duration=6.0, output_step=T, integrator="dop853", rtol=1e-12, seed=1,
    )  # fmt: skip
    whole, shown, command = numpy_loop()
    s = np.concatenate((theta, eta, np.zeros(3), speed, np.zeros(6)))
    s[-3:] = theta + SLOPES @ eta - T * SLOPES @ speed  # the first reading assumes the present rate for one period
    commands, places = [], []
    for _ in range(60):
        commands.append(command @ s)
        places.append(shown @ s)
        s = whole @ s
    measured = Rotation.from_quat(run.values("attitude_for_law"), scalar_first=True).as_rotvec()[:60]
    assert np.abs(measured - places).max() < 5e-6 * np.abs(places).max()
    in_force = run.values("command")[1:61]  # a command acts from DELAY after its sample
    assert np.abs(in_force - commands).max() < 5e-6 * np.abs(commands).max()
    on_hub = Rotation.from_quat(run.values("attitude"), scalar_first=True).as_rotvec()[:60]
    assert np.abs(on_hub - places).max() > 0.05 * np.abs(places).max()


@pytest.mark.parametrize("gain", [-1.387, 0.155, 0.6])
def test_modal_slope_of_a_printed_gain(gain):
    """u/J (1/s^2 + K/(s^2 + 2 zeta w s + w^2)) for one mode, whose participation is not small: delta^2 = 0.2 J."""
    inertia, w, zeta, share = 80.0, 5.0, 0.02, 0.2
    delta, root = np.sqrt(share * inertia), np.sqrt(1.0 - share)
    slope = (share - gain * (1.0 - share)) / delta
    modes = plant.FlexibleModes(frequencies=[w * root], damping_ratios=[zeta * root], rotation=[[delta], [0.0], [0.0]])
    craft = plant.Spacecraft(plant.RigidBody((inertia, 90.0, 90.0)), elements=[modes])
    model = craft.linearize(craft.at_rest())
    tracker = StarTracker(noise=1e-9, roll_noise=1e-9, modal_slopes=[[slope], [0.0], [0.0]]).block(sample=T)
    D = np.asarray(tracker.small_signal(np.array((1.0, *np.zeros(8))), width=6).D)
    C = np.zeros(len(model.states))
    C[model.states.index("attitude_error_x")] = 1.0
    C[model.states.index("mode_1")] = 2.0 * D[1, 7]  # the Euler parameter e_1 is half the angle
    for s in 1j * np.array((0.5, 3.0, 4.9, 5.0, 5.2, 30.0)):
        found = C @ np.linalg.solve(s * np.eye(len(C)) - model.A, model.B[:, 0])
        expected = (1.0 / s**2 + gain / (s**2 + 2.0 * zeta * w * s + w**2)) / inertia
        assert found == pytest.approx(expected, rel=1e-10)


PYRAMID = [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]
TILTED = Rotation.from_rotvec((0.2, -0.1, 0.3)).as_quat(scalar_first=True)
SENSORS: dict[str, Any] = {
    "gyro": lambda **s: RateGyro(angle_random_walk=0.0, errors=1e-3 * np.ones((3, 3)), mounting=TILTED, **s),
    "star_tracker": lambda **s: StarTracker(noise=1e-15, roll_noise=1e-15, mounting=TILTED, **s),
    "sun_cells": lambda **s: CoarseSunSensor(sun=(0.2, 0.1, 1.0), normals=PYRAMID, noise=1e-15, half_angle=1.5, **s),
    "sun_sensor": lambda **s: FineSunSensor(sun=(0.2, 0.5, 1.0), noise=1e-15, half_angle=1.4, mounting=TILTED, **s),
    "magnetometer": lambda **s: Magnetometer(field=(2e-5, 1e-5, -3e-5), noise=0.0, mounting=TILTED, **s),
    "horizon_sensor": lambda **s: HorizonSensor(nadir=(0.2, 0.1, 1.0), noise=1e-15, half_angle=1.4, **s),
}


@pytest.mark.parametrize(("name", "rate"), [*((name, (0.0, 0.0, 0.0)) for name in SENSORS), ("gyro", (0.3, -0.2, 0.4))])
def test_linear_form_of_modal_columns_matches_kernel(name, rate):
    """Finite differences of the kernel over three samples, at rest and, for the gyro, about a spin."""
    rate = np.array(rate)
    sensor = SENSORS[name](modal_slopes=SLOPES)
    block = sensor.block(sample=T)
    start = Rotation.from_rotvec((0.3, -0.2, 0.1))
    t = T * np.arange(3)
    attitudes = [(start * Rotation.from_rotvec(rate * each)).as_quat(scalar_first=True) for each in t]
    base = np.hstack((attitudes, np.tile(rate, (3, 1)), np.zeros((3, 4))))
    assert block.reads[2:] == ("mode_1", "mode_2", "mode_1_rate", "mode_2_rate")
    plain = block.replay(t, base, seed=1)
    width = plain.shape[1]
    form = block.small_signal(base[0], width=width)
    B, C, D = (np.asarray(each) for each in (form.B, form.C, form.D))
    h = 1e-6
    for k in range(2):
        differences = []
        for side in (h, -h):
            bent = base.copy()
            bent[1, 7 + k] += side
            differences.append(block.replay(t, bent, seed=1) / (2.0 * side))
        moved = differences[0] + differences[1]
        allowed = 1e-6 * np.abs(moved).max()
        assert np.abs(moved[1] - D[:, 7 + k]).max() < allowed
        after = C @ B[:, 7 + k] if form.order else np.zeros(width)
        assert np.abs(moved[2] - after).max() < allowed
        assert np.abs(moved[1]).max() > 0.0
    assert not D[:, 9:].any()  # a rate of the modes acts on the first reading of a gyro only


@pytest.mark.parametrize("name", SENSORS)
def test_measurement_is_that_of_a_hub_in_the_attitude_of_the_place(name):
    """Large angles: the sensor with slopes measures what one on a hub with the attitude of its place measures."""
    rng = np.random.default_rng(2)
    t = T * np.arange(6)
    hub = Rotation.from_rotvec(np.outer(t, (0.3, -0.2, 0.1)))
    eta, speed = 0.5 * rng.normal(size=(6, 2)), rng.normal(size=(6, 2))
    place = hub * Rotation.from_rotvec(eta @ SLOPES.T)
    rate = np.zeros((6, 3))
    rows = np.hstack((hub.as_quat(scalar_first=True), rate, eta, speed))
    found = SENSORS[name](modal_slopes=SLOPES).block(sample=T).replay(t, rows, seed=1)
    # the first reading of a gyro uses the rate: omega = 0 leaves the rate of the modes
    rate[0] = SLOPES @ speed[0]
    expected = SENSORS[name]().block(sample=T).replay(t, np.hstack((place.as_quat(scalar_first=True), rate)), seed=1)
    assert np.abs(found - expected).max() < 1e-13 * max(1.0, np.abs(expected).max())
    assert np.abs(found[0] - found[1]).max() > 0.0


def test_every_mounted_sensor_is_tested():
    """A new kind whose kernel ignored the slopes would measure the hub without notice."""
    classes = [getattr(sensors, name) for name in sensors.__all__]
    mounted = {each for each in classes if isinstance(each, type) and issubclass(each, MountedSensor)}
    assert {type(make()) for make in SENSORS.values()} == mounted


def test_rate_limit_of_star_tracker_applies_to_the_rate_of_its_place():
    tracker = StarTracker(noise=1e-9, roll_noise=1e-9, rate_limit=0.1, modal_slopes=SLOPES)
    block = tracker.block(sample=T)
    slow, fast = np.zeros(11), np.zeros(11)
    slow[0] = fast[0] = 1.0
    slow[10], fast[10] = 0.6, 0.7  # modal rate of mode 2, of which 0.15 rad/s per unit reach the place
    assert np.linalg.norm(SLOPES[:, 1]) == pytest.approx(0.1562, abs=1e-4)
    assert block.replay([0.0], [slow], seed=1)[0, 4] == 1.0
    assert block.replay([0.0], [fast], seed=1)[0, 4] == 0.0


def test_batch_and_jitter_use_modal_slopes():
    """The vectorised batch equals single runs, and jitter of the sampling instant interpolates the vibration."""
    eta = (2e-3, -1e-3)
    craft, at_rest = spacecraft(eta), spacecraft()
    law = feedback(at_rest.linearize(at_rest.at_rest()))
    blocks = sensor_blocks()
    options: dict[str, Any] = {"blocks": blocks, "duration": 2.0, "output_step": T, "integrator": "rk4", "step": 0.01}
    attitudes = Rotation.from_rotvec(np.outer(np.arange(9), (1e-3, 2e-3, -1e-3))).as_quat(scalar_first=True)
    runs = sim.simulate_batch(craft, law, attitude=attitudes, rate=(0, 0, 0), seed=1, **options)
    for n in (0, 8):
        alone = sim.simulate(craft, law, attitude=attitudes[n], rate=(0, 0, 0), seed=1, run_index=n, **options)
        assert np.abs(runs.values("attitude")[n] - alone.values("attitude")).max() < 1e-12

    gyro = RateGyro(angle_random_walk=0.0, modal_slopes=SLOPES, name="jittered").block(sample=T)
    widths = dict.fromkeys(("mode_1", "mode_2", "mode_1_rate", "mode_2_rate"), 1)
    found = []
    for width in (1e-9, 0.5 * T):
        taking, reading = controllers.blocks.jitter(gyro, width, widths=widths)
        run = sim.simulate(
            craft, law, attitude=attitudes[0], rate=(0, 0, 0), seed=1,
            **{**options, "blocks": [taking, reading.as_monitor(), *blocks]},
        )  # fmt: skip
        found.append(np.abs(run.values("jittered")[:, :3] - run.values("rate_for_law")).max())
    assert found[0] < 1e-7
    assert found[1] > 1e-4


def test_gyro_record_with_modal_slopes_equals_block():
    gyro = RateGyro(angle_random_walk=1e-4, modal_slopes=SLOPES)
    t = T * np.arange(8)
    eta = np.column_stack((np.sin(3.0 * t), np.cos(11.0 * t)))
    attitude = np.tile((1.0, 0.0, 0.0, 0.0), (8, 1))
    signals = {"mode_1": eta[:, 0], "mode_2": eta[:, 1], "mode_1_rate": 0.0 * t, "mode_2_rate": 0.0 * t}
    record = gyro.record(t, attitude, seed=1, signals=signals)
    block = gyro.block(sample=T).replay(t, np.hstack((attitude, np.zeros((8, 3)), eta, np.zeros((8, 2)))), seed=1)
    assert np.array_equal(record.measured.rate, block[1:, :3])
    with pytest.raises(InputError, match="reads the signal 'mode_1'; give record"):
        gyro.record(t, attitude, seed=1)


def test_operating_point_with_deflected_modes_is_refused():
    block = StarTracker(noise=1e-9, roll_noise=1e-9, modal_slopes=SLOPES).block(sample=T)
    bent = np.array((1.0, 0, 0, 0, 0, 0, 0, 0.1, 0, 0, 0))
    with pytest.raises(DesignError, match=r"rotate the place of star_tracker by 0\.00616 rad"):
        block.small_signal(bent, width=6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"modal_slopes": np.ones((2, 3))}, "modal slopes of gyro must be 3 rows, one column per entry; got shape"),
        (
            {"modal_slopes": SLOPES, "modal_coordinates": ("mode_1",)},
            r"one vector for each of its 1 modal coordinates \(mode_1\); got 2",
        ),
        ({"modal_coordinates": ("mode_1",)}, "modal coordinates of gyro are given without modal slopes"),
        ({"modal_slopes": SLOPES, "modal_coordinates": ("mode_1", "mode_1")}, "must be different"),
    ],
)
def test_invalid_modal_slopes_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        RateGyro(angle_random_walk=0.0, **arguments)


def test_modes_of_another_spacecraft_are_refused():
    craft = plant.Spacecraft(plant.RigidBody(J))
    model = craft.linearize(craft.at_rest())
    law = feedback(model)
    with pytest.raises(InputError, match="'mode_1' is unknown"):
        sim.simulate(craft, law, blocks=sensor_blocks(), duration=1.0, seed=1)
    with pytest.raises(InputError, match="'mode_1' is unknown"):
        law.closed_loop_poles(model, blocks=sensor_blocks())
