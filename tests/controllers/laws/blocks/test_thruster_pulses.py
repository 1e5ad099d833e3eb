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


def ramped(t, opens, closes, rise, fall):
    """Fraction of the force of one pulse at times t, from its definition."""
    top = np.minimum((closes - opens) / rise, 1.0)
    return np.maximum(np.minimum(np.clip((t - opens) / rise, 0.0, top), top - (t - closes) / fall), 0.0)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("rise", "fall"), [(0.03, 0.05), (0.017, 0.0), (0.0, 0.043), (0.4, 0.25)])
def test_forces_rise_and_fall_linearly(rise, fall, compiled):
    """Torque in each tick is the mean of the ramps; a full pulse has the impulse F (t_on + (fall - rise)/2)."""
    block = blocks.thruster_pulses(PAIRS, sample=1.0, tick=0.01, specific_impulse=220.0, rise_time=rise, fall_time=fall)
    torque, on, pulses, used = replayed(block, [(0.0, 0.0, 0.3), (0.0, 0.0, 0.0)], 100, compiled)
    fine = (np.arange(200 * 500) + 0.5) * 0.01 / 500
    level = ramped(fine, 0.0, 0.3, max(rise, 1e-12), max(fall, 1e-12)).reshape(200, 500).mean(axis=1)
    np.testing.assert_allclose(torque[:, 2], level, atol=2e-5)
    top = min(0.3 / rise, 1.0) if rise else 1.0
    impulse = top * (0.3 - 0.5 * top * rise + 0.5 * top * fall)
    if top == 1.0:
        assert impulse == pytest.approx(0.3 + 0.5 * (fall - rise))
    assert torque[:, 2].sum() * 0.01 == pytest.approx(impulse, rel=1e-12)
    assert used[-1] == pytest.approx(2 * 0.5 * impulse / (GRAVITY * 220.0), rel=1e-12)
    assert on[-1].max() == pytest.approx(0.3, rel=1e-12)
    assert pulses[-1].max() == 1.0


@pytest.mark.parametrize(
    ("demand", "closing", "opened"),
    [
        ((0.3, 0.0, 0.0), 0.05, [(0.0, 0.35)]),
        ((0.98, 0.3, 0.0), 0.05, [(0.0, 1.35)]),  # it has not closed when it opens again
        ((0.98, 0.0, 0.0), 0.05, [(0.0, 1.03)]),
        ((1.0, 1.0, 0.0), 0.05, [(0.0, 2.05)]),
        ((0.3, 0.3, 0.0), 0.05, [(0.0, 0.35), (1.0, 1.35)]),
        ((1.0, 0.5, 0.0), 0.05, [(0.0, 1.55)]),  # a valve that stays open does not close
    ],
)
def test_valves_that_open_and_close_late(demand, closing, opened):
    block = blocks.thruster_pulses(PAIRS, sample=1.0, tick=0.01, closing_delay=closing)
    torque, on, pulses, _ = replayed(block, [(0.0, 0.0, each) for each in demand], 100)
    middle = (np.arange(300) + 0.5) * 0.01
    expected = sum((middle > a) & (middle < b) for a, b in opened)
    np.testing.assert_allclose(torque[:, 2], expected, atol=1e-12)
    assert on[-1].max() == pytest.approx(sum(b - a for a, b in opened), rel=1e-12)
    assert pulses[-1].max() == len(opened)


def test_plume_lowers_the_force_but_not_the_propellant():
    keys = {"sample": 0.5, "tick": 0.01, "specific_impulse": 100.0}
    factors = np.linspace(0.4, 0.95, 12)
    whole, on, _, used = replayed(blocks.thruster_pulses(PAIRS, **keys), [(0.2, -0.3, 0.4)] * 2, 50)
    torque, opened, _, lost = replayed(
        blocks.thruster_pulses(PAIRS, plume_factor=factors, **keys), [(0.2, -0.3, 0.4)] * 2, 50
    )
    np.testing.assert_array_equal(on, opened)
    np.testing.assert_array_equal(used, lost)
    arms = 0.5 * np.cross(POSITIONS, DIRECTIONS)
    open_ticks = np.diff(on, axis=0) > 0.0
    np.testing.assert_allclose(whole[:-1], open_ticks @ arms, atol=1e-12)
    np.testing.assert_allclose(torque[:-1], (open_ticks * factors) @ arms, atol=1e-12)


def test_much_propellant_is_warned_of():
    law = controllers.RateDamping(gain=1.0, sample=0.5)
    block = blocks.thruster_pulses(PAIRS, sample=0.5, tick=0.1, specific_impulse=1e-3)
    for mass, warned in ((0.1, True), (1e6, False), (None, False)):
        craft = Spacecraft(RigidBody(J, mass=mass))
        run = sim.simulate(craft, law, blocks=[block], rate=(0.1, 0.0, 0.0), duration=5.0)
        assert run.values("propellant")[-1] > 0.01
        assert any("% of the" in each and "propellant" in each for each in run.warnings) == warned


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
        ({"rise_time": -0.1}, "rise time"),
        ({"fall_time": -0.1}, "fall time"),
        ({"delay": 0.01, "closing_delay": 0.015}, "by a multiple of the tick"),
        ({"delay": 0.03, "closing_delay": 0.01}, "must be at least the delay"),
        ({"plume_factor": 1.2}, "at most 1; got 1.2"),
        ({"plume_factor": 0.0}, "plume factor"),
        ({"plume_factor": [0.5, 0.5]}, "plume factor must be 12 numbers"),
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
