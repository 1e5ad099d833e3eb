"""On-off thrusters: momentum, shortest pulses, propellant, faults, and the limit cycle of shortest pulses."""

import numpy as np
import pytest

from polhode import controllers, sim
from polhode.controllers import ThrusterAllocation, blocks
from polhode.plant import InputError, RigidBody, Spacecraft, TorqueBasis
from polhode.plant.attitude import rotation_matrix

POSITIONS = [side * np.eye(3)[k] for k in range(3) for side in (1, 1, -1, -1)]
DIRECTIONS = [push * np.eye(3)[(k + 1) % 3] for k in range(3) for push in (1, -1, 1, -1)]
PAIRS = ThrusterAllocation(POSITIONS, DIRECTIONS, limit=0.5, force_free=True)
J = np.diag((40.0, 30.0, 20.0))
GRAVITY = 9.80665


def replayed(block, rows, ticks, compiled=False):
    """Replay with a torque for each period of `ticks`; returns torque, on-times, pulses, propellant of each tick."""
    y = np.repeat(np.asarray(rows, dtype=float), ticks, axis=0)
    t = 0.01 * np.arange(len(y))
    v = block.replay(t, y, compiled=compiled)
    m = (v.shape[1] - 4) // 2
    return v[:, :3], v[:, 3 : 3 + m], v[:, 3 + m : 3 + 2 * m], v[:, -1]


@pytest.mark.parametrize("compiled", [False, True])
def test_impulse_of_each_period_is_that_of_the_demand(compiled):
    """Demands whose on-times are whole ticks: sum of force, arm and time, and propellant, by the geometry alone."""
    block = blocks.thruster_pulses(PAIRS, sample=0.5, tick=0.01, specific_impulse=220.0)
    demand = [(0.3, -0.1, 0.54), (0.0, 0.0, 0.0), (-0.02, 0.5, -1.0), (0.0, 0.0, 0.02), (0.0, 0.0, 0.0)]
    torque, on, pulses, used = replayed(block, demand, 50, compiled)
    np.testing.assert_allclose(torque.reshape(5, 50, 3).sum(axis=1) * 0.01, np.array(demand) * 0.5, atol=1e-13)
    arms = np.cross(POSITIONS, DIRECTIONS)
    np.testing.assert_allclose(on[-1] @ (0.5 * arms), np.sum(demand, axis=0) * 0.5, atol=1e-13)
    assert used[-1] == pytest.approx(0.5 * on[-1].sum() / (GRAVITY * 220.0), rel=1e-12)
    np.testing.assert_array_equal(pulses[-1] @ np.abs(arms), [2 * 2, 2 * 2, 3 * 2])
    assert not (on[-1] @ DIRECTIONS).any()


def test_torque_beyond_reach_keeps_its_direction():
    block = blocks.thruster_pulses(PAIRS, sample=0.5, tick=0.01)
    torque, *_ = replayed(block, [(5.0, 0.0, -2.5)], 50)
    np.testing.assert_allclose(torque.mean(axis=0), (1.0, 0.0, -0.5), atol=1e-13)


def test_shortest_pulse_by_schmitt_trigger():
    """Requests of a published trigger, least on-time 0.2 s: the last thruster holds its state between the levels.

    A request at or above the least on-time is met; requests of one period or more are on for the whole period.
    """
    requests = [0.5, 0.05, 0.09, 0.11, 0.16, 0.18, 0.2, 0.49]
    expected = [0.5, 0.0, 0.0, 0.0, 0.2, 0.2, 0.2, 0.49]
    single = ThrusterAllocation(
        [(0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0)],
        [(0, 0, 1), (0, 0, 1), (1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 0)], limit=0.5,
    )  # fmt: skip
    for request, on_time in zip(requests, expected, strict=True):
        block = blocks.thruster_pulses(single, sample=0.5, tick=0.01, least_pulse=0.2, fires_at=0.75, drops_at=0.25)
        _, on, _, _ = replayed(block, [(request, 0, 0), (request, 0, 0), (0, 0, 0)], 50)
        np.testing.assert_allclose(on[-1], np.array((2 * on_time, 0, 0, 0, 0, 0)), atol=1e-12)
    # after a pulse the state is kept: 0.49, then 0.11 fires still, 0.01 does not, and then 0.11 no longer
    block = blocks.thruster_pulses(single, sample=0.5, tick=0.01, least_pulse=0.2, fires_at=0.75, drops_at=0.25)
    _, on, _, _ = replayed(block, [(f, 0, 0) for f in (0.16, 0.11, 0.11, 0.01, 0.11, 0)], 50)
    np.testing.assert_allclose(np.diff(on[::50, 0]), (0.2, 0.2, 0.2, 0.0, 0.0), atol=1e-12)


