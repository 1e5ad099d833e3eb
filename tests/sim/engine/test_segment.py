"""Outputs, pauses and breakpoints do not change the results; pulses are never missed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polhode import controllers, plant, sim
from polhode.sim.engine import indices
from polhode.sim.engine.loop import Loop

SCHEMES = {
    "rk4": {"integrator": "rk4", "step": 0.03},
    "rk8": {"integrator": "rk8", "step": 0.07},
    "dop853": {"integrator": "dop853", "rtol": 1e-9},
}
PULSES = (
    plant.TorquePulse((0.3, -0.2, 0.1), start=0.33, stop=1.77),
    plant.TorquePulse((0.1, 0.2, -0.4), start=1.5, stop=2.25, basis=plant.TorqueBasis("inertial")),
    plant.TorquePulse((0.1, 0.2, 0.1), start=0.9, stop=2.5, basis=plant.TorqueBasis("dual-euler", "3-2-1")),
)


def nailed(body):
    """The body, held at its mass centre."""
    return plant.RigidBody(body.central_inertia, mass=body.mass, pivot=(0, 0, 0))


def busy(body, **more):
    """All features together: a law with delay and limit, pulses in three bases, a spring, a moving reference."""
    craft = plant.Spacecraft(
        nailed(body),
        torques=plant.TorqueBasis("body", limit=0.5),
        potentials=[plant.Spring(body_point=(0, 0, 1), inertial_point=(0, 1, 2), stiffness=0.1, damping=0.05)],
    )
    law = controllers.quaternion_feedback(craft, frequency=0.8, damping_ratio=0.7, sample=0.1, delay=0.13)
    reference = controllers.SpinReference(rate=(0.02, 0.0, 0.05))
    start = {"attitude": (0.8, 0.0, 0.6, 0.0), "rate": (0.1, -0.2, 0.3)}
    return sim.simulate(craft, law, reference=reference, torques=PULSES, duration=3.0, **(start | more))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ledger", [True, False])
def test_outputs_never_change_the_trajectory(skew_body, scheme, ledger):
    more = SCHEMES[scheme] | {"ledger": ledger}
    alone = busy(skew_body, output_times=[3.0], **more)
    often = busy(skew_body, output_step=0.0137, **more)
    anywhere = busy(skew_body, output_times=np.random.default_rng(8).uniform(0.0, 3.0, 77), output_step=1.0, **more)
    for other in (often, anywhere):
        np.testing.assert_array_equal(other.states[-1], alone.states[-1])  # to the bit
        assert other.counters == alone.counters
    # and a row is the same whatever other rows are recorded
    shared = np.intersect1d(often.t, anywhere.t)
    assert shared.size >= 2
    np.testing.assert_array_equal(often.states[np.isin(often.t, shared)], anywhere.states[np.isin(anywhere.t, shared)])


def loop_of(craft, law, *, scheme, ledger, times):
    return Loop(
        craft, craft.state(attitude=(0.8, 0, 0.6, 0), rate=(0.1, -0.2, 0.3)), law, controllers.FixedReference(),
        pulses=PULSES, scheme=sim.Scheme(**scheme), duration=3.0, times=times, ledger=ledger, compiled=True,
        max_steps=10**6, pose_limit=1e-4,
    )  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("plain", [False, True], ids=["body alone", "with pulses and a spring"])
def test_pauses_change_nothing(skew_body, scheme, plain):
    potentials = [plant.Spring(body_point=(0, 0, 1), inertial_point=(0, 1, 2), stiffness=0.1)] if plain else []
    craft = plant.Spacecraft(nailed(skew_body), potentials=potentials)
    law = controllers.quaternion_feedback(craft, frequency=0.8, damping_ratio=0.7, sample=0.1, delay=0.13)
    times = np.linspace(0.0, 3.0, 41)
    make = {"scheme": SCHEMES[scheme], "ledger": True, "times": times}
    whole = loop_of(craft, law, **make)
    assert whole.advance(10**6) == indices.DONE
    for budget in (1, 2, 7):
        parts = loop_of(craft, law, **make)
        calls = 1
        while (status := parts.advance(budget)) == indices.PAUSED:
            calls += 1
        assert status == indices.DONE
        assert calls >= whole.arrays.count[indices.STEPS] // budget
        for name in ("x", "out_x", "out_u", "u"):
            np.testing.assert_array_equal(getattr(parts.arrays, name), getattr(whole.arrays, name))
        same = np.delete(np.arange(indices.COUNT_SIZE), [indices.BUDGET, indices.SEGMENT_I])
        np.testing.assert_array_equal(parts.arrays.count[same], whole.arrays.count[same])
        assert parts.arrays.clock[indices.NORM_DRIFT] == whole.arrays.clock[indices.NORM_DRIFT]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_compiled_and_plain_python_are_the_same_numbers(skew_body, scheme):
    fast = busy(skew_body, output_step=0.31, **SCHEMES[scheme])
    slow = busy(skew_body, output_step=0.31, compiled=False, **SCHEMES[scheme])
    # the compiler may neither contract nor reorder operations; powers and trigonometry may differ in the last
    # place, which a few seconds of motion amplify little
    np.testing.assert_allclose(slow.states, fast.states, rtol=0, atol=4e-15 * np.abs(fast.states).max())
    np.testing.assert_allclose(slow.observables, fast.observables, rtol=0, atol=1e-14 * np.abs(fast.observables).max())
    assert slow.counters["steps"] == fast.counters["steps"]
    assert slow.status == fast.status == "completed"


@settings(max_examples=60)
@given(
    start=st.floats(-100.0, 9_999.0),
    length=st.floats(-6.0, 3.0).map(lambda power: 10.0**power),
    scheme=st.sampled_from([("rk4", 50.0), ("rk8", 200.0), ("dop853", None), ("rk4", 0.7)]),
)
def test_pulse_is_never_missed(start, length, scheme):
    # About a principal axis, from rest: the momentum is the integral of the torque, for any steps. The shorter
    # the pulse the stronger, so that the body rotates slowly for any length.
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    torque = 0.01 / length
    pulse = plant.TorquePulse((0.0, 0.0, torque), start=start, stop=start + length)
    run = sim.simulate(
        craft, duration=1e4, torques=(pulse,), integrator=scheme[0], step=scheme[1], output_times=[1e4], ledger=False
    )
    impulse = torque * max(min(pulse.stop, 1e4) - max(pulse.start, 0.0), 0.0)
    # Instants closer than 4 units in the last place are merged, at both edges (9e-16 x 1e4 s each); sums of up to
    # 1500 steps give the remaining round-off.
    assert run.values("momentum")[-1, 2] == pytest.approx(impulse, rel=1e-13, abs=torque * 2e-11)
    assert run.status == "completed"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pulse_ahead_of_start_or_beyond_end(scheme):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    pulses = (
        plant.TorquePulse((0, 0, 1.0), start=-5.0, stop=0.5),
        plant.TorquePulse((0, 0, 10.0), start=1.25, stop=99.0),
        plant.TorquePulse((0, 0, 1e6), start=-3.0, stop=-1.0),
        plant.TorquePulse((0, 0, 1e6), start=2.0, stop=3.0),
    )
    run = sim.simulate(craft, duration=2.0, torques=pulses, output_times=[0.0, 0.5, 1.25, 2.0], **SCHEMES[scheme])
    np.testing.assert_allclose(run.values("momentum")[:, 2], (0.0, 0.5, 0.5, 8.0), rtol=1e-14, atol=1e-15)
    # a torque is recorded from its first instant on, and no longer at its last; at the end, the last held value
    np.testing.assert_allclose(run.values("torque")[:, 2], (1.0, 0.0, 10.0, 10.0), rtol=1e-15)


def test_pulses_in_different_bases_add(skew_body):
    craft = plant.Spacecraft(skew_body)
    run = sim.simulate(craft, rate=(0.1, 0.2, 0.3), torques=PULSES, duration=3.0, output_step=0.05)
    together = 0
    for t, e, torque in zip(run.t, run.values("attitude"), run.values("torque"), strict=True):
        acting = [pulse for pulse in PULSES if pulse.start <= t < pulse.stop]
        together = max(together, len(acting))
        wanted = sum((pulse.basis.to_body(pulse.components, e) for pulse in acting), np.zeros(3))
        np.testing.assert_allclose(torque, wanted, rtol=0, atol=1e-15)
    assert together == 3
    # the ledgers integrate the applied torque: tolerance of the steps, 1e-10 each
    invariants = run.invariants()
    for name in ("momentum_balance_relative", "energy_balance_relative"):
        balance = invariants[name]
        assert balance is not None
        assert balance < 1e-9


@pytest.mark.parametrize("length", [1e-3, 0.1, 1.0])
def test_segment_keeps_one_step_a_sample_at_late_times(length):
    # samples at k T differ by a unit in the last place of k T, which must not halve the step
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.7, sample=length)
    run = sim.simulate(craft, law, duration=50_000 * length, output_times=[0.0], integrator="rk4", step=length)
    assert run.counters["steps"] == 50_000
