"""Faults of signals: what each kind passes on, the loop with a frozen gyro, and health signals."""

import numpy as np
import pytest

from polhode import controllers, sim
from polhode.controllers import Block, Clock, Signal, blocks
from polhode.plant import InputError, RigidBody, Spacecraft
from polhode.plant.attitude import rotation_matrix

T = 0.1 * np.arange(20)
ROWS = np.random.default_rng(2).normal(size=(20, 3))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("kind", "value", "faulty"),
    [
        ("biased", (0.1, -0.2, 0.3), lambda y: y + np.array((0.1, -0.2, 0.3))),
        ("biased", 0.5, lambda y: y + 0.5),
        ("scaled", 0.0, lambda y: 0.0 * y),
        ("scaled", (-1.0, 1.0, 0.5), lambda y: y * (-1.0, 1.0, 0.5)),
        ("frozen", None, lambda y: np.broadcast_to(ROWS[6], y.shape)),
        ("dropped", None, lambda y: np.broadcast_to(ROWS[6], y.shape)),
    ],
)
def test_signal_fault_acts_on_its_samples_only(kind, value, faulty, compiled):
    """The start, 7 x 0.1 s in floating point, is above the sample at 0.7 s: that sample is faulty all the same."""
    block = blocks.signal_fault(kind, reads="rate", sample=0.1, start=7 * 0.1, stop=1.2, value=value)
    written = block.replay(T, ROWS, compiled=compiled)
    acts = (np.arange(20) >= 7) & (np.arange(20) < 12)
    np.testing.assert_array_equal(written[~acts], ROWS[~acts])
    np.testing.assert_array_equal(written[acts], faulty(ROWS[acts]))


def test_frozen_message_stays_valid_and_dropped_one_does_not():
    message = np.column_stack((ROWS, np.ones(20), T))
    keys = {"reads": "gyro", "sample": 0.1, "start": 0.7, "width": 5, "message": True}
    frozen = blocks.signal_fault("frozen", **keys).replay(T, message, compiled=False)
    np.testing.assert_array_equal(frozen[7:], np.column_stack((np.tile(ROWS[6], (13, 1)), np.ones(13), T[7:])))
    dropped = blocks.signal_fault("dropped", **keys).replay(T, message, compiled=False)
    np.testing.assert_array_equal(dropped[7:, 3], 0.0)
    np.testing.assert_array_equal(dropped[:7], message[:7])


def test_bias_of_attitude_is_a_rotation_in_body_axes():
    e = np.random.default_rng(4).normal(size=(20, 4))
    e /= np.linalg.norm(e, axis=1)[:, None]
    block = blocks.signal_fault("biased", reads="attitude", sample=0.1, start=0.5, value=(0.0, 0.0, 0.3))
    written = block.replay(T, e, compiled=False)
    turn = np.array([[np.cos(0.3), -np.sin(0.3), 0], [np.sin(0.3), np.cos(0.3), 0], [0, 0, 1]])
    for row, true in zip(written[5:], e[5:], strict=True):
        np.testing.assert_allclose(rotation_matrix(row), rotation_matrix(true) @ turn, atol=1e-14)


def test_frozen_gyro_makes_undamped_oscillation():
    """J 10, kp 0.4, kd 2.8, gyro frozen at 1e-3 rad/s: about -0.007 rad, amplitude 0.017720045147, period 31.416 s."""
    step = 0.002

    def pd(t, y, r, q, z, u):
        for n in range(3):
            u[n] = -0.4 * 2.0 * y[4 + n] - 2.8 * y[7 + n]

    law = controllers.CustomLaw(pd, sample=step)
    fault = blocks.signal_fault("frozen", reads="rate", sample=step, start=0.0)
    angle, rate = 0.01, 1e-3
    run = sim.simulate(
        Spacecraft(RigidBody(np.diag((10.0, 10.0, 10.0)))), law, blocks=[fault], duration=40.0, integrator="rk4",
        attitude=(np.cos(0.5 * angle), 0, 0, np.sin(0.5 * angle)), rate=(0, 0, rate), step=step, output_step=step,
    )  # fmt: skip
    theta = 2.0 * np.arctan2(run.values("attitude")[:, 3], run.values("attitude")[:, 0])
    # the held command of each sample, for a double integrator
    x, rows = np.array([angle, rate]), []
    for _ in run.t:
        rows.append(x[0])
        a = -(0.4 * 2.0 * np.sin(0.5 * x[0]) + 2.8 * rate) / 10.0
        x = np.array([x[0] + step * x[1] + 0.5 * step**2 * a, x[1] + step * a])
    np.testing.assert_allclose(theta, rows, rtol=0, atol=1e-12)
    continuous = -0.007 + 0.017720045147 * np.cos(0.2 * run.t - np.arctan2(rate / 0.2, angle + 0.007))
    np.testing.assert_allclose(theta, continuous, rtol=0, atol=0.2 * step * 40.0 * 0.0178)
    assert any("rate frozen from 0 s on" in each for each in run.warnings)
    assert run.counters["faults"] == 1