def test_momentum_of_run_is_sum_of_impulses_and_arms():
    law = controllers.CustomLaw(lambda t, y, r: (0.2, -0.06, 0.1 * (t < 4)), sample=0.5, delay=0.1, compiled=False)
    block = blocks.thruster_pulses(
        PAIRS, sample=0.5, tick=0.01, least_pulse=0.05, specific_impulse=200.0, offset=0.1, delay=0.03
    )
    reach = ThrusterAllocation(POSITIONS, DIRECTIONS, limit=0.5).envelope
    craft = Spacecraft(RigidBody(J), torques=TorqueBasis(envelope=reach))
    run = sim.simulate(craft, law, blocks=[block], duration=10.13, output_times=[10.13], integrator="rk4", step=0.01)
    on = run.values("thruster_on_time")[-1]
    impulse = np.array(run.values("inertial_momentum")[-1])
    assert np.linalg.norm(impulse) > 1.0
    # in body axes, which have turned: integrate the torque that was recorded, in inertial axes, by hand
    fine = sim.simulate(craft, law, blocks=[block], duration=10.13, output_step=0.01, integrator="rk4", step=0.01)
    turn = fine.values("attitude")
    torque = fine.values("command")
    middle = 0.5 * (turn[1:] + turn[:-1])
    middle /= np.linalg.norm(middle, axis=1)[:, None]
    total = sum(rotation_matrix(e) @ u * 0.01 for e, u in zip(middle, torque[:-1], strict=True))
    np.testing.assert_allclose(impulse, total, atol=1e-6)
    arms = 0.5 * np.cross(POSITIONS, DIRECTIONS)
    np.testing.assert_allclose(torque[:-1].sum(axis=0) * 0.01, on @ arms, atol=1e-9)
    assert run.values("propellant")[-1] == pytest.approx(0.5 * on.sum() / (GRAVITY * 200.0), rel=1e-12)


def test_limit_cycle_of_shortest_pulses():
    """Double integrator in a deadband: step of the rate D = I L/J, period 8 db/D, mean impulse I^2 L/(4 J db)."""
    inertia, pulse, deadband, force = 20.0, 0.02, 0.01, 0.5
    arm = 2.0  # two thrusters at 1 m
    step = force * pulse * arm / inertia

    def fire(t, y, r, q, z, u):
        """One shortest pulse whenever the deadband is left outwards."""
        angle, rate = 2.0 * y[6], y[9]
        u[0] = 0.0
        u[1] = 0.0
        u[2] = 0.0
        if angle > q[0] and rate > 0.0:
            u[2] = -q[1]
        if angle < -q[0] and rate < 0.0:
            u[2] = q[1]

    sample = 0.1
    law = controllers.CustomLaw(fire, sample=sample, parameters=(deadband, force * arm * pulse / sample))
    block = blocks.thruster_pulses(PAIRS, sample=sample, tick=0.01, least_pulse=pulse, specific_impulse=200.0)
    craft = Spacecraft(RigidBody(np.diag((20.0, 20.0, inertia))))
    duration = 20 * 8.0 * deadband / step
    run = sim.simulate(
        craft, law, blocks=[block], rate=(0.0, 0.0, 0.5 * step), duration=duration, integrator="rk4", step=0.01,
        output_step=1.0,
    )  # fmt: skip
    assert np.abs(run.values("rate")[1:, 2]).max() == pytest.approx(0.5 * step, rel=1e-9)
    pulses = run.values("thruster_pulses")[-1].sum() / 2
    expected = 2 * duration / (8.0 * deadband / step)
    assert pulses == pytest.approx(expected, abs=1.5)
    impulse = force * 2 * run.values("thruster_on_time")[-1].max() / duration * 2  # both sides, two thrusters each
    bit = 2 * force * pulse  # of a pair, with the arm of 1 m
    assert impulse == pytest.approx(bit**2 * 1.0 / (4.0 * inertia * deadband), rel=0.08)


