"""The closed loop against an exact solution: sampling, delay and hold; signs; saturation; moving references."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.linalg import expm

from polhode import controllers, plant, sim
from polhode.plant.attitude import attitude_error, rotation_angle

SCHEMES = [
    {"integrator": "rk4", "step": 0.002},
    {"integrator": "rk8", "step": 0.05},
    {"integrator": "dop853", "rtol": 1e-13},
]
NAMES = [scheme["integrator"] for scheme in SCHEMES]
INERTIA = 2.0  # kg m^2, about the axis of the one-axis problems


def clock_law(t, y, r, q, z, u):
    """The command is the time of its sample."""
    u[0] = t + 1.0
    u[1] = 0.0
    u[2] = -t - 1.0


@pytest.mark.parametrize("delay", [0.0, 0.3, 1.0, 2.7], ids=lambda d: f"{d:g} samples")
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
def test_each_command_acts_from_its_sample_plus_delay_to_the_next(scheme, delay):
    sample = 0.125  # a power of two, so that even the switching times are exact
    lag = sample * delay
    changes = [k * sample + lag for k in range(8)]
    at = np.sort(np.concatenate([np.random.default_rng(1).uniform(0.0, 1.0, 60), [c for c in changes if c < 1.0]]))
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.CustomLaw(clock_law, sample=sample, delay=lag)
    run = sim.simulate(craft, law, duration=1.0, output_times=at, **scheme)
    rank = np.floor((run.t - lag) / sample + 1e-9)  # a switching time computed here may be smaller by one bit
    wanted = np.where(rank >= 0.0, rank * sample + 1.0, 0.0)
    np.testing.assert_array_equal(run.values("command")[:, 0], wanted)  # exact: the law stores what it reads
    np.testing.assert_array_equal(run.values("command")[:, 2], -wanted)


def one_axis_law(t, y, r, q, z, u):
    """PD on the angle about z, q = [stiffness, damping, 1/J]."""
    u[0] = 0.0
    u[1] = 0.0
    u[2] = -q[0] * 2.0 * np.arctan2(y[6], y[3]) - q[1] * q[2] * y[2]


def one_axis_exact(times, *, sample, delay, gains, start):
    """theta and omega by the matrix exponential from breakpoint to breakpoint, in exact time."""
    T, lag, end = Fraction(sample), Fraction(delay), Fraction(max(times))
    samples = [k * T for k in range(int(end / T) + 2)]
    breaks = sorted({*samples, *(s + lag for s in samples), *(Fraction(t) for t in times)})
    A = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0 / INERTIA], [0.0, 0.0, 0.0]])
    y, commands, found = np.array([*start, 0.0]), {}, {}
    for now, after in zip(breaks, [*breaks[1:], breaks[-1]], strict=True):
        if now in samples:
            commands[now + lag] = -gains[0] * y[0] - gains[1] * y[1]
        if now in commands:
            y[2] = commands[now]
        found[now] = y[:2].copy()
        y = expm(A * float(after - now)) @ y
    return np.array([found[Fraction(t)] for t in times])


@pytest.mark.parametrize("delay", [0.0, 0.3, 1.0, 2.7], ids=lambda d: f"{d:g} samples")
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
def test_sampled_loop_is_exact_sampled_double_integrator(scheme, delay):
    sample, start, gains = 0.1, (0.4, -0.1), (3.0, 4.0)
    lag = sample * delay
    craft = plant.Spacecraft(plant.RigidBody((3, 2.5, INERTIA)))
    law = controllers.CustomLaw(one_axis_law, sample=sample, delay=lag, parameters=(*gains, 1.0 / INERTIA))
    at = np.random.default_rng(2).uniform(0.0, 4.0, 50)
    half = 0.5 * start[0]
    run = sim.simulate(
        craft,
        law,
        attitude=(np.cos(half), 0, 0, np.sin(half)),
        rate=(0, 0, start[1]),
        duration=4.0,
        output_times=at,
        **scheme,
    )
    exact = one_axis_exact(run.t.tolist(), sample=sample, delay=lag, gains=gains, start=start)
    e = run.values("attitude")
    # rk4 at 0.002 s: (rate x step)^4 x time = 1e-13; the others are at round-off of some hundred operations
    np.testing.assert_allclose(2.0 * np.arctan2(e[:, 3], e[:, 0]), exact[:, 0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.values("rate")[:, 2], exact[:, 1], rtol=0, atol=1e-12)
    assert np.abs(exact[-1] - exact[0]).max() > 0.05  # it moved, so the comparison is meaningful


def idle_law(t, y, r, q, z, u):
    u[0] = 0.0
    u[1] = 0.0
    u[2] = 0.0


@pytest.mark.parametrize("sample", [0.1, 1 / 3, 0.07])
@pytest.mark.parametrize("delay", [0.0, 1.0, 3.0])
def test_no_sample_is_lost_or_doubled_in_a_hundred_thousand(sample, delay):
    craft = plant.Spacecraft(plant.RigidBody((3e9, 2e9, 1e9)))  # so heavy that a growing torque hardly moves it
    n = 100_000
    law = controllers.CustomLaw(idle_law, sample=sample, delay=delay * sample)
    run = sim.simulate(
        craft, law, duration=(n - 0.5) * sample, output_times=[0.0], integrator="rk4", step=sample, ledger=False
    )
    assert run.counters["samples"] == n
    # one step per sample: delay times that are decimals or rounded multiples create no tiny steps
    assert run.counters["steps"] <= n + int(delay)


def banging_law(t, y, r, q, z, u):
    u[0] = 5.0
    u[1] = -5.0
    u[2] = 0.25


def test_saturation_cuts_each_component_off_at_its_own_limit():
    basis = plant.TorqueBasis("body", limit=(0.5, 2.0, 1.0))
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), torques=basis)
    run = sim.simulate(craft, controllers.CustomLaw(banging_law, sample=0.1), duration=1.0)
    np.testing.assert_array_equal(run.values("command"), np.tile((0.5, -2.0, 0.25), (run.t.size, 1)))
    free = sim.simulate(
        plant.Spacecraft(plant.RigidBody((3, 2, 1))), controllers.CustomLaw(banging_law, sample=0.1), duration=1.0
    )
    np.testing.assert_array_equal(free.values("command")[0], (5.0, -5.0, 0.25))


@pytest.mark.parametrize("compiled", [True, False])
def test_advance_moves_both_covers_of_an_attitude_equally(skew_body, compiled):
    craft = plant.Spacecraft(skew_body, torques=plant.TorqueBasis("body", limit=0.5))
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=9.0, rate=1.0, effort=1.0, sample=0.1)
    feedback = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    e = np.array((-0.2, 0.6, 0.1, 0.4))
    e /= np.linalg.norm(e)
    more = {"duration": 3.0, "rate": (0.1, -0.2, 0.3), "compiled": compiled}
    for each in (law, feedback):
        plus = sim.simulate(craft, each, attitude=e, **more)
        minus = sim.simulate(craft, each, attitude=-e, **more)
        # bitwise: every product of two components of e is the same on both covers
        np.testing.assert_array_equal(plus.values("momentum"), minus.values("momentum"))
        np.testing.assert_array_equal(plus.values("attitude"), -minus.values("attitude"))
        np.testing.assert_array_equal(plus.values("attitude_error"), minus.values("attitude_error"))
        # and the short way: from more than half a revolution in e0 < 0 the error only decreases
        assert plus.values("attitude_error")[-1] < plus.values("attitude_error")[0] <= np.pi


def test_body_on_moving_reference_stays_on_it():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    reference = controllers.SpinReference((0.8, 0.0, 0.6, 0.0), rate=(0.0, 0.0, 0.5))
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    run = sim.simulate(
        craft, law, attitude=(0.8, 0.0, 0.6, 0.0), rate=(0.0, 0.0, 0.5), reference=reference, duration=50.0
    )
    # a spin about a principal axis needs no torque: the remainder is the integrator's 1e-10 per step
    assert run.values("attitude_error").max() < 1e-8
    off = sim.simulate(craft, law, attitude=(0.6, 0.0, 0.8, 0.0), reference=reference, duration=50.0)
    assert off.values("attitude_error")[0] > 0.5
    # the error decays to the ripple of the hold: none, since the steady torque is zero
    assert off.values("attitude_error")[-1] < 1e-6


def rocking(t, q, r):
    """Oscillation about z: angle q0 sin(q1 t)."""
    angle = q[0] * np.sin(q[1] * t)
    r[0] = np.cos(0.5 * angle)
    r[1] = 0.0
    r[2] = 0.0
    r[3] = np.sin(0.5 * angle)
    for n in range(4, 10):
        r[n] = 0.0
    r[6] = q[0] * q[1] * np.cos(q[1] * t)
    r[9] = -q[0] * q[1] * q[1] * np.sin(q[1] * t)


def test_reference_of_users_own_is_followed_and_compared_with():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    reference = controllers.CustomReference(rocking, (0.5, 0.2))
    law = controllers.quaternion_feedback(craft, frequency=1.0, damping_ratio=0.8, sample=0.02)
    run = sim.simulate(craft, law, rate=(0, 0, 0.1), reference=reference, duration=30.0)
    wanted = np.array([reference.at(t)[:4] for t in run.t])
    angles = [rotation_angle(attitude_error(e, r)) for e, r in zip(run.values("attitude"), wanted, strict=True)]
    np.testing.assert_allclose(run.values("attitude_error"), angles, rtol=0, atol=1e-15)
    # the held torque lags that of the reference by half a sample: alpha x T/2 / (2 wn^2) = 0.02 x 0.02 / 2 = 1e-4 at
    # most
    assert run.values("attitude_error").max() < 4e-4
    assert rotation_angle(attitude_error(wanted[0], wanted[200])) > 0.1  # it did move