def test_weak_command_gives_part_of_impulse():
    law = controllers.CustomLaw(lambda t, y, r: (0.2, 0.0, -0.1), sample=0.1, compiled=False)
    fault = blocks.signal_fault("scaled", reads="command", sample=0.1, start=2.0, stop=5.0, value=0.25)
    run = sim.simulate(Spacecraft(RigidBody(np.diag((2.0, 2.0, 2.0)))), law, blocks=[fault], duration=10.0, rtol=1e-12)
    np.testing.assert_allclose(run.values("momentum")[-1], np.array((0.2, 0, -0.1)) * (7.0 + 3.0 * 0.25), atol=1e-12)


def test_stuck_command_is_held():
    """A thruster that stays open: the command of the last healthy sample."""
    law = controllers.CustomLaw(lambda t, y, r: (0.2 * (t < 1.95), 0.0, 0.0), sample=0.1, compiled=False)
    fault = blocks.signal_fault("frozen", reads="command", sample=0.1, start=1.0)
    run = sim.simulate(Spacecraft(RigidBody(np.diag((2.0, 2.0, 2.0)))), law, blocks=[fault], duration=10.0)
    assert run.values("momentum")[-1, 0] == pytest.approx(2.0, rel=1e-12)


def test_margins_leave_the_fault_out():
    craft = Spacecraft(RigidBody(np.diag((10.0, 8.0, 6.0))))
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    fault = blocks.signal_fault("biased", reads="rate", sample=0.1, start=1.0, value=0.1)
    health = blocks.health({"gyro": [(1.0, None)]}, sample=0.1)
    bare, faulty = law.margins(model), law.margins(model, blocks=[fault, health])
    np.testing.assert_allclose(*(each.smallest()["phase_margin_deg"] for each in (faulty, bare)), rtol=1e-9)


def test_health_signals_of_several_parts():
    block = blocks.health({"wheel_2": [(0.3, 0.6), (1.0, None)], "gyro": []}, sample=0.1)
    rows = block.replay(T, ROWS, compiled=False)
    n = np.arange(20)
    np.testing.assert_array_equal(rows[:, 0], ~(((n >= 3) & (n < 6)) | (n >= 10)))
    np.testing.assert_array_equal(rows[:, 1], 1.0)
    assert tuple(block.writes) == ("wheel_2_health", "gyro_health")


def test_user_defined_signal():
    def reading(t, y, q, z, v):
        v[0] = t

    ramp = Block(reading, reads="rate", writes={"ramp": Signal(1, "s")}, clock=Clock(0.1))
    fault = blocks.signal_fault("frozen", reads="ramp", sample=0.1, start=1.0, width=1).as_monitor()
    law = controllers.RateDamping(gain=0.1, sample=0.1)
    run = sim.simulate(Spacecraft(RigidBody(np.eye(3))), law, blocks=[ramp, fault], duration=2.0, output_step=0.1)
    np.testing.assert_allclose(run.values("ramp"), np.where(run.t > 0.95, 0.9, run.t), atol=1e-12)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"kind": "noisy", "reads": "rate"}, "biased"),
        ({"kind": "biased", "reads": "rate"}, "needs a value"),
        ({"kind": "frozen", "reads": "rate", "value": 1.0}, "has no value"),
        ({"kind": "frozen", "reads": "gyro"}, "give width"),
        ({"kind": "scaled", "reads": "attitude", "value": 0.5}, "cannot be scaled"),
        ({"kind": "biased", "reads": "attitude", "value": 0.5}, "rotation vector"),
        ({"kind": "biased", "reads": "rate", "value": (1.0, 2.0)}, "bias or factor of rate"),
        ({"kind": "biased", "reads": "rate", "value": float("nan")}, "finite"),
        ({"kind": "frozen", "reads": "rate", "stop": 0.5}, "must end after it starts"),
        ({"kind": "frozen", "reads": "gyro", "width": 2, "message": True}, "too few"),
    ],
)
def test_wrong_signal_faults_are_refused(keys, message):
    with pytest.raises(InputError, match=message):
        blocks.signal_fault(**{"sample": 0.1, "start": 1.0, **keys})
    with pytest.raises(InputError, match="at least one part"):
        blocks.health({}, sample=0.1)