@pytest.mark.parametrize(
    ("fault", "force"),
    [
        ({"kind": "off"}, lambda on: 0.0 * on),
        ({"kind": "weak", "factor": 0.4}, lambda on: 0.4 * on),
        ({"kind": "open"}, np.ones_like),
    ],
)
def test_faults_of_one_thruster(fault, force):
    """Thruster 1 pushes along y at (1, 0, 0): only its torque about z changes, between 1 s and 2 s."""
    demand = [(0.0, 0.0, 0.4)] * 6
    keys = {"sample": 0.5, "tick": 0.01, "specific_impulse": 100.0}
    healthy, *_ = replayed(blocks.thruster_pulses(PAIRS, **keys), demand, 50)
    faults = [blocks.ThrusterFault(thruster=1, start=1.0, stop=2.0, **fault)]
    torque, on, _, used = replayed(blocks.thruster_pulses(PAIRS, faults=faults, **keys), demand, 50)
    opened = (healthy[:, 2] > 0.0).astype(float)
    acts = (np.arange(300) >= 100) & (np.arange(300) < 200)
    expected = 0.5 * opened + 0.5 * np.where(acts, force(opened), opened)
    np.testing.assert_allclose(torque[:, 2], expected, atol=1e-14)
    assert not torque[:, :2].any()
    flow = expected[:-1].sum() * 0.01 / (GRAVITY * 100.0)
    assert used[-1] == pytest.approx(flow, rel=1e-12)
    valve = np.maximum(opened, acts) if fault["kind"] == "open" else opened  # one that gives nothing is opened too
    assert on[-1, 0] == pytest.approx(valve[:-1].sum() * 0.01, rel=1e-12)


def test_faults_are_counted_in_run():
    law = controllers.RateDamping(gain=1.0, sample=0.5)
    fault = blocks.ThrusterFault(thruster=2, kind="open", start=1.0)
    block = blocks.thruster_pulses(PAIRS, sample=0.5, tick=0.1, faults=[fault])
    run = sim.simulate(Spacecraft(RigidBody(J)), law, blocks=[block], duration=5.0)
    assert run.counters["faults"] == 1
    assert any("thruster 2: open from 1 s on" in each for each in run.warnings)


def test_margins_count_pulses_with_gain_1():
    craft = Spacecraft(RigidBody(J))
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=0.01, rate=1.0, effort=1.0, sample=0.5)
    block = blocks.thruster_pulses(PAIRS, sample=0.5, tick=0.1)
    bare, pulsed = law.margins(model), law.margins(model, blocks=[block])
    np.testing.assert_allclose(*(each.smallest()["phase_margin_deg"] for each in (pulsed, bare)), rtol=1e-6)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"tick": 0.03}, "multiple of the tick"),
        ({"least_pulse": 0.015}, "multiple of the tick"),
        ({"least_pulse": 0.6}, "longer than the period"),
        ({"fires_at": 1.5}, "fires_at must be a fraction"),
        ({"fires_at": 0.3}, "at most fires_at"),
        ({"specific_impulse": 0.0}, "specific impulse"),
        ({"faults": [blocks.ThrusterFault(thruster=13, kind="off", start=0.0)]}, "numbered 1 to 12"),
        ({"faults": 2 * [blocks.ThrusterFault(thruster=1, kind="off", start=0.0)]}, "two faults"),
    ],
)
def test_wrong_numbers_are_refused(keys, message):
    with pytest.raises(InputError, match=message):
        blocks.thruster_pulses(PAIRS, **{"sample": 0.5, "tick": 0.01, **keys})


def test_wrong_faults_are_refused():
    for keys, message in (({"kind": "hot"}, "off"), ({"stop": 0.5}, "end after"), ({"factor": 2.0}, "0 to 1")):
        with pytest.raises(InputError, match=message):
            blocks.ThrusterFault(**{"thruster": 1, "kind": "weak", "start": 1.0, **keys})
